// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/App.hpp>
#include <string>
#include <vector>

namespace ndsim::cli {

// What manual and completion say of the command comes from the options themselves, so it cannot be out of date.

// The commands below this one, in the order of its help.
[[nodiscard]] std::vector<const CLI::App*> commands_of(const CLI::App& app);
// Its options and flags, --help among them, without what stands in no particular place.
[[nodiscard]] std::vector<const CLI::Option*> options_of(const CLI::App& app);

[[nodiscard]] std::string bash_completion(const CLI::App& app);
[[nodiscard]] std::string zsh_completion(const CLI::App& app);
// In the notation of man(7).
[[nodiscard]] std::string manual(const CLI::App& app);

}  // namespace ndsim::cli
