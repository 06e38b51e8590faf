// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "scenarios/result/settings.hpp"
#include "tools/inspect/recorded_run.hpp"

namespace ndsim::report {

using SettingsByPath = std::map<std::string, inspect::RecordedSetting>;

// What made the results of a page.
struct MadeBy {
    std::string version;
    std::vector<std::string> command;  // its words; may be empty
    SettingsByPath settings;
};

[[nodiscard]] SettingsByPath by_path(const std::vector<Setting>& settings);
// The command that makes this run again; empty for a run that a program of the user's made.
[[nodiscard]] std::vector<std::string> command_of(const inspect::RecordedRun& run);
// As a shell takes it.
[[nodiscard]] std::string command_line(const std::vector<std::string>& words);

// "preset B", "presets A and B"; empty if none is known.
[[nodiscard]] std::string presets_text(const SettingsByPath& settings);
// The version, the command, and the parameters that are not those of the preset, folded. HTML.
[[nodiscard]] std::string made_by_html(const MadeBy& made);

}  // namespace ndsim::report
