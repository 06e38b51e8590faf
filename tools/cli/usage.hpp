// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/App.hpp>
#include <optional>
#include <span>
#include <string>

#include "tools/cli/failure.hpp"

namespace ndsim::cli {

// A first word that is no sub-command. CLI11 would speak of a surplus argument.
[[nodiscard]] std::optional<std::string> unknown_command(const CLI::App& app, std::span<char* const> words);

// What is said of a word that names no command of `app`.
[[nodiscard]] std::string no_command(const CLI::App& app, const std::string& word);

// What a command line got wrong, once it has been parsed as far as it goes, and which help to read.
[[nodiscard]] Failure usage_failure(const CLI::App& app, const CLI::ParseError& error);

}  // namespace ndsim::cli
