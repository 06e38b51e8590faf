// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/ledger/ledger.hpp"
#include "models/transport/parked_packets.hpp"
#include "models/transport/responder_times.hpp"
#include "sim/base/ring.hpp"
#include "sim/kernel/pool.hpp"
#include "sim/kernel/probe.hpp"
#include "sim/kernel/unit.hpp"

namespace ndsim {

// Executes requests.
class RequestHandler {
public:
    // False if the packet has to wait for its receive WQE.
    virtual bool handle(const Packet& packet, Interval at) = 0;

protected:
    ~RequestHandler() = default;
};

// InboundRequests: passes request packets to the handler in turn. A packet whose receive WQE is still being fetched is
// set aside with later ones of its queue pair, or, if there is no place for that, holds up everything behind it.
class InboundRequests {
public:
    static constexpr PoolFacts kPool{"rq_park", "queue pairs set aside to wait for a receive WQE",
                                     PoolUnit::queue_pairs, "nic.rq_park"};

    InboundRequests(Unit& owner, RequestHandler& handler, std::uint32_t places, Ledgers& ledgers,
                    ResponderTimes& times);

    void receive(const Packet& packet, Interval at);
    // The receive WQE that a packet of the queue pair waited for is there, or there is none.
    void receive_ready(QpNum qp);

    [[nodiscard]] bool empty() const { return held_.empty() && parked_.empty(); }
    // Messages that were set aside.
    [[nodiscard]] std::uint64_t parked() const { return parked_messages_; }

private:
    bool admit(const Packet& packet, Interval at);
    bool park(const Arrival& arrival);
    bool work_off(std::uint32_t index);
    void go_on();
    void set_blocked(bool blocked);
    [[nodiscard]] Arrival late(const Arrival& arrival);

    const Unit& owner_;
    RequestHandler& handler_;
    Ledgers& ledgers_;
    ResponderTimes& times_;
    bool blocked_ = false;  // the packet in front waits for its receive WQE
    Ring<Arrival> held_;    // that packet, and those behind it
    ParkedPackets parked_;
    Probe<bool> waits_;
    Pool rq_park_;
    std::uint64_t parked_messages_ = 0;
};

}  // namespace ndsim
