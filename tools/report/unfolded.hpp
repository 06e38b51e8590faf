// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "tools/report/swept.hpp"

namespace ndsim::report {

// A sweep whose one axis varies two parameters together, at several values of one for the same value of the other, as
// a grid of two axes: so each value of the one has a curve over the other. Combinations that were not run have no
// figures. None: the sweep is not such a one, or the second parameter's values are not rising numbers.
[[nodiscard]] std::optional<Swept> unfolded(const Swept& swept);

}  // namespace ndsim::report
