// SPDX-License-Identifier: Apache-2.0
#include "tools/cli/command.hpp"

#include <CLI/CLI.hpp>  // all of it once, for users that add a command without a main program

#include <iostream>
#include <iterator>

#include "tools/cli/library.hpp"

namespace ndsim::cli {

CLI::Validator not_empty() {
    return {[](const std::string& text) { return text.empty() ? std::string("is an empty text") : std::string(); }, ""};
}

CLI::Option* add_list(CLI::App& command, const std::string& name, std::vector<std::string>& values,
                      const std::string& type, const std::string& sentence) {
    return command.add_option(name, values, sentence)->type_name(type)->allow_extra_args(false)->take_all();
}

void add_scenario_arguments(CLI::App& command, ScenarioArguments& arguments) {
    command
        .add_option("FILE", arguments.file,
                    "Scenario file, the name of a library scenario, such as quickstart, or - for stdin")
        ->required()
        ->option_text(" ")
        ->check(not_empty())
        ->transform(CLI::Validator(
            [&arguments](std::string& name) {
                if (name == "-") {
                    name = kStdin;
                    arguments.text = std::string(std::istreambuf_iterator(std::cin), {});
                } else {
                    name = scenario_file(name);
                }
                return std::string();
            },
            ""));
    add_list(command, "--set", arguments.overrides, "PATH=VALUE",
             "Override a value of FILE, such as traffic.stream.window=1 or nic.sq.depth=64 (for all hosts); may "
             "be given several times");
    add_list(command, "--preset", arguments.presets, "PRESET",
             "A file of values, such as ndsim calibrate writes; they apply where neither FILE nor --set sets a "
             "value; may be given several times")
        ->check(not_empty());
}

void add_folder_and_jobs(CLI::App& command, std::string& folder, const std::string& result, unsigned& jobs,
                         const std::string& what) {
    command.add_option("--out", folder, "Folder for the results (default: out/<name of the file>-" + result + ")")
        ->type_name("DIR")
        ->check(not_empty());
    command.add_option("-j,--jobs", jobs, what + " at the same time (default: one for each core)")
        ->type_name("N")
        ->check(CLI::Range(1U, 4096U));
}

}  // namespace ndsim::cli
