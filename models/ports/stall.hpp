// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "models/proto/ledger.hpp"

namespace ndsim {

// Why the work-queue engine cannot go on with any queue pair: the last thing that is missing.
enum class Stall : std::uint8_t {
    none,          // nothing to do
    wqe_fetch,     // the next WQE is under way
    sq_in_flight,  // every slot for work in process is taken
    qp_rate,       // the queue pair's message rate
    nic_rate,      // the NIC's message rate
    psn_window,    // too many packets unacknowledged
    tx_fifo,       // no room for the packet
    tags,          // no PCIe tag, or too many DMA reads in flight
};
inline constexpr std::array<std::string_view, 8> kStallNames{"none",     "wqe_fetch",  "sq_in_flight", "qp_rate",
                                                             "nic_rate", "psn_window", "tx_fifo",      "tags"};

// The ledger account that a wait is charged to.
[[nodiscard]] constexpr Account account_of(Stall stall) {
    switch (stall) {
        case Stall::wqe_fetch:
            return Account::wqe_fetch;
        case Stall::tx_fifo:
            return Account::tx;
        case Stall::tags:
            return Account::tags;
        case Stall::psn_window:
            return Account::ack_return;
        case Stall::none:
        case Stall::sq_in_flight:
        case Stall::qp_rate:
        case Stall::nic_rate:
            break;
    }
    return Account::arbitration;
}

}  // namespace ndsim
