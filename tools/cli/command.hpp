// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/App.hpp>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tools/cli/exit_code.hpp"

namespace ndsim::cli {

// The action of the command line, set by the sub-command that it names.
struct Chosen {
    std::function<ExitCode()> action;
    bool json = false;  // one envelope on stdout, even for errors
};

struct ScenarioArguments;
struct LimitProofs;
struct ErrorBars;

// Each adds its sub-command with its options. `prove` serves --prove-limits, `find_bars` --error-bars.
void add_run(CLI::App& app, Chosen& chosen, std::function<LimitProofs(const ScenarioArguments&, bool quiet)> prove,
             std::function<ErrorBars(const ScenarioArguments&, bool quiet)> find_bars);
void add_exec(CLI::App& app, Chosen& chosen);
void add_check(CLI::App& app, Chosen& chosen);
void add_metrics(CLI::App& app, Chosen& chosen);
void add_presets(CLI::App& app, Chosen& chosen);
void add_schema(CLI::App& app, Chosen& chosen);
void add_new(CLI::App& app, Chosen& chosen);
void add_version(CLI::App& app, Chosen& chosen);
// These describe all commands of `app`, even those added later.
void add_help(CLI::App& app, Chosen& chosen);
void add_completion(CLI::App& app, Chosen& chosen);
void add_manual(CLI::App& app, Chosen& chosen);

inline constexpr std::string_view kStdin = "stdin";  // the name of a scenario that comes from there

// FILE, which may be the name of a scenario of the library or - for stdin, --set, and --preset, which several
// sub-commands have.
struct ScenarioArguments {
    std::string file;
    std::vector<std::string> overrides;
    std::vector<std::string> presets{};  // files
    std::size_t from_presets = 0;        // number of first overrides that come from preset files
    std::optional<std::string> text{};   // stdin, which is read once

    // The same scenario with these overrides, too.
    [[nodiscard]] ScenarioArguments and_also(const std::vector<std::string>& more) const {
        ScenarioArguments all = *this;
        all.overrides.insert(all.overrides.end(), more.begin(), more.end());
        return all;
    }
    // The same scenario with only these overrides.
    [[nodiscard]] ScenarioArguments with(std::vector<std::string> others) const {
        return {file, std::move(others), {}, 0, text};
    }
};
// Refuses an empty text as the name of a file or a folder.
[[nodiscard]] CLI::Validator not_empty();
// An option that may be given several times, with one value each.
CLI::Option* add_list(CLI::App& command, const std::string& name, std::vector<std::string>& values,
                      const std::string& type, const std::string& sentence);
void add_scenario_arguments(CLI::App& command, ScenarioArguments& arguments);
// --out and --jobs of a sub-command that simulates many times. `result` ends the folder's usual name, and `what` are
// run at the same time.
void add_folder_and_jobs(CLI::App& command, std::string& folder, const std::string& result, unsigned& jobs,
                         const std::string& what);

[[nodiscard]] std::string version_line();

}  // namespace ndsim::cli
