// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "scenarios/format/scenario.hpp"
#include "scenarios/result/run_result.hpp"
#include "scenarios/run/run_options.hpp"

namespace ndsim {

// The files of a run's folder. A run removes those of an earlier one, and of nobody else.
inline constexpr std::array<std::string_view, 9> kRunOutputs{
    "result.json",   "completions.csv",  "waves.vcd",   "waves.gtkw",        "packets.pcapng",
    "timeline.json", "timeline.json.gz", "report.html", "report-beside.html"};

// Whether a command of ndsim has written to the folder, as a run, a sweep and the like do. Files of these names are the
// user's in other folders.
[[nodiscard]] bool has_outputs_of_ndsim(const std::string& folder);
// Files that cannot be removed stay; the run reports those that it cannot write.
void remove_run_outputs(const std::string& folder);
// Writes result.json with the hosts that have C++ programs. A failure is among the result's unwritten outputs.
void write_result_file(const Scenario& scenario, const RunOptions& options, RunResult& result);

}  // namespace ndsim
