// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "models/ledger/ledger.hpp"
#include "models/ports/context.hpp"
#include "models/ports/requests.hpp"
#include "models/wqe/message_starts.hpp"
#include "models/wqe/send_prefetch.hpp"
#include "models/wqe/send_turns.hpp"
#include "models/wqe/wqe_params.hpp"
#include "models/wqe/wqe_times.hpp"
#include "sim/kernel/agenda.hpp"
#include "sim/kernel/alarm.hpp"
#include "sim/kernel/request_probe.hpp"

namespace ndsim {

// SendScheduler: lets connected queue pairs with work take turns, packet by packet, while nothing that all of them need
// is missing. Within a queue pair everything is in order; packets to be sent again come first. Queue pairs are known by
// index.
class SendScheduler {
public:
    // The scheduler asks `context` and `gate` before it lets a queue pair send by `requester`.
    struct Ports {
        sc_core::sc_port<ContextPort>& context;
        sc_core::sc_port<SendGatePort>& gate;
        sc_core::sc_port<RequesterPort>& requester;
    };

    SendScheduler(Unit& owner, Timeline& timeline, const WqeParams& params, HostId host, Ledgers& ledgers,
                  SendPrefetch& prefetch, ContextClient& context_client, const Ports& ports);

    void create(QpNum qp);
    void connect(std::uint32_t index) { queues_[index].connected = true; }
    // The queue pair is gone. Later events of it change nothing.
    void destroy(std::uint32_t index) { queues_[index].connected = false; }
    // The queue pair sends nothing more: WQEs that have begun are gone, later ones stay.
    void stop(std::uint32_t index);

    // Lets queue pairs send until none can go on.
    void serve();
    // Notes what the engine waits for, which has changed without a turn of any queue pair.
    void note_waits();
    // The queue pair takes a turn if it has work and is not held.
    void enqueue(std::uint32_t index) { enqueue(queues_[index]); }
    // The reason for holding the queue pair is gone.
    void resume(std::uint32_t index);
    void context_ready(std::uint32_t index);
    // The queue pair sends again, from the WQE at `place` on.
    void rewind(std::uint32_t index, std::uint32_t place);
    // The last packet of a message is built at `when`, when its slot becomes free.
    void message_built(Picoseconds when);

    [[nodiscard]] bool has_open_message(std::uint32_t index) const { return queues_[index].message_open; }
    [[nodiscard]] std::uint64_t messages() const { return messages_; }
    [[nodiscard]] std::uint64_t paced_messages() const { return paced_messages_; }

private:
    // The scheduler's state of a queue pair.
    struct SendQueue {
        explicit SendQueue(const ExactServer& message_rate) : rate(message_rate) {}
        [[nodiscard]] bool needs_no_slot() const { return repeats || message_open; }

        QpNum qp{};
        bool connected = false;
        bool repeats = false;       // packets that the requester has kept
        bool message_open = false;  // its first WQE is with the requester
        bool paced = false;         // waits for its message rate
        std::uint32_t begun = 0;    // WQEs up to here have begun; a place in the ring, in units, absolute
        Stall waited_for = Stall::none;
        SendTurns::Place place;
        ExactServer rate;
    };

    void rate_allows(const std::uint32_t& index);  // Agenda: a queue pair may start its next message
    void look_at(std::optional<Picoseconds> when);
    void look_again() { serve(); }  // Alarm: a slot or the NIC's message rate has become free

    void enqueue(SendQueue& queue);
    [[nodiscard]] bool starter_may_go();
    [[nodiscard]] Stall own_stall() const;
    [[nodiscard]] Stall serve_one(SendQueue& queue);
    [[nodiscard]] Stall repeat(SendQueue& queue);
    [[nodiscard]] Stall blocked(SendQueue& queue, Stall stall);
    [[nodiscard]] Stall start_message(SendQueue& queue);
    void finish_message(SendQueue& queue);
    void leave_front(SendQueue& queue);
    [[nodiscard]] bool has_work(const SendQueue& queue) const {
        return queue.connected && (queue.needs_no_slot() || prefetch_.has_ready(qp_index(queue.qp)));
    }
    [[nodiscard]] Picoseconds now() const { return timeline_.now(); }

    Timeline& timeline_;
    const HostId host_;
    Ledgers& ledgers_;
    SendPrefetch& prefetch_;
    ContextClient& context_client_;
    const Ports ports_;
    std::vector<SendQueue> queues_;
    SendTurns turns_;
    Agenda<std::uint32_t, &SendScheduler::rate_allows> paced_;
    Alarm<&SendScheduler::look_again> looks_;
    MessageStarts starts_;
    WqeTimes times_;
    RequestProbe request_;
    std::uint64_t messages_ = 0;
    std::uint64_t paced_messages_ = 0;
};

}  // namespace ndsim
