// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "models/ledger/ledger.hpp"

namespace ndsim {

// Why the work-queue engine cannot go on: the last thing that is missing. From psn_window on, a stall holds a single
// queue pair, and the others go on.
enum class Stall : std::uint8_t {
    none,             // nothing to do
    wqe_fetch,        // the next WQE is under way
    sq_in_flight,     // every slot for work in process is taken
    nic_rate,         // the NIC's message rate
    tx_fifo,          // no room for the packet
    tags,             // no PCIe tag, or too many DMA reads in flight
    wqe_cache,        // no room for the next WQE, as other queue pairs hold all of it
    psn_window,       // too many packets unacknowledged
    qp_rate,          // the queue pair's message rate
    fence,            // earlier Reads, or other requests that must be complete first
    read_limit,       // as many Reads outstanding as the peer takes
    read_buffer,      // no room for a Read's responses
    local_operation,  // a key changes before the next request may start
    credits,          // the peer has too few receives
    rnr,              // the peer asked to wait
    context,          // the queue pair's context is not in the NIC
};
inline constexpr std::array<std::string_view, 16> kStallNames{
    "none",    "wqe_fetch", "sq_in_flight", "nic_rate",    "tx_fifo",         "tags",    "wqe_cache", "psn_window",
    "qp_rate", "fence",     "read_limit",   "read_buffer", "local_operation", "credits", "rnr",       "context"};

inline constexpr std::array<std::string_view, kStallNames.size()> kStallSentences{
    "time with nothing to issue",
    "time waiting for a WQE",
    "time waiting for a place among the requests in flight",
    "time waiting for the NIC's message rate",
    "time waiting for room in the TX FIFO",
    "time waiting for DMA reads or tags",
    "time waiting for room for WQEs",
    "time waiting for acknowledgements",
    "time waiting for a queue pair's message rate",
    "time waiting at a fence",
    "time waiting for an outstanding Read to end",
    "time waiting for room in the read buffer",
    "time waiting for a key to change",
    "time waiting for the peer to have receives",
    "time that a peer asked to wait",
    "time waiting for a context"};

[[nodiscard]] constexpr bool is_of_one_qp(Stall stall) {
    return stall >= Stall::psn_window;
}

// The ledger account that a wait is charged to.
[[nodiscard]] constexpr Account account_of(Stall stall) {
    switch (stall) {
        case Stall::wqe_fetch:
            return Account::wqe_fetch;
        case Stall::tx_fifo:
            return Account::tx;
        case Stall::tags:
            return Account::tags;
        case Stall::wqe_cache:
            return Account::wqe_cache;
        case Stall::psn_window:
            return Account::ack_return;
        case Stall::fence:
        case Stall::local_operation:
            return Account::fence;
        case Stall::read_limit:
        case Stall::read_buffer:
            return Account::read_limit;
        case Stall::credits:
        case Stall::rnr:
            return Account::rnr;
        case Stall::context:
            return Account::context;
        case Stall::none:
        case Stall::sq_in_flight:
        case Stall::qp_rate:
        case Stall::nic_rate:
            break;
    }
    return Account::arbitration;
}

}  // namespace ndsim
