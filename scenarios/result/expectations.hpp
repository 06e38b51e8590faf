// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "scenarios/format/scenario.hpp"
#include "scenarios/measure/metrics.hpp"
#include "scenarios/record/recorder.hpp"
#include "scenarios/result/verdict.hpp"

namespace ndsim {

// The facts that expectations are checked against.
struct Evidence {
    const Metrics& metrics;
    const Recorder& recorder;
    // The bytes of "A.tx".
    std::function<std::span<const std::byte>(const std::string&)> memory;
};

[[nodiscard]] std::vector<Verdict> judge(const std::vector<Expectation>& expectations, const Evidence& evidence);

}  // namespace ndsim
