// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fstream>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/hosts/program_file.hpp"
#include "scenarios/run/run.hpp"
#include "tools/cli/run_folder.hpp"

namespace ndsim::cli {

// Programs: the programs of `ndsim exec`: their hosts, their output and their ends.
class Programs {
public:
    // Each command is HOST=FILE ARGUMENTS, for a host of the scenario. Throws UsageError.
    Programs(const std::vector<std::string>& commands, const Scenario& scenario);

    // Gives them to the run. Their output goes to files of the folder, output-HOST.txt, and if `shown`, line by line,
    // to stdout and stderr.
    void give_to(RunOptions& options, const RunFolder& folder, bool shown);
    // Prints unfinished lines.
    void finish_lines();

    [[nodiscard]] bool all_succeeded() const;
    // The ends of programs that did not return 0.
    [[nodiscard]] std::string failures() const;
    // {host: {file, arguments, exit_code}}; no exit code for an unfinished one.
    [[nodiscard]] nlohmann::ordered_json to_json() const;

private:
    // A program and its output.
    struct Program {
        explicit Program(ProgramFile program_file) : file(std::move(program_file)) {}

        ProgramFile file;
        std::optional<int> exit_code;
        std::ofstream output;
        std::string lines[2];  // unfinished ones, of stdout and stderr
    };

    void add(const std::string& command, const Scenario& scenario);
    void show(std::string_view host, int stream, std::string& line, std::string_view text) const;

    std::map<std::string, Program, std::less<>> programs_;  // by host
};

}  // namespace ndsim::cli
