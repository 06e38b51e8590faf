// SPDX-License-Identifier: Apache-2.0

#include <algorithm>

#include "tests/reference/cargo.hpp"
#include "tests/reference/execution.hpp"
#include "tests/reference/notifications.hpp"
#include "tests/reference/posts.hpp"
#include "tests/reference/sharing.hpp"

namespace ndsim::reference {

namespace {

// Model: one run over a program, epoch by epoch: what is posted and changed, how far the requests of each connection
// get, who takes the receives of a shared queue, what becomes of requests, the bytes that move, what hosts are notified
// of, and what they poll.
class Model {
public:
    explicit Model(const Program& program) : scene_(program) {}

    // As far as everything is certain.
    Prediction run();

private:
    void run(std::size_t epoch);
    void begin();
    bool carry_out(std::size_t epoch, std::size_t index);
    void conclude();
    void conclude(Queue& queue) const;

    Scene scene_;
    Outcomes outcomes_{scene_};
    Completions completions_{scene_, outcomes_};
    Notifications notifications_{scene_, completions_, outcomes_};
    Posts posts_{scene_, completions_};
    Cargo cargo_{scene_};
    Prediction result_;
};

Prediction Model::run() {
    for (std::size_t epoch = 0; epoch < scene_.program.epochs.size() && scene_.requests.doubts().empty(); ++epoch) {
        run(epoch);
    }
    for (std::uint8_t i = 0; i < kConnections; ++i) {
        if (scene_.courses[i].held[0] || scene_.courses[i].held[1]) {
            result_.held.push_back(i);
        }
    }
    for (std::size_t side = 0; side < kSides; ++side) {
        result_.refused[side] = posts_.refused(side) + notifications_.refused(side);
    }
    result_.requests = std::move(scene_.requests.all());
    result_.doubts = std::move(scene_.requests.doubts());
    result_.completions = completions_.totals();
    result_.overruns = completions_.overruns();
    result_.notified = notifications_.notified();
    result_.memory = cargo_.bytes();
    return std::move(result_);
}

void Model::run(std::size_t epoch) {
    begin();
    const Epoch& steps = scene_.program.epochs[epoch];
    std::vector<bool>& done = result_.done.emplace_back(steps.size(), false);
    for (const std::size_t index : order_of(scene_.program, steps)) {
        done[index] = !steps[index].omitted && carry_out(epoch, index);
    }
    for (std::size_t i = 0; i < kConnections; ++i) {
        const Course wishes = scene_.courses[i];
        scene_.courses[i] = plan(scene_, i);
        scene_.courses[i].hasty = wishes.hasty;
        scene_.courses[i].calm = wishes.calm;
    }
    for (std::size_t side = 0; side < kSides; ++side) {
        share(scene_, side);
    }
    do {
        outcomes_.settle();
    } while (completions_.find_overruns());
    for (std::size_t side = 0; side < kSides; ++side) {
        if (auto contest = check_shares(scene_, side)) {
            result_.contests.push_back(*std::move(contest));
        }
    }
    if (scene_.requests.doubts().empty()) {
        cargo_.carry(epoch);
    }
    notifications_.notify(steps, done);
    std::array<Polls, kSides>& polls = result_.polls.emplace_back();
    for (std::size_t side = 0; side < kSides; ++side) {
        polls[side].waits = notifications_.waits(side);
    }
    completions_.conclude(epoch, polls);
    conclude();
}

void Model::begin() {
    for (std::size_t side = 0; side < kSides; ++side) {
        SharedQueue& srq = scene_.srqs[side];
        srq.late = 0;
        srq.taken = 0;
        srq.contested = false;
        srq.was_waited_for = std::any_of(scene_.courses.begin(), scene_.courses.end(),
                                         [&](const Course& course) { return course.held[1 - side].has_value(); });
    }
    scene_.courses = {};
    completions_.begin();
    notifications_.begin();
    posts_.begin();
}

bool Model::carry_out(std::size_t epoch, std::size_t index) {
    const Step& step = scene_.program.epochs[epoch][index];
    return step.is_setting()               ? notifications_.set(index, step)
           : step.what == What::poll       ? posts_.poll(step)
           : step.what == What::disconnect ? posts_.disconnect(step)
                                           : posts_.post(epoch, index);
}

void Model::conclude() {
    for (const std::size_t ending : outcomes_.ending()) {
        cargo_.forget(ending);
    }
    for (SharedQueue& srq : scene_.srqs) {
        conclude(srq.receives);
    }
    for (std::size_t i = 0; i < kConnections; ++i) {
        Connection& connection = scene_.connections[i];
        const Course& course = scene_.courses[i];
        for (std::size_t side = 0; side < kSides; ++side) {
            conclude(connection.sends[side]);
            conclude(connection.receives[side]);
        }
        connection.objects = course.objects;
        if (course.hasty || course.calm) {
            connection.state = State::ended;
        } else if (course.breaks() && connection.state == State::alive) {
            connection.state = State::lost;
        }
    }
}

// What has ended leaves its queue. A slot is free once the completion of its request, or of a later one, was polled
// [K56, K58].
void Model::conclude(Queue& queue) const {
    const auto is_open = [&](std::size_t r) { return scene_.requests[r].fates == kPending; };
    const auto announced_end = queue.open.begin() + static_cast<std::ptrdiff_t>(queue.announced);
    queue.announced = static_cast<std::size_t>(std::count_if(queue.open.begin(), announced_end, is_open));
    std::erase_if(queue.open, [&](std::size_t r) { return !is_open(r); });
    const auto polled = [&](std::size_t r) {
        return !is_open(r) && !(scene_.requests[r].silent && scene_.requests[r].fates == kSucceeds);
    };
    const auto last = std::find_if(queue.slots.rbegin(), queue.slots.rend(), polled);
    queue.slots.erase(queue.slots.begin(), last.base());
}

}  // namespace

Prediction predict(const Program& program) {
    return Model(program).run();
}

namespace {

void settle(Step& step, Doubt::Remedy remedy) {
    switch (remedy) {
        case Doubt::Remedy::announce:
            step.silent = false;
            step.defer = false;
            break;
        case Doubt::Remedy::fence:
            step.fence = true;
            break;
        case Doubt::Remedy::omit:
            step.omitted = true;
            break;
    }
}

}  // namespace

Program settle(Program program) {
    for (;;) {
        const Prediction prediction = predict(program);
        for (const Doubt& doubt : prediction.doubts) {
            settle(program.epochs[doubt.epoch][doubt.step], doubt.remedy);
        }
        if (!prediction.doubts.empty()) {
            continue;
        }
        if (prediction.held.empty()) {
            return program;
        }
        Epoch& end = program.epochs.emplace_back();
        for (const std::uint8_t connection : prediction.held) {
            Step& step = end.emplace_back();
            step.what = What::disconnect;
            step.connection = connection;
        }
    }
}

}  // namespace ndsim::reference
