// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

#include "tools/report/ladder.hpp"
#include "tools/report/svg.hpp"

namespace ndsim::report {

// The look of a message's arrow.
struct Look {
    std::string_view colour;
    double width;
    bool strong;
    std::string_view head;
};
[[nodiscard]] std::span<const Look> all_looks();
[[nodiscard]] const Look& look_of(const LadderMessage& message);

// What the colours mean; it begins a new line where the width ends.
void draw_ladder_legend(Svg& svg, Point from, double width);

}  // namespace ndsim::report
