// SPDX-License-Identifier: Apache-2.0
#include "tests/reference/model.hpp"

#include "tests/reference/model_run.hpp"

namespace ndsim::reference {

void Model::run(std::size_t epoch) {
    courses_ = {};
    overrun_ = {};
    polled_ = {};
    touched_ = {};
    const Epoch& steps = program_.epochs[epoch];
    result_.done.emplace_back(steps.size(), false);
    for (const std::size_t index : order_of(program_, steps)) {
        const Step& step = steps[index];
        result_.done[epoch][index] = step.what == What::poll         ? poll(step)
                                     : step.what == What::disconnect ? disconnect(step)
                                                                     : post(epoch, index);
    }
    ending_.clear();
    for (std::size_t i = 0; i < kConnections; ++i) {
        const Course wishes = courses_[i];
        courses_[i] = plan(connections_[i]);
        courses_[i].hasty = wishes.hasty;
        courses_[i].calm = wishes.calm;
    }
    do {
        ending_.clear();
        for (std::size_t i = 0; i < kConnections; ++i) {
            settle_course(i);
        }
    } while (find_overruns());
    carry(epoch);
    conclude();
}

Prediction predict(const Program& program) {
    return Model(program).run();
}

Program settle(Program program) {
    for (Prediction prediction = predict(program); !prediction.doubts.empty(); prediction = predict(program)) {
        for (const Doubt& doubt : prediction.doubts) {
            Step& step = program.epochs[doubt.epoch][doubt.step];
            step.silent = false;
            step.defer = false;
        }
    }
    return program;
}

}  // namespace ndsim::reference
