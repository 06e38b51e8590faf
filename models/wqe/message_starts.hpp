// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "models/ledger/stall.hpp"
#include "models/wqe/wqe_params.hpp"
#include "sim/base/exact_rate.hpp"
#include "sim/kernel/pool.hpp"

namespace ndsim {

// MessageStarts: when messages may start. Each takes a slot until its last packet is built, and messages start no
// faster than the message rates of the queue pair and of the NIC.
class MessageStarts {
public:
    static constexpr PoolFacts kInFlightPool{"sq_in_flight", "requests started, last packet not yet built",
                                             PoolUnit::requests, "nic.sq_in_flight", WhenFull::limit};

    MessageStarts(Unit& owner, const WqeParams& params);

    // The rate of a new queue pair.
    [[nodiscard]] ExactServer qp_rate() const { return ExactServer(qp_rate_); }
    // Why no queue pair may start a message. until(): the end of that, if it is known.
    [[nodiscard]] Stall missing(Picoseconds at) {
        return !has_slot(at) ? Stall::sq_in_flight : nic_rate_.free_at() > at ? Stall::nic_rate : Stall::none;
    }
    [[nodiscard]] std::optional<Picoseconds> until(Stall missing, Picoseconds at);
    [[nodiscard]] bool has_slot(Picoseconds at) { return in_flight_.available(at) > 0; }
    // When the NIC's rate allows the next message.
    [[nodiscard]] Picoseconds nic_free_at() const { return nic_rate_.free_at(); }

    void start(ExactServer& qp_rate, Picoseconds at) {
        in_flight_.take(1, at);
        nic_rate_.reserve(at, 1);
        qp_rate.reserve(at, 1);
    }
    // A message is built at `when`, when its slot becomes free.
    void built(Picoseconds when) { in_flight_.give_at(1, when); }

private:
    const ExactRate qp_rate_;
    ExactServer nic_rate_;
    Pool in_flight_;
};

}  // namespace ndsim
