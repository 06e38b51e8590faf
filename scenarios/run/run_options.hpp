// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "ndapi/ndk/host_program.h"
#include "sim/base/units.hpp"

namespace spdlog {
class logger;
}

namespace ndsim {

class CallLog;
class Software;
class World;
struct Evidence;
struct RunResult;

// The progress of a run.
struct Progress {
    Picoseconds now{};
    std::uint64_t done = 0;              // messages, or DMA transfers
    std::uint64_t total = 0;             // of the same; 0 if unknown
    std::string_view what = "messages";  // name of what is counted
};

// A host's software that has the processor, and the number of its turn.
struct SoftwareTurn {
    std::string host;
    std::uint64_t number = 0;

    friend bool operator==(const SoftwareTurn&, const SoftwareTurn&) = default;
};
// Returns the software whose turn it is, nothing while the simulation works. Another thread may ask during a run.
using LookAtTurn = std::function<std::optional<SoftwareTurn>()>;

// Options of a run.
struct RunOptions {
    std::string folder;                           // existing folder for the run's outputs; empty: none
    bool writes_result = true;                    // result.json in that folder, too
    std::map<std::string, HostProgram> programs;  // C++ programs by host; they replace those of the scenario
    // Output of such programs to stream 1 or 2; none: the streams of this process.
    std::function<void(std::string_view host, int stream, std::string_view text)> on_output;
    std::shared_ptr<spdlog::logger> log;               // for messages about the run; none: no messages
    std::function<void(const Progress&)> on_progress;  // every few thousand work items
    std::function<bool()> interrupted;                 // asked just as often
    // Called before anything runs; its result is kept during the run.
    std::function<std::shared_ptr<void>(const LookAtTurn&)> watch;
    std::function<void(const Evidence&)> inspect;  // sees the evidence of a run, however it ended
    CallLog* calls = nullptr;                      // where programs write down their calls; null: nowhere
    // Sees hardware and software as a run has left them, and its result.
    std::function<void(World&, const Software&, const RunResult&)> at_end;
};

}  // namespace ndsim
