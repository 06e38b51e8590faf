// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tools/report/swept.hpp"

namespace ndsim::report {

// Of a sweep of two axes or more: its metrics as tables of colours, over the two with the most values. HTML, empty of
// one axis.
[[nodiscard]] std::string heatmap_chapter(const Swept& swept);

}  // namespace ndsim::report
