// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "scenarios/engine/limits.hpp"

// Which pools and waits of a NIC are limits, and the parameters that set them.
namespace ndsim {

// For how much of the time a pool was a limit.
enum class PoolCounts : std::uint8_t {
    full,           // while it was full
    full_and_idle,  // likewise, less the time in which what empties it worked all the same
    reads,          // while it was full, or a read waited for it
    waited_for,     // while somebody waited for it, and could not go on
};

// A pool that holds somebody up when it is full, from where the data ends to where it begins. Not among them: pools
// that are full because their owner keeps them so (receive queues, what is fetched ahead, caches of contexts and
// translations), and parts of others.
struct PoolRow {
    std::string_view pool;
    std::string_view parameter;
    PoolCounts counts = PoolCounts::full;
    std::array<std::string_view, 2> beside{};  // times that count, or are taken off
};
inline constexpr std::array kReceiverPools{
    PoolRow{"root.walks", "iommu.parallel_walks"},
    PoolRow{"pcie.posted_data", "pcie.posted_data"},
    PoolRow{"pcie.posted_headers", "pcie.posted_headers"},
    PoolRow{"nic.dma.writes_in_flight", "nic.dma_writes_in_flight"},
    // Reads of receive WQEs are cut so that as many are under way or there as may be ahead, whatever a read has. So it
    // is what may be ahead that binds, and not the batch.
    PoolRow{
        "nic.rq", "nic.rq_prefetch", PoolCounts::waited_for, {"nic.responder.receive_wqe", "nic.responder.rq_park"}},
    PoolRow{"nic.rx.rx_buffer", "nic.rx_buffer"},
};
// Between them are the buffers of switches.
inline constexpr std::array kSenderPools{
    PoolRow{"nic.tx.tx_fifo", "nic.tx_fifo", PoolCounts::full_and_idle, {"nic.tx.busy", "nic.tx.pause"}},
    PoolRow{"pcie.nonposted_headers", "pcie.nonposted_headers"},
    PoolRow{"nic.dma.tags", "pcie.tags", PoolCounts::reads, {"nic.dma.reads_blocked"}},
    PoolRow{"nic.dma.reads_in_flight", "nic.dma_reads_in_flight", PoolCounts::reads, {"nic.dma.reads_blocked"}},
    PoolRow{"nic.read_responses.read_buffer", "nic.read_buffer", PoolCounts::waited_for, {"nic.wqe.read_buffer"}},
    PoolRow{"nic.translation.fetches", "nic.mtt_fetches"},
    PoolRow{"nic.context.fetches", "nic.qp_context_fetches"},
    PoolRow{"nic.wqe.sq_in_flight", "nic.sq_in_flight"},
    PoolRow{"nic.doorbell.fifo", "nic.doorbell_fifo"},
    PoolRow{"pcie.bar_headers", "pcie.bar_posted_headers"},
};

// What holds a message, or a part of it, while that waits for other pools: so it is full whenever one of these is the
// limit. Those of a higher level hold those of a lower one, too.
struct HolderRow {
    std::string_view parameter;  // the end of its path
    int level = 0;
};
inline constexpr std::array kHolders{
    HolderRow{".nic.tx_fifo", 1},    HolderRow{".nic.sq_in_flight", 2}, HolderRow{".nic.read_buffer", 3},
    HolderRow{".nic.psn_window", 3}, HolderRow{".outbound_reads", 3},   HolderRow{".inbound_reads", 3},
};

// What the work-queue engine waits for that is no pool of the host, or one that is full without harm.
struct StallRow {
    std::string_view stall;
    LimitKind kind{};
    std::string_view parameter;
};
inline constexpr std::array kStalls{
    StallRow{"nic_rate", LimitKind::rate, "nic.global_rate"},
    StallRow{"psn_window", LimitKind::pool, "nic.psn_window"},
    StallRow{"wqe_cache", LimitKind::pool, "nic.wqe_cache"},
    StallRow{"context", LimitKind::pool, "nic.qp_context_entries"},
};

}  // namespace ndsim
