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
#include "scenarios/engine/fates.hpp"
#include "scenarios/engine/limits.hpp"
#include "scenarios/engine/metrics.hpp"
#include "scenarios/engine/verdict.hpp"
#include "scenarios/format/scenario.hpp"
#include "sim/base/ids.hpp"
#include "sim/kernel/pool_facts.hpp"

namespace spdlog {
class logger;
}

// Where the process of whoever uses this begins; SystemC has `main`.
extern "C" int sc_main(int argc, char* argv[]);

namespace ndsim {

struct Evidence;

// How a run ended.
enum class RunOutcome : std::uint8_t { finished, time_limit, item_limit, stalled, interrupted };

// The mean ledger of one kind of request on one host.
struct MeanLedger {
    std::string host;
    std::string operation;
    std::uint64_t requests = 0;
    Picoseconds mean_total{};
    std::vector<std::pair<std::string, Picoseconds>>
        accounts;  // those that are not zero, in the order of a Send's life
};

// The number by which the NIC, packets and completions.csv know a queue pair of the scenario.
struct NumberedQueuePair {
    std::string name;  // A.q0
    QpNum number{};
};

// What an engine did in the measured time. The times add up to it.
struct EngineUse {
    std::string engine;  // A.nic.wqe, A.pcie.up, l0_A_to_B
    Picoseconds idle{};
    Picoseconds busy{};
    std::vector<std::pair<std::string, Picoseconds>> blocked;  // by what it waited for; all that it may wait for

    [[nodiscard]] Picoseconds blocked_in_all() const {
        Picoseconds sum{};
        for (const auto& [what, time] : blocked) {
            sum += time;
        }
        return sum;
    }
};

// A pool of which there are metrics.
struct PoolUse {
    std::string pool;  // A.nic.tx.tx_fifo
    const PoolFacts* facts = nullptr;
    std::string parameter;  // that sizes it, hosts.A.nic.tx_fifo; empty if nothing does
};

// A connection of the scenario that ended by an error.
struct DeadConnection {
    std::string ends;  // "B.q0 to A.q0": the queue pair that failed first, and its peer
    Picoseconds at{};
    std::string why;
    bool expected = false;  // the scenario asks for it (ExpectedFailures)
};

struct RunResult {
    RunOutcome outcome = RunOutcome::finished;
    std::string why;        // who waits for what, or what the limit was
    Picoseconds started{};  // when the programs and generators began
    Picoseconds ended{};
    Metrics metrics;
    std::vector<EngineUse> engines;
    std::vector<PoolUse> pools;
    std::vector<MeanLedger> ledgers;
    std::vector<Limit> limits;
    std::vector<Verdict> verdicts;
    std::vector<NumberedQueuePair> queue_pairs;
    std::vector<DeadConnection> dead_connections;
    std::vector<Fates> fates;  // of the requests of each host
    std::uint64_t completions = 0;
    std::uint64_t activations = 0;  // of the kernel
    std::uint64_t items = 0;
    std::vector<std::string> unwritten;  // outputs that could not be written, with the reason
    std::optional<Picoseconds> waves_cut_at;
    std::optional<Picoseconds> packets_cut_at;
    std::optional<Picoseconds> timeline_cut_at;
    std::vector<std::string> files;  // written into the run folder, by the engine
};

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
