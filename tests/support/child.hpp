// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "scenarios/run/run.hpp"

// SystemC allows one simulation in the life of a process, so each run of these tests has a process of its own.
namespace ndsim::test {

// What a run in a child brought: the outcome, the metrics by name, and what expectations were not met.
struct ChildResult {
    bool ended = false;                 // the child came to its end; else `why` says why not
    std::optional<RunOutcome> outcome;  // none if the child did not come to its end
    std::string why;
    std::map<std::string, std::uint64_t> metrics;
    struct SeenLimit {
        std::string kind;
        std::string what;
        std::uint64_t share_ppm = 0;
        bool binds = false;
        std::string parameter;
        std::string basis;
        std::string value;
    };
    std::vector<SeenLimit> limits;
    struct SeenEngine {
        std::string name;
        std::uint64_t idle = 0;
        std::uint64_t busy = 0;
        std::map<std::string, std::uint64_t> blocked;  // by what it waited for
    };
    std::vector<SeenEngine> engines;
    std::string unmet;
    struct SeenDead {
        std::string ends;
        std::string why;
        bool expected = false;
    };
    std::vector<SeenDead> dead_connections;

    [[nodiscard]] std::uint64_t metric(const std::string& name) const;  // fails the test if there is none
};

// Runs a scenario, given as text, with overrides, in a child process.
[[nodiscard]] ChildResult run_text(const std::string& text, const std::vector<std::string>& overrides = {},
                                   const RunOptions& options = {});
// The same with a file of the repository.
[[nodiscard]] ChildResult run_file(const std::string& path, const std::vector<std::string>& overrides = {},
                                   const RunOptions& options = {});
// The same; the run must come to its end, and meet what the scenario expects.
ChildResult finish_text(const std::string& text, const std::vector<std::string>& overrides = {},
                        const RunOptions& options = {});
// The same; host A runs a generator towards host B with these members: `"size": "4 KiB", "count": 500`.
ChildResult run_traffic(const std::string& members, const std::vector<std::string>& overrides = {});
// One host, to which nobody talks, with a generator "t" of DMA transfers.
ChildResult run_dma(const std::string& members, const std::vector<std::string>& overrides = {});
// The metrics that runs of a scenario may have, as they are known before one.
[[nodiscard]] std::vector<std::string> known_metrics(const std::string& text);
// A new empty folder, which goes with the process.
[[nodiscard]] std::string temporary_folder();
[[nodiscard]] std::string file_text(const std::string& path);

}  // namespace ndsim::test
