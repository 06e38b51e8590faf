// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "scenarios/engine/metrics.hpp"
#include "scenarios/engine/recorder.hpp"
#include "scenarios/format/scenario.hpp"

namespace ndsim {

// One expectation and what came of it.
struct Verdict {
    bool met = false;
    std::string what;   // what was expected, in words
    std::string found;  // what was found
    Position at;
    std::string path;
};

// What expectations are held against.
struct Evidence {
    const Metrics& metrics;
    const Recorder& recorder;
    // The bytes of "A.tx".
    std::function<std::span<const std::byte>(const std::string&)> memory;
};

[[nodiscard]] std::vector<Verdict> judge(const std::vector<Expectation>& expectations, const Evidence& evidence);

}  // namespace ndsim
