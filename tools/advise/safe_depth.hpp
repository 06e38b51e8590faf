// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "scenarios/format/scenario.hpp"

namespace ndsim::advise {

// The most completions that a completion queue of the host may ever hold: one for each request and each receive that
// may be outstanding. With this depth it cannot overrun, whenever software polls.
[[nodiscard]] std::uint64_t most_completions(const Scenario& scenario, const Host& host, std::string_view cq);

}  // namespace ndsim::advise
