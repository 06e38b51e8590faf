// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "tools/advise/search.hpp"
#include "tools/cli/output.hpp"

// Trials and depths in words.
namespace ndsim::advise {

[[nodiscard]] std::string heading(const std::string& text, const cli::Paint& paint);
// The first limits.
[[nodiscard]] std::string limits_of(const Trial& trial);
// The figure that decides.
[[nodiscard]] std::string found_in(const Trial& trial);
// The same, and the length of the run that did not decide, if none did.
[[nodiscard]] std::string reached_text(const Trial& trial);
// "in a run 4 times as long, too", for an open trial.
[[nodiscard]] std::string longest_of(const Trial& trial);
[[nodiscard]] std::string verdict_of(const Trial& trial);  // holds, fails, open
[[nodiscard]] std::string bytes(std::uint64_t count);

}  // namespace ndsim::advise
