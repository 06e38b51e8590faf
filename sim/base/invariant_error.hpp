// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>

#include "sim/base/units.hpp"

namespace ndsim {

// Our own code broke a promise: which unit, and when. The command ends with exit code 4.
class InvariantError : public std::logic_error {
public:
    InvariantError(const std::string& unit, Picoseconds at, const std::string& what)
        : std::logic_error(unit + " at " + std::to_string(at.count()) + " ps: " + what) {}
};

}  // namespace ndsim
