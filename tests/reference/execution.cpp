// SPDX-License-Identifier: Apache-2.0
#include "tests/reference/execution.hpp"

namespace ndsim::reference {

namespace {

constexpr std::size_t kRegion = static_cast<std::size_t>(Target::region) - 1;

// A Read that is under way into the region of its own side, as far as fences say.
enum class Filling : std::uint8_t { none, stays, dies };

// Whether a request must wait for it: nothing but the fence says what it would find [K64].
bool needs_fence(const Step& step, Filling filling) {
    const bool changes = step.is_local() && step.target == Target::region;
    return (changes && filling != Filling::none) || (step.into_region && filling == Filling::dies);
}

Filling after(const Step& step, Filling filling) {
    return step.kills_sink ? Filling::dies : step.into_region ? Filling::stays : filling;
}

std::string documented_or(const Scene& scene, const char* documented, const char* infiniband) {
    return scene.program.infiniband ? infiniband : documented;
}

// Also of those that are never reached: what changes a key does not wait for the peer's answer to what is before it.
void check_fences(Scene& scene, const Queue& sends) {
    Filling filling = Filling::none;
    for (std::size_t i = 0; i < sends.announced; ++i) {
        const Step& step = scene.requests.step_of(sends.open[i]);
        filling = step.fence ? Filling::none : filling;
        if (needs_fence(step, filling)) {
            scene.requests.doubt(sends.open[i], Doubt::Remedy::fence);
        }
        filling = after(step, filling);
    }
}

// Opens what is free, or frees what is open [K112, K128, K133]; false if it cannot.
bool change(const Step& step, Object& object) {
    if (object.valid == (step.what == What::open)) {
        return false;
    }
    object = step.what == What::open ? Object{true, step.pieces.front(), step.remote_read, step.remote_write,
                                              step.local_write || step.remote_write}
                                     : Object{};
    return true;
}

// Where in the peer's memory a write or read goes; nothing if the peer refuses it [K132, K139].
std::optional<std::uint32_t> address(const Step& step, const Course& course) {
    const std::uint64_t end = step.to + step.length();
    if (step.target == Target::memory) {
        return end <= kMemory ? std::optional{step.to} : std::nullopt;
    }
    const Object& object = course.objects[1U - step.side][static_cast<std::size_t>(step.target) - 1];
    const bool right = step.what == What::read ? object.remote_read : object.remote_write;
    return object.valid && right && end <= object.span.size ? std::optional{object.span.offset + step.to}
                                                            : std::nullopt;
}

std::optional<Failure> plan_send(const Scene& scene, const Step& step, std::size_t i, const Queue& receives,
                                 std::size_t from, Course& course) {
    const std::size_t next = course.first[from] + course.matched[from];
    if (next == receives.open.size()) {
        return Failure{i, "io_timeout", {}, {}, false};  // [K104]
    }
    if (step.length() > scene.requests.step_of(receives.open[next]).length()) {
        return Failure{i, documented_or(scene, "remote_resources", "data_error"), next,
                       documented_or(scene, "buffer_overflow", "data_overrun"), false};  // [K102]
    }
    if (step.what == What::send_and_invalidate) {
        Object& object = course.objects[1 - from][static_cast<std::size_t>(step.target) - 1];
        if (!std::exchange(object.valid, false)) {
            // The peer's NIC says nothing [K113].
            return Failure{i, documented_or(scene, "remote_resources", "io_timeout"), next,
                           documented_or(scene, "invalid_device_request", "data_error"), true};
        }
    }
    return std::nullopt;
}

// A write or read, whose own memory is looked at before it leaves.
std::optional<Failure> plan_remote(const Scene& scene, std::size_t request, std::size_t i, std::size_t from,
                                   Course& course) {
    const Step& step = scene.requests.step_of(request);
    if (step.length() == 0) {
        return std::nullopt;  // it is not checked [K146]
    }
    Object& region = course.objects[from][kRegion];
    if (step.into_region) {
        const Span& sink = step.pieces.front();
        if (!region.valid || !region.local_write || sink.offset + sink.size > region.span.size) {
            return Failure{i, "access_violation", {}, {}, false};
        }
        course.sinks[request] = {region.span.offset + sink.offset, sink.size};
    }
    const std::optional<std::uint32_t> at = address(step, course);
    if (!at) {
        return Failure{i, documented_or(scene, "remote_resources", "access_violation"), {}, {}, false};
    }
    course.remote[request] = *at;
    region.valid = region.valid && !step.kills_sink;  // [K140]
    return std::nullopt;
}

// Goes through the requests of one direction in order [K49, K101].
std::optional<Failure> plan(const Scene& scene, std::size_t number, std::size_t from, Course& course) {
    const Queue& sends = scene.connections[number].sends[from];
    const Queue& receives = scene.receives_of(1 - from, number);
    for (std::size_t i = 0; i < sends.announced; ++i) {
        const Step& step = scene.requests.step_of(sends.open[i]);
        if (step.is_send()) {
            course.asks[from] = course.asks[from] || scene.endpoint(1 - from, number).srq;
            const bool none_left = course.first[from] + course.matched[from] == receives.open.size();
            if (none_left && scene.endpoint(1 - from, number).srq) {  // [R26]
                course.held[from] = i;
                return std::nullopt;
            }
            if (const auto failure = plan_send(scene, step, i, receives, from, course)) {
                return failure;
            }
            ++course.matched[from];
        } else if (step.is_local()) {
            if (!change(step, course.objects[from][static_cast<std::size_t>(step.target) - 1])) {
                return Failure{i, documented_or(scene, "invalid_device_request", "internal_error"), {}, {}, false};
            }
        } else if (const auto failure = plan_remote(scene, sends.open[i], i, from, course)) {
            return failure;
        }
    }
    return std::nullopt;
}

}  // namespace

Course plan(Scene& scene, std::size_t number) {
    const Connection& connection = scene.connections[number];
    Course course;
    course.objects = connection.objects;
    for (std::size_t from = 0; from < kSides && connection.state == State::alive; ++from) {
        course.first[from] = scene.endpoint(1 - from, number).srq ? scene.srqs[1 - from].taken : 0;
        check_fences(scene, connection.sends[from]);
        course.failures[from] = plan(scene, number, from, course);
        if (const auto& failure = course.failures[from]) {
            const std::size_t request = connection.sends[from].open[failure->at];
            if (!scene.requests.step_of(request).may_fail) {
                scene.requests.doubt(request, Doubt::Remedy::omit);
            }
        }
        const bool takes = course.failures[from] && course.failures[from]->receive;
        scene.srqs[1 - from].taken += scene.endpoint(1 - from, number).srq ? course.matched[from] + (takes ? 1 : 0) : 0;
    }
    return course;
}

}  // namespace ndsim::reference
