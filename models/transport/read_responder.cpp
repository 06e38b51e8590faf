// SPDX-License-Identifier: Apache-2.0
#include "models/transport/read_responder.hpp"

#include <algorithm>

#include "models/parts/ranks.hpp"
#include "models/proto/message_bytes.hpp"
#include "models/proto/packet_work.hpp"
#include "models/proto/segment.hpp"
#include "sim/base/invariant_error.hpp"
#include "sim/base/slots.hpp"

namespace ndsim {

namespace {

enum ReadResponderState : std::size_t { kIdle, kTxFifo, kTags, kBusy };  // in the order of Lack
constexpr std::array kReadResponderStates{
    EngineState{EngineState::kIdle, ""},
    EngineState{"tx_fifo", "time with a response that waited for room in the TX FIFO"},
    EngineState{"tags", "time with a response that waited for DMA reads or tags"},
    EngineState{EngineState::kBusy, "time with a Read that is not fully answered"}};

}  // namespace

ReadResponder::ReadResponder(const sc_core::sc_module_name& name, Timeline& timeline, const TransportParams& params,
                             Picoseconds tx_pipe, const ForwardGrain& grain, Ledgers& ledgers, PayloadPool& payloads)
    : Unit(name, timeline),
      schedule_(params.read_response_sched),
      interval_(params.read_interval),
      gap_(params.read_gap),
      tx_pipe_(tx_pipe),
      grain_(grain),
      ledgers_(ledgers),
      payloads_(payloads),
      times_(*this, {}, kReadResponderStates),
      starts_(*this, timeline, kRankTransport) {
    room.bind(*this);
}

void ReadResponder::add(const ReadJob& job) {
    ++reads_;
    ++jobs_;
    const std::uint32_t index = qp_index(job.qp);
    auto& jobs = grown(queues_, index).jobs;
    jobs.push(job);
    jobs.back().scheduled = now() + schedule_;
    take_turn(index);
    serve();
}

void ReadResponder::may_start(std::uint32_t index) {
    queues_[index].waits = false;
    take_turn(index);
    serve();
}

void ReadResponder::take_turn(std::uint32_t index) {
    Queue& queue = queues_[index];
    if (queue.has_turn || queue.waits || queue.jobs.empty()) {
        return;
    }
    const Picoseconds scheduled = queue.jobs.front().scheduled;
    const Picoseconds start = queue.offset > 0 ? now() : std::max(scheduled, queue.next_start);
    if (start <= now()) {
        queue.has_turn = true;
        turns_.push(index);
        return;
    }
    queue.waits = true;
    paced_ += start > scheduled ? 1 : 0;
    starts_.push(start, index);
}

// The minimum time of its responses on the lane; the next Read's responses follow behind them.
Picoseconds ReadResponder::lane_time(const ReadJob& job) const {
    return egress->lane_rate().time(
        message_wire_bytes(Operation::read_response, job.length, job.mtu, egress->framing()));
}

void ReadResponder::drop(QpNum qp) {
    if (qp_index(qp) < queues_.size()) {
        jobs_ -= queues_[qp_index(qp)].jobs.size();
        queues_[qp_index(qp)].jobs.clear();
        queues_[qp_index(qp)].offset = 0;
        queues_[qp_index(qp)].next_start = {};
        assembly_.drop(qp_index(qp));
        note();
    }
}

void ReadResponder::serve() {
    if (serving_) {
        return;
    }
    serving_ = true;
    lack_ = Lack::none;
    while (!turns_.empty()) {
        const std::uint32_t index = turns_.front();
        lack_ = queues_[index].jobs.empty() ? Lack::none : respond(queues_[index]);
        if (lack_ != Lack::none) {
            break;
        }
        turns_.pop();
        queues_[index].has_turn = false;
        take_turn(index);
    }
    serving_ = false;
    note();
}

void ReadResponder::note() {
    const bool answering = jobs_ > 0 || !assembly_.empty();
    if (lack_ != Lack::none) {
        times_.enter(static_cast<std::size_t>(lack_), now());
        return;
    }
    if (answering || data_until_ > now()) {
        times_.enter(kBusy, now());
    }
    if (!answering) {
        times_.enter(kIdle, std::max(now(), data_until_));
    }
}

ReadResponder::Lack ReadResponder::respond(Queue& queue) {
    const ReadJob& job = queue.jobs.front();
    const std::uint32_t bytes = packet_bytes(job.length, queue.offset, job.mtu);
    const bool last = queue.offset + bytes == job.length;
    Packet packet;
    packet.opcode = packet_opcode(Operation::read_response, queue.offset == 0, last);
    packet.psn = job.first + queue.offset / job.mtu;
    packet.destination = job.peer;
    packet.source = job.qp;
    packet.to = job.peer_host;
    packet.framing = egress->framing();
    packet.aeth = {Aeth::kAck, job.msn};
    packet.payload_bytes = bytes;
    packet.reached = queue.offset + bytes;
    packet.behind = job.length - packet.reached;
    packet.request = job.request;
    ranges_.clear();
    const KeyUse use{job.key, job.pd, job.qp, job.remote + queue.offset, bytes, kRemoteRead};
    if (!protection->allows(use, &ranges_)) {
        end_early(queue, packet.psn);
        return Lack::none;
    }
    if (!egress->has_room(wire_bytes(packet))) {
        queue.waited_for = Account::tx;
        return Lack::tx_fifo;
    }
    if (queue.offset == 0) {
        queue.next_start = now() + std::max(interval_, lane_time(job) + gap_);
    }
    if (queue.offset == 0 || last) {
        ledgers_.mark(packet.request, std::exchange(queue.waited_for, Account::arbitration), now());
    }
    packet.payload = bytes > 0 ? payloads_.take_for_message() : PayloadRef::none;
    const std::uint32_t slot = assembly_.take(qp_index(job.qp), packet);
    if (!load(packet, slot)) {
        payloads_.give(packet.payload);
        assembly_.give(slot);
        queue.waited_for = Account::tags;
        return Lack::tags;
    }
    egress->reserve(wire_bytes(packet));
    psn_.set(packet.psn.value(), now());
    request_.set(packet.request, now());
    assembly_.add(slot);
    making_.begin(slot, now(), [&] { return work_of(packet, packet.source); });
    queue.offset += bytes;
    if (last) {
        --jobs_;
        queue.jobs.pop();
        queue.offset = 0;
    }
    hand_on(packet.source);
    return Lack::none;
}

void ReadResponder::end_early(Queue& queue, Psn psn) {
    const ReadJob job = queue.jobs.pop();
    --jobs_;
    queue.offset = 0;
    if (job.again) {
        owner_->repeat_refused(job.qp, psn, queue.jobs.size());
    } else {
        const std::size_t behind = queue.jobs.size();
        queue.jobs.clear();
        jobs_ -= behind;
        owner_->read_refused(job.qp, psn, behind);
    }
}

// A Read finds the data of earlier Writes of its queue pair [X47]. One of no bytes follows them, too, for its response
// acknowledges them [X17].
bool ReadResponder::load(const Packet& packet, std::uint32_t slot) {
    std::byte* into = packet.payload_bytes == 0 ? nullptr : payloads_.data(packet.payload);
    pieces_.clear();
    for (const HostRange& range : ranges_) {
        pieces_.push_back({range.at, range.length, into});
        into += range.length;
    }
    const RequestId charged = info(packet.opcode).last ? packet.request : RequestId{};
    return dma->try_read_behind_writes(packet.source, pieces_, slot, charged, *this);
}

void ReadResponder::read_arrives(std::uint32_t slot, Interval data) {
    const Picoseconds at = now();
    const Packet packet = assembly_.at(slot).packet;
    const Picoseconds more = grain_.rest(packet) + tx_pipe_;
    assembly_.set_ready(slot, {std::max(at, data.start) + more, std::max(at, data.end) + more});
    if (info(packet.opcode).last) {
        ledgers_.mark(packet.request, Account::payload_read, std::max(at, data.end));
    }
    data_until_ = std::max(data_until_, data.end);
    hand_on(packet.source);
    note();
}

void ReadResponder::hand_on(QpNum qp) {
    assembly_.hand_on(qp_index(qp), [this](const Assembly::Built& built, std::uint32_t slot) {
        if (built.dropped) {
            making_.drop(slot);
            egress->release(wire_bytes(built.packet));
            payloads_.give(built.packet.payload);
        } else {
            ++packets_;
            making_.end(slot, built.ready.start);
            egress->send(built.packet, built.ready);
        }
    });
}

void ReadResponder::report(StatSink& sink) const {
    sink.add("reads", reads_, StatUnit::count, "Reads of the peer, including repeated ones");
    sink.add("packets", packets_, StatUnit::count, "response packets sent");
    sink.add("paced", paced_, StatUnit::count, "Reads that waited for the pace of their queue pair");
}

void ReadResponder::check_idle() const {
    if (!assembly_.empty()) {
        throw InvariantError(name(), now(), "responses still wait for their data at the end");
    }
}

}  // namespace ndsim
