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

// Programs: the programs of `ndsim exec`: which host runs what, what they print and how they ended.
class Programs {
public:
    // Each command is HOST=FILE ARGUMENTS, of a host of the scenario. Throws UsageError.
    Programs(const std::vector<std::string>& commands, const Scenario& scenario);

    // Has the run carry them out. What they print goes to files of the folder, output-HOST.txt, and if `shown`, line by
    // line, to stdout and stderr.
    void give_to(RunOptions& options, const RunFolder& folder, bool shown);
    // Lines that have no end yet are shown.
    void finish_lines();

    [[nodiscard]] bool all_succeeded() const;
    // How those ended that did not return 0.
    [[nodiscard]] std::string failures() const;
    // {host: {file, exit_code}}; no exit code for one that has not ended.
    [[nodiscard]] nlohmann::ordered_json to_json() const;

private:
    struct Program {
        explicit Program(ProgramFile program_file) : file(std::move(program_file)) {}

        ProgramFile file;
        std::optional<int> exit_code;
        std::ofstream output;
        std::string lines[2];  // begun, of stdout and stderr
    };

    void add(const std::string& command, const Scenario& scenario);
    void show(std::string_view host, int stream, std::string& line, std::string_view text) const;

    std::map<std::string, Program, std::less<>> programs_;  // by host
};

}  // namespace ndsim::cli
