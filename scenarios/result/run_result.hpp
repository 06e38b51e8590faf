// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/measure/metrics.hpp"
#include "scenarios/record/fates.hpp"
#include "scenarios/record/status_log.hpp"
#include "scenarios/result/limits.hpp"
#include "scenarios/result/mean_ledger.hpp"
#include "scenarios/result/verdict.hpp"
#include "sim/base/ids.hpp"
#include "sim/base/units.hpp"
#include "sim/kernel/pool_facts.hpp"

namespace ndsim {

// How a run ended.
enum class RunOutcome : std::uint8_t { finished, time_limit, item_limit, stalled, interrupted };

// The number of a scenario's queue pair in the NIC, packets and completions.csv.
struct NumberedQueuePair {
    std::string name;  // A.q0
    QpNum number{};
};

// An engine's times, which add up to the measured time.
struct EngineUse {
    std::string engine;  // A.nic.wqe, A.pcie.up, l0_A_to_B
    Picoseconds idle{};
    Picoseconds busy{};
    std::vector<std::pair<std::string, Picoseconds>> blocked;  // by cause; all possible causes

    [[nodiscard]] Picoseconds blocked_in_all() const {
        Picoseconds sum{};
        for (const auto& [what, time] : blocked) {
            sum += time;
        }
        return sum;
    }
};

// A pool that has metrics.
struct PoolUse {
    std::string pool;  // A.nic.tx.tx_fifo
    const PoolFacts* facts = nullptr;
    std::string parameter;  // sets its size, hosts.A.nic.tx_fifo; empty: none
};

// A connection that ended by an error.
struct DeadConnection {
    std::string ends;  // "B.q0 to A.q0": the queue pair that failed first, and its peer; "B.0x11": a program's
    Picoseconds at{};
    std::string why;
    bool expected = false;    // the scenario asks for it (ExpectedFailures), or it is a program's
    bool of_program = false;  // a C++ program has made its queue pair, and judges its end itself
};

// The result of a run.
struct RunResult {
    RunOutcome outcome = RunOutcome::finished;
    std::string why;        // who waits for what, or which limit was reached
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
    std::vector<Fates> fates;  // of each host's requests
    StatusLog statuses;
    std::uint64_t completions = 0;
    std::uint64_t activations = 0;  // of the kernel
    std::uint64_t items = 0;
    std::vector<std::string> unwritten;  // outputs that could not be written, with the reason
    std::optional<Picoseconds> waves_cut_at;
    std::optional<Picoseconds> packets_cut_at;
    std::optional<Picoseconds> timeline_cut_at;
    std::vector<std::string> files;  // written into the run folder by the engine
};

}  // namespace ndsim
