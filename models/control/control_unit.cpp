// SPDX-License-Identifier: Apache-2.0
#include "models/control/control_unit.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "models/parts/ranks.hpp"
#include "sim/base/slots.hpp"

namespace ndsim {

namespace {

constexpr std::uint64_t kPage = 4096;

template <class... Handlers>
struct Overloaded : Handlers... {
    using Handlers::operator()...;
};
template <class... Handlers>
Overloaded(Handlers...) -> Overloaded<Handlers...>;  // Clang 14 does not deduce it for aggregates

constexpr std::array kStates{EngineState{EngineState::kIdle, ""},
                             EngineState{EngineState::kBusy, "time with a command in progress"}};

}  // namespace

ControlUnit::ControlUnit(const sc_core::sc_module_name& name, Timeline& timeline, const ControlParams& params,
                         Picoseconds tx_pipe, PayloadPool& payloads)
    : Unit(name, timeline),
      params_(params),
      tx_pipe_(tx_pipe),
      payloads_(payloads),
      actions_(*this, timeline, kRankControl),
      times_(*this, {}, kStates) {
    commands.bind(*this);
    qp_faults.bind(*this);
    cq_faults.bind(*this);
    srq_limits.bind(*this);
    datagrams.bind(*this);
}

Picoseconds ControlUnit::latency(const Command& command) const {
    if (const auto* const region = std::get_if<MemoryRegion>(&command)) {
        const std::uint64_t pages = ceil_div(raw(region->base) % kPage + region->length, kPage);
        return params_.registration + static_cast<std::int64_t>(pages) * params_.registration_per_page;
    }
    if (const auto* const connect = std::get_if<ConnectQp>(&command); connect != nullptr && !connect->before_run) {
        return params_.connect_latency;
    }
    return std::holds_alternative<DestroyKey>(command) ? params_.deregistration : params_.command_latency;
}

// Commands are executed one after the other. Returns when this one takes effect, and when it is done.
Interval ControlUnit::schedule(Picoseconds at, Picoseconds span) {
    const Picoseconds begin = std::max(at, last_done_);
    last_done_ = begin + span;
    times_.busy({begin, last_done_});
    return {begin + span / 2, last_done_};
}

void ControlUnit::submit(Picoseconds at, Command command, std::function<void()> done) {
    ++commands_;
    const auto* const connect = std::get_if<ConnectQp>(&command);
    connects_ += connect != nullptr && !connect->before_run ? 1 : 0;
    const Interval when = schedule(at, latency(command));
    if (std::holds_alternative<DestroyKey>(command)) {
        done = [this, done = std::move(done)] { settle(dma->given(), done); };
    }
    actions_.push(when.start, [this, command = std::move(command)] { execute(command); });
    actions_.push(when.end, std::move(done));
}

// Whoever gives memory back waits for the transfers that DMA has been given by the end of the command; its key is dead,
// so that no later one uses the memory.
void ControlUnit::settle(const DmaMark& mark, const std::function<void()>& done) {
    const std::optional<Picoseconds> at = dma->settled(mark);
    if (!at) {
        look_again([this, mark, done] { settle(mark, done); });
    } else if (*at <= now()) {
        done();
    } else {
        actions_.push(*at, done);  // a later look might find a later time, as long as others write
    }
}

void ControlUnit::quiesce(Picoseconds at, QpNum qp, Address event, std::function<void()> done) {
    ++commands_;
    const std::uint32_t slot = take_slot(quiescences_, free_quiescences_);
    quiescences_[slot] = {qp, event, std::move(done)};
    actions_.push(schedule(at, params_.command_latency).start, [this, slot] { watch(slot); });
}

// The firmware looks repeatedly until the queue pair is quiet. Data and entries then still on their way to host memory
// precede the event, which is written behind everything else.
void ControlUnit::watch(std::uint32_t slot) {
    const Quiescence& quiescence = quiescences_[slot];
    bool quiet = !completion_queues->holds_back();
    for (int i = 0; i < queue_pairs.size(); ++i) {
        quiet = quiet && queue_pairs[i]->is_quiet(quiescence.qp);
    }
    if (!quiet) {
        look_again([this, slot] { watch(slot); });
        return;
    }
    completion_queues->write_gathered();
    WriteTrain event;
    event.to = quiescence.event;
    event.length = kEventBytes;
    event.payload = payloads_.take();
    std::fill_n(payloads_.data(event.payload), event.length, std::byte{0});
    event.last_use = true;
    event.ready = {now(), now()};
    event.token = slot;
    event.use = TlpUse::cqe;
    dma->write(event, this);
}

void ControlUnit::write_scheduled(std::uint32_t slot, Picoseconds, Picoseconds visible) {
    ++events_;
    actions_.push(visible + params_.event_latency, std::exchange(quiescences_[slot].done, nullptr));
    free_quiescences_.push_back(slot);
}

void ControlUnit::execute(const Command& command) {
    const auto each = [this](auto&& call) {
        for (int i = 0; i < queue_pairs.size(); ++i) {
            call(*queue_pairs[i]);
        }
    };
    const auto keepers = [this](auto&& call) {
        for (int i = 0; i < protection.size(); ++i) {
            call(*protection[i]);
        }
    };
    std::visit(Overloaded{
                   [&](const CqAttributes& cq) { completion_queues->create_cq(cq); },
                   [&](const SrqAttributes& srq) { shared_receive_queues->create_srq(srq); },
                   [&](const ModifySrq& change) { shared_receive_queues->modify_srq(change); },
                   [&](const DestroySrq& c) { shared_receive_queues->destroy_srq(c.srq); },
                   [&](const QpAttributes& qp) {
                       grown(qps_, qp_index(qp.qp)) = {qp, false};
                       each([&](QpLifecycle& unit) { unit.create_qp(qp); });
                   },
                   [&](const ConnectQp& c) { each([&](QpLifecycle& unit) { unit.connect_qp(c.qp, c.connection); }); },
                   [&](const FailQp& c) {
                       if (c.oldest != WcStatus::wr_flush) {
                           each([&](QpLifecycle& unit) { unit.fail_oldest(c.qp, c.oldest); });
                       }
                       qp_failed(c.qp, WcStatus::wr_flush);
                       each([&](QpLifecycle& unit) { unit.flush_deferred(c.qp, c.producer, c.entries, c.receives); });
                   },
                   [&](const DestroyQp& c) {
                       qps_[qp_index(c.qp)].reset();
                       each([&](QpLifecycle& unit) { unit.destroy_qp(c.qp); });
                   },
                   [&](const DestroyCq& c) { completion_queues->destroy_cq(c.cq); },
                   [&](const ResizeCq& c) { *c.taken = completion_queues->resize_cq(c.resize); },
                   [&](const ModerateCq& c) { completion_queues->moderate_cq(c.cq, c.moderation); },
                   [&](const MemoryRegion& region) { keepers([&](ProtectionAdmin& unit) { unit.add(region); }); },
                   [&](const FreeKey& key) { keepers([&](ProtectionAdmin& unit) { unit.add(key); }); },
                   [&](const DestroyKey& c) { keepers([&](ProtectionAdmin& unit) { unit.remove(c.key); }); },
                   [&](const SendDatagram& datagram) { send_datagram(datagram); },
               },
               command);
}

void ControlUnit::send_datagram(const SendDatagram& datagram) {
    ++datagrams_;
    Packet packet;
    packet.opcode = Opcode::ud_send_only;
    packet.destination = QpNum{1};  // the management queue pair
    packet.source = QpNum{1};
    packet.to = datagram.to;
    packet.payload_bytes = SendDatagram::kBytes;
    packet.payload = payloads_.take();
    std::memcpy(payloads_.data(packet.payload), datagram.bytes.data(), datagram.bytes.size());
    egress->send_control(packet, now() + tx_pipe_);
}

void ControlUnit::datagram_arrived(const Packet& packet) {
    std::array<std::byte, SendDatagram::kBytes> bytes{};
    std::memcpy(bytes.data(), payloads_.data(packet.payload), bytes.size());
    payloads_.give(packet.payload);
    tell_host([this, bytes] { host->datagram(bytes); });
}

void ControlUnit::qp_failed(QpNum qp, WcStatus why) {
    std::optional<QueuePair>& its = qps_.at(qp_index(qp));
    if (!its || its->attributes.qp != qp || std::exchange(its->failed, true)) {
        return;
    }
    for (int i = 0; i < queue_pairs.size(); ++i) {
        queue_pairs[i]->fail_qp(qp);
    }
    report_failure(qp, why);
}

void ControlUnit::report_failure(QpNum qp, WcStatus why) {
    tell_host([this, qp, why] { tell_of_failure(qp, why); });
}

// Software ends the connection, and its word must not overtake the NAK that tells the peer which request is to blame.
void ControlUnit::tell_of_failure(QpNum qp, WcStatus why) {
    for (int i = 0; i < queue_pairs.size(); ++i) {
        if (!queue_pairs[i]->has_told_peer(qp)) {
            look_again([this, qp, why] { tell_of_failure(qp, why); });
            return;
        }
    }
    host->qp_error(qp, why);
}

void ControlUnit::cq_failed(CqNum cq) {
    tell_host([this, cq] { host->cq_error(cq); });
    // Its queue pairs can no longer report anything [X58].
    actions_.push(now(), [this, cq] {
        for (const std::optional<QueuePair>& qp : qps_) {
            if (!qp || (qp->attributes.send_cq != cq && qp->attributes.receive_cq != cq)) {
                continue;
            }
            if (qp->failed) {  // perhaps by a flush, which does not end the connection
                report_failure(qp->attributes.qp, WcStatus::loc_qp_op);
            } else {
                qp_failed(qp->attributes.qp, WcStatus::loc_qp_op);
            }
        }
    });
}

void ControlUnit::srq_limit_reached(SrqNum srq) {
    tell_host([this, srq] { host->srq_limit(srq); });
}

void ControlUnit::tell_host(Action action) {
    ++events_;
    actions_.push(now() + params_.event_latency, std::move(action));
}

void ControlUnit::report(StatSink& sink) const {
    sink.add("commands", commands_, StatUnit::count, "commands of the control path");
    sink.add("connects", connects_, StatUnit::count, "queue pairs connected, not counting those of set-up");
    sink.add("datagrams", datagrams_, StatUnit::count, "management datagrams sent");
    sink.add("events", events_, StatUnit::count, "events that software was told of, including datagrams from peers");
}

}  // namespace ndsim
