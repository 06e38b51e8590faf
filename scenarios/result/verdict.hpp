// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sim/config/problems.hpp"

namespace ndsim {

// An expectation and its outcome.
struct Verdict {
    bool met = false;
    std::string what;   // the expectation, in words
    std::string found;  // what was found
    Position at;
    std::string path;
};

}  // namespace ndsim
