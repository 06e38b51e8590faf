// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace ndsim {

// The entries of a pool.
enum class PoolUnit : std::uint8_t {
    bytes,
    contexts,
    cqes,
    credits,
    doorbells,
    packets,
    queue_pairs,
    reads,
    requests,
    stores,
    tags,
    transfers,
    translations,
    walks,
    wqe_units,
    wqes,
    writes,
};
inline constexpr std::array<std::string_view, 17> kPoolUnitNames{
    "bytes",  "contexts", "CQEs",      "credits",      "doorbells", "packets",   "queue pairs", "reads", "requests",
    "stores", "tags",     "transfers", "translations", "walks",     "WQE units", "WQEs",        "writes"};

// The time for which a pool counts as a limit.
enum class WhenFull : std::uint8_t {
    harmless,    // never: it is a cache, or full only if another limit makes it so
    part,        // never: it counts some of another pool's entries
    kept,        // never: its owner keeps it full
    limit,       // while it was full
    idle_limit,  // while it was full, less the `times` in which its consumer worked all the same
    read_limit,  // while it was full, or a read waited for it: the `times`
    waited_for,  // the `times` in which a waiter for it could not go on
};

// PoolFacts: the constant facts of a pool. Lives as long as the program.
struct PoolFacts {
    std::string_view name;
    std::string_view sentence;
    PoolUnit unit{};
    // The parameter of the host that sizes it, "nic.tx_fifo"; or that of a queue pair, a switch or a transfer, with its
    // section of the scenario, "switch.buffer". Empty if there is none.
    std::string_view parameter = {};
    WhenFull when_full = WhenFull::harmless;
    std::array<std::string_view, 2> times = {};  // statistics of the host, "nic.tx.busy"
};

}  // namespace ndsim
