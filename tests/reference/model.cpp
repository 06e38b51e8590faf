// SPDX-License-Identifier: Apache-2.0
#include "tests/reference/model.hpp"

#include <algorithm>

#include "tests/reference/model_run.hpp"

namespace ndsim::reference {

Model::Model(const Program& program) : program_(program) {
    for (std::size_t side = 0; side < kSides; ++side) {
        srqs_[side].depth = program.srq_depths[side];
        for (std::size_t i = 0; i < kSharedCqs; ++i) {
            cqs_[side]["shared" + std::to_string(i + 1)].depth = program.shared_depths[side][i];
        }
    }
}

void Model::run(std::size_t epoch) {
    begin(epoch);
    const Epoch& steps = program_.epochs[epoch];
    for (const std::size_t index : order_of(program_, steps)) {
        result_.done[epoch][index] = !steps[index].omitted && carry_out(epoch, index);
    }
    for (std::size_t i = 0; i < kConnections; ++i) {
        const Course wishes = courses_[i];
        courses_[i] = plan(i);
        courses_[i].hasty = wishes.hasty;
        courses_[i].calm = wishes.calm;
    }
    for (std::size_t side = 0; side < kSides; ++side) {
        share(side);
    }
    do {
        ending_.clear();
        solicited_.clear();
        for (std::size_t i = 0; i < kConnections; ++i) {
            settle_course(i);
        }
    } while (find_overruns());
    for (std::size_t side = 0; side < kSides; ++side) {
        check_shares(side);
    }
    if (result_.doubts.empty()) {
        carry(epoch);
    }
    notify(epoch);
    conclude();
}

void Model::begin(std::size_t epoch) {
    for (std::size_t side = 0; side < kSides; ++side) {
        SharedQueue& srq = srqs_[side];
        srq.before = srq.receives.open.size();
        srq.late = 0;
        srq.taken = 0;
        srq.contested = false;
        srq.was_waited_for = std::any_of(courses_.begin(), courses_.end(),
                                         [&](const Course& course) { return course.held[1 - side].has_value(); });
        for (auto& [name, cq] : cqs_[side]) {
            cq.armed_amid = false;
            cq.armed_at_rest.reset();
            cq.resized_at_rest.reset();
        }
    }
    courses_ = {};
    overrun_ = {};
    polled_ = {};
    touched_ = {};
    result_.done.emplace_back(program_.epochs[epoch].size(), false);
    result_.polls.emplace_back();
    // What waits for a receive goes on in this epoch, maybe.
    for (const Connection& connection : connections_) {
        for (const Queue& sends : connection.sends) {
            std::for_each(sends.open.begin(), sends.open.end(), [&](std::size_t r) { touch(step_of(r)); });
        }
    }
}

bool Model::carry_out(std::size_t epoch, std::size_t index) {
    const Step& step = program_.epochs[epoch][index];
    return step.is_setting()               ? set(index, step)
           : step.what == What::poll       ? poll(step)
           : step.what == What::disconnect ? disconnect(step)
                                           : post(epoch, index);
}

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
