// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/App.hpp>
#include <string>
#include <vector>

namespace ndsim::cli {

// Manual and completion take their texts from the options themselves, so they cannot be out of date.

// The commands below this one, in the order of its help.
[[nodiscard]] std::vector<const CLI::App*> commands_of(const CLI::App& app);
// Its options and flags, --help among them, without positional arguments.
[[nodiscard]] std::vector<const CLI::Option*> options_of(const CLI::App& app);

[[nodiscard]] std::string bash_completion(const CLI::App& app);
[[nodiscard]] std::string zsh_completion(const CLI::App& app);
// In the notation of man(7).
[[nodiscard]] std::string manual(const CLI::App& app);

}  // namespace ndsim::cli
