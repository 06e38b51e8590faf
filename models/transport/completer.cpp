// SPDX-License-Identifier: Apache-2.0
#include "models/transport/completer.hpp"

#include "models/ports/qp_watch.hpp"
#include "models/ports/ranks.hpp"
#include "sim/base/error.hpp"

namespace ndsim {

namespace {

// What a NAK means for the message that it names [wire.md 8].
WcStatus status_of(std::uint8_t syndrome) {
    switch (syndrome) {
        case Aeth::kNakInvalidRequest:
            return WcStatus::rem_inv_req;
        case Aeth::kNakRemoteAccess:
            return WcStatus::rem_access;
        case Aeth::kNakRemoteOperational:
            return WcStatus::rem_op;
        default:
            return WcStatus::rnr_retry_exceeded;  // RNR NAK; no retries are configured
    }
}

}  // namespace

Completer::Completer(const sc_core::sc_module_name& name, Timeline& timeline, HostId host, Ledgers& ledgers)
    : Unit(name, timeline), host_(host), ledgers_(ledgers), failures_(*this, timeline, kRankTransport) {
    lifecycle.bind(*this);
}

void Completer::create_qp(const QpAttributes& attributes) {
    const std::uint32_t index = qp_index(attributes.qp);
    if (queues_.size() <= index) {
        queues_.resize(index + 1);
    }
    queues_[index].cq = attributes.send_cq;
    queues_[index].watch = attributes.watch;
}

void Completer::connect_qp(QpNum qp, const QpConnection& connection) {
    queues_[qp_index(qp)].unacknowledged = connection.first_psn;
}

void Completer::expect(QpNum qp, const WqeHeader& wqe, Psn last) {
    Queue& queue = queues_[qp_index(qp)];
    if (queue.watch != nullptr) {
        QpWatch::move(queue.watch->sq_fetched, queue.watch->sq_unacknowledged, now());
    }
    queue.pending.push({wqe, last, WcStatus::success});
}

void Completer::expect_failure(QpNum qp, const WqeHeader& wqe, WcStatus status) {
    expect(qp, wqe, {});
    Queue& queue = queues_[qp_index(qp)];
    queue.pending.back().failed = status;
    if (queue.pending.size() == 1) {
        failures_.push(now(), qp);  // not from within the engine that is just starting it
    }
}

void Completer::fail_head(const QpNum& qp) {
    Queue& queue = queues_[qp_index(qp)];
    if (!queue.failed && !queue.pending.empty()) {
        fail(qp, queue, queue.pending.front().failed);
    }
}

void Completer::flush(QpNum qp, const WqeHeader& wqe) {
    Queue& queue = queues_[qp_index(qp)];
    if (queue.watch != nullptr) {
        QpWatch::move(queue.watch->sq_fetched, queue.watch->sq_completed, now());
    }
    ++flushed_;
    complete(qp, queue, wqe, WcStatus::wr_flush);
}

void Completer::acknowledge(const Packet& ack) {
    const QpNum qp = ack.destination;
    Queue& queue = queues_.at(qp_index(qp));
    if (queue.failed) {
        return;
    }
    const bool positive = (ack.aeth.syndrome & 0xE0U) == 0;
    ++(positive ? acks_ : naks_);
    // A NAK acknowledges everything before the packet that it names.
    retire(qp, queue, positive ? ack.psn + 1 : ack.psn);
    if (!positive && !queue.failed) {
        fail(qp, queue, status_of(ack.aeth.syndrome));
        return;
    }
    work->resume_qp(qp);
}

void Completer::retire(QpNum qp, Queue& queue, Psn up_to) {
    if (const std::int32_t packets = up_to.ahead_of(queue.unacknowledged); packets > 0) {
        queue.unacknowledged = up_to;
        if (queue.watch != nullptr) {
            queue.watch->psn_window.give(static_cast<std::uint64_t>(packets), now());
        }
    }
    while (!queue.pending.empty()) {
        const Pending& head = queue.pending.front();
        if (head.failed != WcStatus::success) {
            fail(qp, queue, head.failed);
            return;
        }
        if (head.last.ahead_of(queue.unacknowledged) >= 0) {
            return;
        }
        ++retired_;
        ledgers_.mark({host_, head.wqe.request}, Account::ack_return, now());
        const Pending done = take_oldest(queue);
        if (done.wqe.has(kWqeSignaled)) {
            complete(qp, queue, done.wqe, WcStatus::success);
        }
    }
}

void Completer::complete(QpNum qp, Queue& queue, const WqeHeader& wqe, WcStatus status) {
    Cqe cqe;
    cqe.qp = qp;
    cqe.wqe_index = wqe.index;
    cqe.opcode = wqe.opcode;
    cqe.status = status;
    cqe.request = wqe.request;
    completions->complete(queue.cq, cqe, now(), false);
}

void Completer::fail(QpNum qp, Queue& queue, WcStatus status) {
    if (queue.pending.empty()) {
        throw InvariantError(name(), now(), "a NAK names no message");
    }
    const Pending head = take_oldest(queue);
    ledgers_.mark({host_, head.wqe.request}, Account::ack_return, now());
    complete(qp, queue, head.wqe, status);
    faults->qp_failed(qp);
}

Completer::Pending Completer::take_oldest(Queue& queue) {
    if (queue.watch != nullptr) {
        QpWatch::move(queue.watch->sq_unacknowledged, queue.watch->sq_completed, now());
    }
    return queue.pending.pop();
}

void Completer::fail_qp(QpNum qp) {
    Queue& queue = queues_.at(qp_index(qp));
    queue.failed = true;
    while (!queue.pending.empty()) {
        ++flushed_;
        complete(qp, queue, take_oldest(queue).wqe, WcStatus::wr_flush);
    }
}

void Completer::destroy_qp(QpNum) {}

void Completer::report(StatSink& sink) const {
    sink.add("acks", acks_, StatUnit::count, "acknowledgements received");
    sink.add("naks", naks_, StatUnit::count, "negative acknowledgements received");
    sink.add("retired", retired_, StatUnit::count, "requests that succeeded");
    sink.add("flushed", flushed_, StatUnit::count, "requests flushed after a failure");
}

void Completer::check_idle() const {
    for (const Queue& queue : queues_) {
        if (!queue.pending.empty()) {
            throw InvariantError(name(), now(), "requests are still unacknowledged at the end");
        }
    }
}

}  // namespace ndsim
