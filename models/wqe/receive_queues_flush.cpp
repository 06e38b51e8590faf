// SPDX-License-Identifier: Apache-2.0
#include "models/wqe/receive_queues.hpp"

// How receive queues end: with their queue pair, which flushes them, or by themselves.
namespace ndsim {

// It has been closed: of what was fetched nothing is used any more.
void ReceiveQueues::forget_fetched(ReceiveQueue& queue, Picoseconds at) {
    const auto fetched = static_cast<std::int32_t>(queue.fetched - queue.consumed);
    if (queue.watch_fetched != nullptr && fetched > 0) {
        queue.watch_fetched->give(static_cast<std::uint32_t>(fetched), at);
    }
}

void ReceiveQueues::fail_qp(QpNum qp) {
    Taker& taker = taker_of(qp);
    if (taker.failed || !taker.present) {
        return;
    }
    taker.failed = true;
    ReceiveQueue& queue = queues_[taker.queue];
    if (!taker.shares) {
        queue.open = false;
        flush(qp);
    }
    wake_failed(queue, qp);
}

void ReceiveQueues::flush_deferred(QpNum qp, std::uint32_t, std::uint32_t, std::uint32_t producer) {
    if (!taker_of(qp).shares && producer != 0) {
        rq_doorbell(qp, producer);
    }
}

// Every receive is one entry, so those that were not fetched can be flushed by their number alone. Receives of a shared
// queue are not the queue pair's, and stay [K197].
void ReceiveQueues::flush(QpNum qp) {
    const Taker& taker = taker_of(qp);
    ReceiveQueue& queue = queues_[taker.queue];
    forget_fetched(queue, now());
    if (queue.watch != nullptr) {
        queue.watch->give(queue.left(), now());
    }
    for (; queue.consumed != queue.producer; ++queue.consumed) {
        Cqe cqe;
        cqe.qp = qp;
        cqe.wqe_index = queue.consumed;
        cqe.opcode = WqeOpcode::receive;
        cqe.status = WcStatus::wr_flush;
        if (!queue.ready.empty()) {
            Wqe* const wqe = queue.ready.pop();
            cqe.request = wqe->header.request;
            ledgers_.mark({host_, cqe.request}, Account::message, now());
            wqes_.give(wqe);
        }
        completions->complete(taker.cq, cqe, now(), true);
    }
    reader_.skip(taker.queue);
}

bool ReceiveQueues::is_quiet(QpNum qp) const {
    const Taker& taker = takers_.at(qp_index(qp));
    // What is in a shared queue, and what is read from it, is not the queue pair's.
    return taker.shares || (queues_[taker.queue].left() == 0 && !reader_.reading(taker.queue));
}

void ReceiveQueues::destroy_qp(QpNum qp) {
    Taker& taker = taker_of(qp);
    taker.present = false;
    if (!taker.shares) {
        queues_[taker.queue].open = false;
    }
    wake_failed(queues_[taker.queue], qp);
    if (!taker.shares) {
        numbers_.give(taker.queue);
    }
}

void ReceiveQueues::wake_failed(ReceiveQueue& queue, QpNum qp) {
    bool waited = false;
    for (std::size_t n = queue.waiting.size(); n > 0; --n) {
        const QpNum each = queue.waiting.pop();
        if (each == qp) {
            waited = true;
        } else {
            queue.waiting.push(each);
        }
    }
    if (waited) {
        responder->receive_ready(qp);
    }
}

// No queue pair is left that takes from it. What is still posted is nobody's.
void ReceiveQueues::destroy_srq(SrqNum srq) {
    const std::uint32_t index = shared_.at(raw(srq));
    ReceiveQueue& queue = queues_[index];
    queue.open = false;
    queue.record.reset();
    queue.limit = 0;
    forget_fetched(queue, now());
    if (queue.watch != nullptr) {
        queue.watch->give(queue.left(), now());
    }
    while (!queue.ready.empty()) {
        wqes_.give(queue.ready.pop());
    }
    queue.consumed = queue.producer;
    reader_.skip(index);
    numbers_.give(index);
}

}  // namespace ndsim
