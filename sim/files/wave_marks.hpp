// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sim/base/units.hpp"

namespace ndsim {

// A moment of which the view has a named marker.
struct WaveMark {
    Picoseconds at{};
    std::string name;
};

// The names under which GTKWave shows marks that stand in the order of their times, where a pixel is `per_pixel`
// picoseconds. GTKWave centres a name on its mark. Names that would overlap stand together at the first of their marks,
// and the others of them have a blank; of more than four names the first and the last are written.
[[nodiscard]] std::vector<std::string> mark_names(std::span<const WaveMark> marks, double per_pixel);

}  // namespace ndsim
