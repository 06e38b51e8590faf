// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sim/config/problems.hpp"

namespace ndsim {

// One expectation and what came of it.
struct Verdict {
    bool met = false;
    std::string what;   // what was expected, in words
    std::string found;  // what was found
    Position at;
    std::string path;
};

}  // namespace ndsim
