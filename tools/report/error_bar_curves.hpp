// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace ndsim::report {

// The figures of a sensitivity's sweep (`--vary`), with the ranges that estimates leave: for each figure a curve and
// its ends over the parameter, if only one parameter varies and its values are numbers; then a table of all points.
// HTML; empty without a sweep. Takes the content of sensitivity.json.
[[nodiscard]] std::string error_bars_chapter(const nlohmann::ordered_json& study);

}  // namespace ndsim::report
