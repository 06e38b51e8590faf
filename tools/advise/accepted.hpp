// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "tools/advise/dimension.hpp"
#include "tools/cli/loaded.hpp"

namespace ndsim::advise {

// Narrows the range of a dimension to the values around the scenario's own that `accepts` accepts.
void narrow(Dimension& dimension, const std::function<bool(std::uint64_t)>& accepts);

// Narrows all of them to what the scenario can have: a buffer without room for what comes after a pause frame is
// refused. UsageError: one takes only some values, such as powers of two.
void narrow_to_accepted(std::vector<Dimension>& dimensions, const cli::ScenarioArguments& arguments);

}  // namespace ndsim::advise
