// SPDX-License-Identifier: Apache-2.0
#include "tools/advise/trial_text.hpp"

#include <fmt/format.h>

#include <array>
#include <string_view>

#include "sim/config/quantity.hpp"
#include "tools/cli/figures.hpp"

namespace ndsim::advise {

std::string heading(const std::string& text, const cli::Paint& paint) {
    return "\n" + paint.strong(text) + "\n";
}

std::string limits_of(const Trial& trial) {
    if (trial.limits.empty()) {
        return "nothing in particular";
    }
    const Limit& first = trial.limits.front();
    return first.parameter.empty() ? first.what
                                   : fmt::format("{} ({} = {}{})", first.what, first.parameter, first.value,
                                                 first.is_assumed ? ", assumed" : "");
}

std::string found_in(const Trial& trial) {
    return trial.judgement.found.empty() ? trial.judgement.why : trial.judgement.found.front();
}

std::string verdict_of(const Trial& trial) {
    constexpr std::array<std::string_view, 3> kWords{"holds", "fails", "open"};
    return std::string(kWords.at(static_cast<std::size_t>(trial.judgement.verdict)));
}

std::string longest_of(const Trial& trial) {
    return trial.times > 1 ? fmt::format("in a run {} times as long, too", trial.times)
                           : "in a run that cannot be made longer";
}

std::string reached_text(const Trial& trial) {
    return trial.is_open() ? fmt::format("{}, not decided {}", found_in(trial), longest_of(trial)) : found_in(trial);
}

std::string bytes(std::uint64_t count) {
    return cli::rounded(to_text(Quantity::size, count));
}

}  // namespace ndsim::advise
