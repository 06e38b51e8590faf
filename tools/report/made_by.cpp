// SPDX-License-Identifier: Apache-2.0
#include "tools/report/made_by.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "sim/base/text.hpp"
#include "tools/cli/output.hpp"
#include "tools/report/html.hpp"

namespace ndsim::report {

namespace {

// The parameters that are not those of the preset, folded.
std::string changed_html(const SettingsByPath& settings) {
    TableOf table{{"parameter", ">value", "set by"}, {}};
    for (const auto& [path, setting] : settings) {
        if (setting.origin != "preset" && setting.origin != "default") {
            table.rows.push_back({path, setting.value, setting.origin});
        }
    }
    return table.rows.empty() ? ""
                              : fmt::format(
                                    "<details><summary>{} parameter{} set by the scenario or the command line"
                                    "</summary>\n{}</details>\n",
                                    table.rows.size(), table.rows.size() == 1 ? "" : "s", html_of(table));
}

}  // namespace

SettingsByPath by_path(const std::vector<Setting>& settings) {
    SettingsByPath all;
    for (const Setting& setting : settings) {
        all[setting.path] = {setting.value, std::string(word(setting.origin))};
    }
    return all;
}

// As --host takes it.
std::string quoted_if_needed(const std::string& argument) {
    return argument.empty() || argument.find(' ') != std::string::npos ? '"' + argument + '"' : argument;
}

std::vector<std::string> command_of(const inspect::RecordedRun& run) {
    std::vector<std::string> words{"ndsim", "run", run.file};
    if (const auto programs = run.whole.find("programs"); programs != run.whole.end()) {
        for (const auto& [host, program] : programs->items()) {
            if (!program.contains("file") || !program.contains("arguments")) {
                return {};
            }
            words[1] = "exec";
            std::string command = program.at("file").get<std::string>();
            for (const auto& argument : program.at("arguments")) {
                command += " " + quoted_if_needed(argument.get<std::string>());
            }
            words.insert(words.end(), {"--host", fmt::format("{}={}", host, command)});
        }
    }
    for (const std::string& override : run.overrides) {
        words.insert(words.end(), {"--set", override});
    }
    return words;
}

std::string command_line(const std::vector<std::string>& words) {
    std::vector<std::string> quoted;
    std::ranges::transform(words, std::back_inserter(quoted), cli::in_shell);
    return join(quoted, " ");
}

std::string presets_text(const SettingsByPath& settings) {
    std::set<std::string> presets;
    for (const auto& [path, setting] : settings) {
        if (path.starts_with("hosts.") && path.ends_with(".preset")) {
            presets.insert(setting.value);
        }
    }
    return presets.empty() ? ""
                           : fmt::format("preset{} {}", presets.size() > 1 ? "s" : "", fmt::join(presets, " and "));
}

std::string made_by_html(const MadeBy& made) {
    const std::string command =
        made.command.empty() ? "" : ": <code>" + escaped(command_line(made.command)) + "</code>";
    return fmt::format("<p class=\"made-by\">ndsim {}{}</p>\n{}", escaped(made.version), command,
                       changed_html(made.settings));
}

}  // namespace ndsim::report
