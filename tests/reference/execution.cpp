// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <utility>

#include "tests/reference/model_run.hpp"

// How far the announced requests of a connection get, and what they do to keys.
namespace ndsim::reference {

Course Model::plan(const Connection& connection) {
    Course course;
    course.objects = connection.objects;
    if (connection.state == State::alive) {
        for (std::size_t from = 0; from < kSides; ++from) {
            course.failures[from] = plan(connection, from, course);
        }
    }
    return course;
}

// Goes through the requests of one direction in order [K49, K101].
std::optional<Failure> Model::plan(const Connection& connection, std::size_t from, Course& course) {
    const Queue& sends = connection.sends[from];
    for (std::size_t i = 0; i < sends.announced; ++i) {
        const Step& step = step_of(sends.open[i]);
        if (step.is_send()) {
            if (const auto failure = plan_send(step, i, connection.receives[1 - from], from, course)) {
                return failure;
            }
            ++course.matched[from];
        } else if (step.is_local()) {
            if (!change(step, course.objects[from][static_cast<std::size_t>(step.target) - 1])) {
                return Failure{i, documented_or("invalid_device_request", "internal_error"), {}, {}, false};
            }
        } else if (step.length() != 0) {  // an empty one is not checked [K146]
            const std::optional<std::uint32_t> at = address(step, course);
            if (!at) {
                return Failure{i, documented_or("remote_resources", "access_violation"), {}, {}, false};
            }
            remote_[sends.open[i]] = *at;
        }
    }
    return std::nullopt;
}

std::optional<Failure> Model::plan_send(const Step& step, std::size_t i, const Queue& receives, std::size_t from,
                                        Course& course) const {
    const std::size_t next = course.matched[from];
    if (next == receives.open.size()) {
        return Failure{i, "io_timeout", {}, {}, false};  // [K104]
    }
    if (step.length() > step_of(receives.open[next]).length()) {
        return Failure{i, documented_or("remote_resources", "data_error"), next,
                       documented_or("buffer_overflow", "data_overrun"), false};  // [K102]
    }
    if (step.what == What::send_and_invalidate) {
        Object& object = course.objects[1 - from][static_cast<std::size_t>(step.target) - 1];
        if (!std::exchange(object.valid, false)) {
            // The peer's NIC says nothing [K113].
            return Failure{i, documented_or("remote_resources", "io_timeout"), next,
                           documented_or("invalid_device_request", "data_error"), true};
        }
    }
    return std::nullopt;
}

// Opens what is free, or frees what is open [K112, K128, K133]; false if it cannot.
bool Model::change(const Step& step, Object& object) const {
    if (object.valid == (step.what == What::open)) {
        return false;
    }
    object =
        step.what == What::open ? Object{true, step.pieces.front(), step.remote_read, step.remote_write} : Object{};
    return true;
}

// Where in the peer's memory a write or read goes; nothing if the peer refuses it [K132, K139].
std::optional<std::uint32_t> Model::address(const Step& step, const Course& course) const {
    const std::uint64_t end = step.to + step.length();
    if (step.target == Target::memory) {
        return end <= kMemory ? std::optional{step.to} : std::nullopt;
    }
    const Object& object = course.objects[1U - step.side][static_cast<std::size_t>(step.target) - 1];
    const bool right = step.what == What::read ? object.remote_read : object.remote_write;
    return object.valid && right && end <= object.span.size ? std::optional{object.span.offset + step.to}
                                                            : std::nullopt;
}

}  // namespace ndsim::reference
