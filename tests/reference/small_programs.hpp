// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/reference/compare.hpp"
#include "tests/support/catch.hpp"

// For small programs: what the model says of them is written in the tests from the rules, and the simulator has to do
// the same. A sends and B receives.
namespace ndsim::reference {

inline Step send(std::uint32_t size) {
    Step step;
    step.pieces = {{0, size}};
    return step;
}
inline Step receive(std::uint32_t size) {
    Step step;
    step.what = What::receive;
    step.side = 1;
    step.pieces = {{1000, size}};
    return step;
}
inline Step write(std::uint32_t size, std::uint32_t to) {
    Step step = send(size);
    step.what = What::write;
    step.to = to;
    return step;
}
inline Step disconnect() {
    Step step;
    step.what = What::disconnect;
    return step;
}
inline Step deferred(Step step) {
    step.defer = true;
    return step;
}
inline Step silent(Step step) {
    step.silent = true;
    return step;
}

// The fates of all requests, receives of an epoch first.
inline std::vector<int> fates(const Prediction& prediction) {
    std::vector<int> list;
    for (const Request& request : prediction.requests) {
        list.push_back(request.fates);
    }
    return list;
}

inline void agree(const Program& program, const std::vector<int>& expected) {
    const Prediction prediction = predict(program);
    CHECK(fates(prediction) == expected);
    CHECK(prediction.doubts.empty());
    CHECK(differences(program, prediction) == "");
}

}  // namespace ndsim::reference
