// SPDX-License-Identifier: Apache-2.0
#include "tools/cli/ending.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include "tools/cli/interrupt.hpp"

namespace ndsim::cli {

namespace {

// The outputs that ended before the run because they reached their size limits.
std::vector<std::string> cut_outputs(const RunResult& result) {
    std::vector<std::string> cut;
    const auto add = [&cut](std::string_view file, std::string_view key, std::optional<Picoseconds> at) {
        if (at) {
            cut.push_back(fmt::format("{} reached its maximum size (outputs.{}.max_size) and ends at {}", file, key,
                                      ndsim::to_text(*at)));
        }
    };
    add("waves.vcd", "waves", result.waves_cut_at);
    add("packets.pcapng", "packets", result.packets_cut_at);
    const bool packed = std::ranges::find(result.files, "timeline.json.gz") != result.files.end();
    add(packed ? "timeline.json.gz" : "timeline.json", "timeline", result.timeline_cut_at);
    return cut;
}

}  // namespace

Ending ending_of(const RunResult& result) {
    if (result.outcome == RunOutcome::interrupted && interrupted()) {
        return {ExitCode::interrupted, fmt::format("interrupted at {}; the outputs hold what happened until then",
                                                   ndsim::to_text(result.ended))};
    }
    if (!result.unwritten.empty()) {
        return {ExitCode::output_unwritten,
                fmt::format("an output could not be written: {}", fmt::join(result.unwritten, "; "))};
    }
    if (result.outcome == RunOutcome::stalled) {
        return {ExitCode::stalled,
                fmt::format("stalled at {}: nothing can happen any more, but something still waits: {}",
                            ndsim::to_text(result.ended), result.why)};
    }
    if (result.outcome != RunOutcome::finished) {
        return {ExitCode::limit_hit, "stopped at a limit: " + result.why};
    }
    const auto failed = std::count_if(result.verdicts.begin(), result.verdicts.end(),
                                      [](const Verdict& verdict) { return !verdict.met; });
    std::vector<std::string> unexpected;
    if (failed > 0) {
        unexpected.push_back(fmt::format("{} of {} expectations {} not met", failed, result.verdicts.size(),
                                         failed == 1 ? "was" : "were"));
    }
    if (const auto dead = std::ranges::find(result.dead_connections, false, &DeadConnection::expected);
        dead != result.dead_connections.end()) {
        unexpected.push_back(
            fmt::format("a connection ended by an error that no expectation asks for: {}, {}", dead->ends, dead->why));
    }
    if (!unexpected.empty()) {
        return {ExitCode::expectation_failed, fmt::format("{}", fmt::join(unexpected, "; "))};
    }
    if (const auto cut = cut_outputs(result); !cut.empty()) {
        return {ExitCode::limit_hit, fmt::format("{}; the run went on to its end", fmt::join(cut, "; "))};
    }
    return {};
}

}  // namespace ndsim::cli
