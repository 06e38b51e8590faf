// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "tools/advise/dimension.hpp"
#include "tools/advise/search.hpp"

namespace ndsim::advise {

// Makes the most generous depths generous enough. While the run with all of them misses its targets, the send or
// receive queue that limits it is doubled, or all of them if none does by name, or if that one brings nothing.
// Doublings that bring nothing are taken back. `accepts` says whether the scenario may have a depth.
void enlarge(std::vector<Dimension>& dimensions,
             const std::function<bool(const Dimension& dimension, std::uint64_t depth)>& accepts,
             const std::function<Trial()>& try_generous);

}  // namespace ndsim::advise
