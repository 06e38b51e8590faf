// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace ndsim::report {

// The colour of a cell at this share between the lowest and the highest value: from white to dark blue, in equal steps
// of lightness, so that it also works in grey.
[[nodiscard]] std::string map_colour(double share);
// The contrast of two colours (#rrggbb) by WCAG 2: from 1 to 21.
[[nodiscard]] double contrast(std::string_view one, std::string_view other);
// Black or white, whichever stands out more on this ground: always by 4.5 at least.
[[nodiscard]] std::string_view ink_on(std::string_view ground);

}  // namespace ndsim::report
