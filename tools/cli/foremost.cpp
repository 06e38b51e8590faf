// SPDX-License-Identifier: Apache-2.0
#include "tools/cli/foremost.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace ndsim::cli {

std::vector<std::size_t> foremost(const std::vector<std::uint64_t>& values, std::size_t most) {
    std::vector<std::size_t> places(values.size());
    std::iota(places.begin(), places.end(), std::size_t{0});
    std::ranges::stable_sort(places, std::ranges::greater{}, [&](std::size_t place) { return values[place]; });
    places.resize(std::min(places.size(), most));
    std::ranges::sort(places);
    return places;
}

std::string others_below(std::size_t all, std::size_t shown, std::string_view what) {
    return shown < all ? fmt::format("  and {} {}, in result.json\n", all - shown, what) : "";
}

}  // namespace ndsim::cli
