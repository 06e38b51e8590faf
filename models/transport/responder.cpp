// SPDX-License-Identifier: Apache-2.0
#include "models/transport/responder.hpp"

#include "models/proto/packet_work.hpp"
#include "models/transport/request_check.hpp"
#include "sim/base/invariant_error.hpp"
#include "sim/base/slots.hpp"

namespace ndsim {

Responder::Responder(const sc_core::sc_module_name& name, Timeline& timeline, const TransportParams& params,
                     Picoseconds tx_pipe, std::uint8_t rnr_timer, HostId host, Ledgers& ledgers, PayloadPool& payloads,
                     ReadResponder& reads)
    : Unit(name, timeline),
      rnr_timer_(rnr_timer),
      host_(host),
      ledgers_(ledgers),
      payloads_(payloads),
      reads_(reads),
      times_(*this),
      waiting_(*this, *this, params.rq_park, ledgers, times_),
      answers_(*this, tx_pipe, egress, receives),
      ended_(params.key_update, host, ledgers, keys, completions),
      placement_(params.ack_point, host, dma, rx_buffer, ledgers, answers_, executing_, times_) {
    acks.bind(answers_);
    receive_events.bind(*this);
    lifecycle.bind(*this);
    reads_.set_owner(*this);
}

void Responder::create_qp(const QpAttributes& attributes) {
    const std::uint32_t index = qp_index(attributes.qp);
    Receiver& receiver = grown(receivers_, index) = {};
    receiver.qp = attributes.qp;
    receiver.message.create({attributes.qp, attributes.pd, attributes.receive_cq});
    receiver.reads.create(attributes.qp, attributes.pd);
    answers_.create(attributes.qp, attributes.watch);
}

void Responder::connect_qp(QpNum qp, const QpConnection& connection) {
    Receiver& receiver = receivers_[qp_index(qp)];
    receiver.mtu = connection.mtu;
    receiver.reads.connect(connection);
    receiver.repeated.connect(connection.inbound_reads);
    receiver.expected = connection.expected_psn;
    if (receiver.state == State::absent) {
        receiver.state = State::between_messages;
    }
    answers_.connect(qp, connection);
}

bool Responder::handle(const Packet& packet, Interval at) {
    Receiver& receiver = receivers_.at(qp_index(packet.destination));
    if (receiver.qp != packet.destination || !executes(receiver.state)) {
        drop(packet, at);  // packets to a failed or destroyed queue pair get no answer [X33]
        return true;
    }
    switch (order_of(packet.psn, receiver.expected)) {
        case PsnOrder::duplicate:
            answer_again(receiver, packet, at);
            return true;
        case PsnOrder::gap:
            // The missing packet is requested once; later packets get no answer [wire.md 3.2].
            answers_.waits_for_missing(receiver.qp) ? drop(packet, at)
                                                    : ask_again(receiver, packet, at, Aeth::kNakSequence);
            return true;
        case PsnOrder::next:
            break;
    }
    answers_.missing_came(receiver.qp);
    if (!is_well_formed(packet, receiver.state, receiver.mtu)) {
        refuse(receiver, packet, at, kMalformed);
        return true;
    }
    switch (receiver.state) {
        case State::in_send:
            in_message(receiver, packet, at, kReceiveNotWritable);
            return true;
        case State::in_write:
            in_message(receiver, packet, at, kNoAccess);
            return true;
        default:
            return between_messages(receiver, packet, at);
    }
}

// A new message, or a Read. False if it has to wait for its receive WQE.
bool Responder::between_messages(Receiver& receiver, const Packet& packet, Interval at) {
    switch (info(packet.opcode).operation) {
        case Operation::read:
            execute_read(receiver, packet, at);
            return true;
        case Operation::write:
            begin_write(receiver, packet, at);
            return true;
        default:
            return begin_send(receiver, packet, at);
    }
}

void Responder::in_message(Receiver& receiver, const Packet& packet, Interval at, const Refusal& otherwise) {
    if (receiver.message.may_go_on(*protection.operator->())) {
        go_on(receiver, packet, at);
    } else {
        refuse(receiver, packet, at, otherwise);
    }
}

bool Responder::begin_send(Receiver& receiver, const Packet& packet, Interval at) {
    switch (receives->take(receiver.qp, receiver.message.receive())) {
        case ReceiveTake::under_way:
            return false;
        case ReceiveTake::none_posted:
            ++rnr_naks_;
            ask_again(receiver, packet, at, Aeth::kRnrNak | rnr_timer_);
            return true;
        case ReceiveTake::taken:
            break;
    }
    receiver.state = State::in_send;
    ledgers_.take({host_, receiver.message.request()}, at.start);
    if (receiver.message.begin_send(*protection.operator->())) {
        go_on(receiver, packet, at);
    } else {
        refuse(receiver, packet, at, kReceiveNotWritable);
    }
    return true;
}

// A Write takes no receive.
void Responder::begin_write(Receiver& receiver, const Packet& packet, Interval at) {
    if (receiver.message.begin_write(*protection.operator->(), packet)) {
        receiver.state = State::in_write;
        go_on(receiver, packet, at);
    } else {
        refuse(receiver, packet, at, kNoAccess);
    }
}

void Responder::execute_read(Receiver& receiver, const Packet& packet, Interval at) {
    const std::size_t open = answers_.new_reads(receiver.qp);
    if (const auto refusal = receiver.reads.refusal(packet, open, *protection.operator->())) {
        refuse(receiver, packet, at, *refusal);
        return;
    }
    ++messages_;
    accept(packet, at);
    executing_.done(at, [&] { return work_of(packet, packet.destination); });
    rx_buffer->drained(wire_bytes(packet), at.end);
    receiver.expected = receiver.reads.end(packet);
    answers_.read_begins(receiver.qp, packet.psn, receiver.expected);
    answers_.executed(receiver.qp, answers_.accept(receiver.qp, receiver.expected - 1, true, false), at.end);
    const ReadJob job = receiver.reads.accept(packet, answers_.msn(receiver.qp));
    receiver.repeated.add(job);
    reads_.add(job);
}

// The packet continues the message under way; it may be the first and the last one.
void Responder::go_on(Receiver& receiver, const Packet& packet, Interval at) {
    if (!receiver.message.fits(packet, receiver.state == State::in_write)) {
        refuse(receiver, packet, at, kWrongLength);
        return;
    }
    ++receiver.expected;
    accept(packet, at);
    const bool last = info(packet.opcode).last;
    if (last) {
        ledgers_.mark({host_, receiver.message.request()}, Account::message, at.end);
    }
    const std::uint32_t number = answers_.accept(receiver.qp, packet.psn, last, packet.ack_request);
    placement_.place(packet, at, number, receiver.message);
    if (last) {
        finish_message(receiver, packet, at);
    }
}

void Responder::accept(const Packet& packet, Interval at) {
    ++packets_;
    psn_.set(packet.psn.value(), now());
    request_.set(packet.request, now());
    if (info(packet.opcode).last) {
        ledgers_.mark(packet.request, Account::rx_buffer, at.end);
    }
}

void Responder::finish_message(Receiver& receiver, const Packet& packet, Interval at) {
    ++messages_;
    receiver.state = State::between_messages;
    const WcStatus status = ended_.message_ends(receiver.message, packet, at.end);
    if (status != WcStatus::success) {
        // The data is placed, but neither ACK nor NAK goes back [X38].
        receiver.state = State::refused;
        answers_.fall_silent(receiver.qp, packet.psn);
        faults->qp_failed(receiver.qp, status);
    }
}

// The request was already executed: its answer is repeated [X9, X11].
void Responder::answer_again(const Receiver& receiver, const Packet& packet, Interval at) {
    ++duplicates_;
    const bool is_read = packet.opcode == Opcode::read_request;
    if (!is_read && packet.ack_request) {
        answers_.repeat(receiver.qp, at.end);
    }
    const auto again = is_read ? receiver.repeated.find(packet, *protection.operator->()) : std::nullopt;
    if (!again) {
        drop(packet, at);
        return;
    }
    rx_buffer->drained(wire_bytes(packet), now());
    answers_.read_begins(receiver.qp, again->first, receiver.reads.end(packet), true);
    reads_.add(*again);
}

// Asks for the expected packet, or for time.
void Responder::ask_again(const Receiver& receiver, const Packet& packet, Interval at, std::uint8_t nak) {
    answers_.refuse(receiver.qp, receiver.expected, nak, at.end);
    drop(packet, at);
}

// The request is refused for good. If it is a Send, the receive that it took completes with the error.
void Responder::refuse(Receiver& receiver, const Packet& packet, Interval at, const Refusal& refusal) {
    drop(packet, at);
    ended_.message_fails(receiver.message, refusal.why, at.end);
    fail(receiver, packet.psn, refusal, at.end);
}

void Responder::fail(Receiver& receiver, Psn psn, const Refusal& refusal, Picoseconds at) {
    receiver.state = State::refused;
    answers_.refuse(receiver.qp, psn, refusal.nak, at);
    faults->qp_failed(receiver.qp, refusal.why);
}

void Responder::read_refused(QpNum qp, Psn psn, std::size_t behind) {
    answers_.cut_reads(qp, psn, behind);
    fail(receivers_[qp_index(qp)], psn, kNoAccess, now());
}

void Responder::drop(const Packet& packet, Interval at) {
    ++dropped_;
    executing_.done(at, [&] {
        Work work = work_of(packet, packet.destination);
        work.what = "dropped";
        return work;
    });
    payloads_.give(packet.payload);
    rx_buffer->drained(wire_bytes(packet), at.end);
}

// The receive of an unfinished message is flushed like those behind it.
void Responder::fail_qp(QpNum qp) {
    Receiver& receiver = receivers_.at(qp_index(qp));
    ended_.message_fails(receiver.message, WcStatus::wr_flush, now());
    // Requests accepted before a refused one still get their answer, and then the NAK.
    if (receiver.state != State::refused) {
        receiver.state = State::failed;
        answers_.give_up(qp);
        reads_.drop(qp);
    }
}

void Responder::destroy_qp(QpNum qp) {
    receivers_.at(qp_index(qp)).state = State::absent;
    answers_.destroy(qp);
}

void Responder::report(StatSink& sink) const {
    sink.add("packets", packets_, StatUnit::count, "request packets executed");
    sink.add("messages", messages_, StatUnit::count, "messages received");
    sink.add("rnr_naks", rnr_naks_, StatUnit::count, "messages refused because no receive was posted");
    sink.add("naks", answers_.naks(), StatUnit::count, "negative acknowledgements sent, including RNR");
    sink.add("parked", waiting_.parked(), StatUnit::count, "messages set aside until their receive WQE was there");
    sink.add("duplicates", duplicates_, StatUnit::count, "request packets received again");
    sink.add("dropped", dropped_, StatUnit::count, "request packets dropped");
}

void Responder::check_idle() const {
    if (!waiting_.empty() || !placement_.is_idle()) {
        throw InvariantError(name(), now(), "request packets are still in work at the end");
    }
}

}  // namespace ndsim
