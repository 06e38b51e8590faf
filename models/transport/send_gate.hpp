// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "models/ports/qp.hpp"
#include "models/ports/requests.hpp"
#include "models/proto/packet.hpp"
#include "models/transport/read_responses.hpp"
#include "sim/kernel/agenda.hpp"
#include "sim/kernel/alarm.hpp"
#include "sim/kernel/unit.hpp"

namespace ndsim {

// SendGate: decides what the next request of a queue pair waits for before it begins: a fence, a limit of Reads, room
// for their responses, credits of the peer, the end of a pause for the peer, or an earlier local operation. The
// requester and the completer tell it what has begun and ended.
class SendGate final : public Unit, public SendGatePort, private ReadOwner {
public:
    sc_core::sc_export<SendGatePort> port{"port"};
    sc_core::sc_port<WorkPort> work{"work"};

    SendGate(const sc_core::sc_module_name& name, Timeline& timeline, ReadResponses& reads);

    [[nodiscard]] Stall may_begin(QpNum qp, const Wqe& wqe) override;
    // Whether the connection allows any Reads.
    [[nodiscard]] bool may_read(QpNum qp) const { return gate(qp).outbound_reads > 0; }
    [[nodiscard]] bool waits_for_peer(QpNum qp) const { return gate(qp).waits_for_peer; }

    void create(const QpAttributes& attributes);
    void connect(QpNum qp, const QpConnection& connection);
    // begun(): the next request has begun. ended(): the oldest one has ended.
    void begun(QpNum qp, const WqeHeader& wqe);
    void ended(QpNum qp) { --gate(qp).under_way; }
    // A local operation that has begun has taken effect, or failed.
    void local_done(QpNum qp) { gate(qp).local_under_way = false; }
    void read_begun(QpNum qp) {
        ++gate(qp).open_reads;
        gate(qp).had_room = true;
    }
    // The last byte of the oldest Read arrives at `at`, and all is on its way to memory. read_failed(): the Read
    // failed.
    void read_placed(QpNum qp, Picoseconds at);
    void read_failed(QpNum qp) { --gate(qp).open_reads; }
    // A request has failed: no later one may begin.
    void close(QpNum qp) { gate(qp).closed = true; }
    // The peer has no receive and asks for a pause; the unit that times it calls resume_qp().
    void wait_for_peer(QpNum qp, bool waits) { gate(qp).waits_for_peer = waits; }
    // The peer's receives, from an acknowledgement, and its message number.
    void take_credits(QpNum qp, const Aeth& aeth);
    void raise_limit(QpNum qp, std::uint32_t limit);

private:
    // The gate of one queue pair.
    struct Gate {
        bool invalidate_waits = false;
        bool waits_for_peer = false;   // after an RNR NAK
        bool local_under_way = false;  // the last request is a local operation that has not taken effect
        bool closed = false;
        bool credits = false;
        bool waits_for_room = false;   // is in waiting_for_room_
        bool had_room = false;         // has begun a Read since the last look for room
        std::uint32_t next_index = 0;  // WQE number of the request that begins next
        std::uint32_t under_way = 0;   // earlier requests that have not ended
        std::uint32_t outbound_reads = 0;
        std::uint32_t open_reads = 0;    // with data still to come
        std::uint32_t reads_placed = 0;  // data has come, but is not yet known to be visible
        Picoseconds visible{};           // when the data of all those is
        Picoseconds arrived{};           // when the last byte of the Read placed last has
        std::uint32_t ssn = 0;           // of the message begun last
        std::uint32_t limit = 0;         // LSN: the message up to which the peer has receives
    };

    [[nodiscard]] Gate& gate(QpNum qp) { return gates_[qp_index(qp)]; }
    [[nodiscard]] const Gate& gate(QpNum qp) const { return gates_[qp_index(qp)]; }
    // Whether a request has begun and not ended: it is sent again.
    [[nodiscard]] bool is_under_way(QpNum qp, const WqeHeader& wqe) const;
    [[nodiscard]] bool fence_holds(QpNum qp, const Gate& gate);
    [[nodiscard]] Stall may_begin_read(QpNum qp, Gate& gate, std::uint32_t length);
    void look_again(const QpNum& qp) { work->resume_qp(qp); }  // Agenda: a Read has arrived, or is visible
    void look_at(Picoseconds when);
    void look_for_room();  // Alarm: room in the read buffer has come back
    void read_visible(QpNum qp, Picoseconds when) override;
    void read_room(Picoseconds when) override;

    ReadResponses& reads_;
    std::vector<Gate> gates_;
    std::vector<QpNum> waiting_for_room_;  // of the read buffer
    std::vector<QpNum> looking_for_room_;  // during a look
    Agenda<QpNum, &SendGate::look_again> reads_end_;
    Alarm<&SendGate::look_for_room> rooms_;
};

}  // namespace ndsim
