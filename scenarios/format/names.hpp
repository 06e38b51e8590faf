// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include "ndapi/win/status_names.hpp"
#include "scenarios/format/program.hpp"

namespace ndsim::format {

// The flags of a send, as a program writes them, and their bits.
inline constexpr std::array<std::string_view, 5> kPostFlagNames{"inline", "silent_success", "solicit", "defer",
                                                                "read_fence"};
inline constexpr std::array<PostFlag, kPostFlagNames.size()> kPostFlags{kPostInline, kPostSilentSuccess, kPostSolicit,
                                                                        kPostDefer, kPostReadFence};

// The status of a completion, as an expectation writes it: an index of kStatusNames.
inline constexpr auto kStatusChoices = [] {
    std::array<std::string_view, kStatusNames.size()> choices;
    std::transform(kStatusNames.begin(), kStatusNames.end(), choices.begin(),
                   [](const StatusName& row) { return row.name; });
    return choices;
}();

}  // namespace ndsim::format
