// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/reference/model.hpp"

namespace ndsim::reference {

// The program as a scenario file, with what the model is sure of as expectations.
[[nodiscard]] std::string scenario_text(const Program& program, const Prediction& prediction, const std::string& about);

// Where in the buffer "mem" a host's memory begins. The buffer holds a running counter, so no two words of the two
// memories are alike.
[[nodiscard]] constexpr std::uint32_t memory_at(std::size_t side) {
    return static_cast<std::uint32_t>(side) * kMemory;
}

}  // namespace ndsim::reference
