// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/App.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tools/cli/failure.hpp"

namespace ndsim::cli {

// The words without "--". Those behind it are no options: "./" goes before their "-".
[[nodiscard]] std::vector<std::string> without_mark(std::span<char* const> words);

// A first word that is no sub-command. CLI11 would report a surplus argument.
[[nodiscard]] std::optional<std::string> unknown_command(const CLI::App& app, const std::vector<std::string>& words);

// The message about a word that names no command of `app`.
[[nodiscard]] std::string no_command(const CLI::App& app, const std::string& word);

// The error of a command line, parsed as far as possible, and which help to read.
[[nodiscard]] Failure usage_failure(const CLI::App& app, const CLI::ParseError& error);

}  // namespace ndsim::cli
