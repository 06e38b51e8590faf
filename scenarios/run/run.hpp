// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ndapi/ndk/host_program.h"
#include "scenarios/format/scenario.hpp"
#include "scenarios/result/run_result.hpp"

namespace spdlog {
class logger;
}

// Where the process of whoever uses this begins; SystemC has `main`.
extern "C" int sc_main(int argc, char* argv[]);

namespace ndsim {

struct Evidence;

// What a run shows of itself while it goes on.
struct Progress {
    Picoseconds now{};
    std::uint64_t done = 0;              // messages, or DMA transfers
    std::uint64_t total = 0;             // likewise; 0 if nobody knows
    std::string_view what = "messages";  // they are
};

// A host's software that has the processor, and which of its turns this is.
struct SoftwareTurn {
    std::string host;
    std::uint64_t number = 0;

    friend bool operator==(const SoftwareTurn&, const SoftwareTurn&) = default;
};
// Tells whose turn it is, none's while the simulation itself works. Another thread may ask, as long as the run lasts.
using LookAtTurn = std::function<std::optional<SoftwareTurn>()>;

struct RunOptions {
    std::string folder;                           // of the run's outputs, which exists; empty: none are written
    std::map<std::string, HostProgram> programs;  // C++ programs, by host; they take the place of those in the scenario
    // What such programs print, to their stream 1 or 2; none: the streams of this process.
    std::function<void(std::string_view host, int stream, std::string_view text)> on_output;
    std::shared_ptr<spdlog::logger> log;               // what is told of the run; none: nothing
    std::function<void(const Progress&)> on_progress;  // every few thousand work items
    std::function<bool()> interrupted;                 // asked just as often
    // Called before anything runs; what it returns is kept for as long as the run lasts.
    std::function<std::shared_ptr<void>(const LookAtTurn&)> watch;
    std::function<void(const Evidence&)> inspect;  // is shown what a run leaves behind, however it ended
};

// The metrics that runs of a scenario may have, C++ programs included. It makes the hardware and runs nothing; like a
// run, SystemC allows it once in the life of a process.
[[nodiscard]] Metrics metrics_of_any_run(const Scenario& scenario);

// Runs a scenario in this process. SystemC allows one run in the life of a process. ConfigError, and nothing is run, if
// the scenario names a metric that there is not.
[[nodiscard]] RunResult run_scenario(const Scenario& scenario, const RunOptions& options);

}  // namespace ndsim
