// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "sim/base/text.hpp"

namespace ndsim {

// The number of characters to insert, remove, replace or swap with their neighbour to turn `a` into `b`
// (Damerau-Levenshtein; no part is edited twice).
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b);

// The probable meaning of a mistyped `name`: the first candidate with the fewest edits, if these are at most a third of
// the name's length, or one. Case does not count.
template <class Names>
[[nodiscard]] std::optional<std::string> nearest(std::string_view name, const Names& candidates) {
    const std::string wanted = lower_case(name);
    std::size_t best = std::max<std::size_t>(1, name.size() / 3);
    std::optional<std::string> found;
    for (const auto& candidate : candidates) {
        const std::size_t distance = edit_distance(wanted, lower_case(candidate));
        if (distance < best || (distance == best && !found)) {
            best = distance;
            found = std::string(candidate);
        }
    }
    return found;
}

}  // namespace ndsim
