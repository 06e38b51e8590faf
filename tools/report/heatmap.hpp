// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tools/report/swept.hpp"

namespace ndsim::report {

// For a sweep of two axes or more: its metrics as coloured tables, over the two axes with the most values. HTML, empty
// for one axis.
[[nodiscard]] std::string heatmap_chapter(const Swept& swept);

}  // namespace ndsim::report
