// SPDX-License-Identifier: Apache-2.0
#include "models/wqe/receive_queues.hpp"

#include <algorithm>

#include "models/ports/qp_watch.hpp"
#include "models/ports/ranks.hpp"
#include "sim/base/error.hpp"

namespace ndsim {

ReceiveQueues::ReceiveQueues(const sc_core::sc_module_name& name, Timeline& timeline, const WqeParams& params,
                             HostId host, Ledgers& ledgers, PayloadPool& payloads)
    : Unit(name, timeline),
      params_(params),
      host_(host),
      ledgers_(ledgers),
      payloads_(payloads),
      arrivals_(*this, timeline, kRankWqe) {
    doorbells.bind(*this);
    receives.bind(*this);
    lifecycle.bind(*this);
}

void ReceiveQueues::create_qp(const QpAttributes& attributes) {
    const std::uint32_t index = qp_index(attributes.qp);
    if (queues_.size() <= index) {
        queues_.resize(index + 1);
    }
    ReceiveQueue& queue = queues_[index];
    queue.qp = attributes.qp;
    queue.cq = attributes.receive_cq;
    queue.ring = attributes.rq_ring;
    queue.entries = attributes.rq_entries;
    queue.stride = attributes.rq_stride;
    queue.watch = attributes.watch;
    queue.present = true;
}

void ReceiveQueues::connect_qp(QpNum, const QpConnection&) {}

void ReceiveQueues::rq_doorbell(QpNum qp, std::uint32_t producer) {
    ReceiveQueue& queue = queue_of(qp);
    if (queue.watch != nullptr) {
        queue.watch->rq_ready.take(producer - queue.producer, now());
    }
    queue.producer = producer;
    queue.announced.push({producer, now()});
    if (queue.failed) {
        flush(queue);
        return;
    }
    fetch(queue);
}

void ReceiveQueues::fetch(ReceiveQueue& queue) {
    if (!queue.present || queue.failed || queue.fetching || queue.requested == queue.producer) {
        return;
    }
    const std::uint32_t ahead = queue.requested - queue.consumed;
    const std::uint32_t batch = std::max(1U, params_.wqe_fetch_batch / queue.stride);
    const std::uint32_t room = params_.rq_prefetch > ahead ? params_.rq_prefetch - ahead : 0;
    const std::uint32_t to_ring_end = queue.entries - queue.requested % queue.entries;
    const std::uint32_t wanted = std::min({queue.producer - queue.requested, batch, to_ring_end});
    // A small top-up waits until a whole batch fits, unless nothing at all is left.
    if (room < wanted && ahead > 0) {
        return;
    }
    const std::uint32_t entries = std::min(wanted, room);
    if (entries == 0) {
        return;
    }
    const std::uint32_t entry_bytes = queue.stride * kWqeUnit;
    const PayloadRef buffer = payloads_.take();
    const ReadPiece piece{queue.ring + std::uint64_t{queue.requested % queue.entries} * entry_bytes,
                          entries * entry_bytes, payloads_.data(buffer)};
    if (!dma->try_read(ReadClass::receive_wqe, {&piece, 1}, qp_index(queue.qp), {}, *this)) {
        payloads_.give(buffer);
        refuse_fetch(queue);
        return;
    }
    queue.fetching = true;
    queue.fetch_entries = entries;
    queue.fetch_buffer = buffer;
    queue.fetch_begun = now();
    queue.requested += entries;
    ++fetches_;
}

void ReceiveQueues::refuse_fetch(ReceiveQueue& queue) {
    if (!queue.wants_fetch) {
        queue.wants_fetch = true;
        refused_fetches_.push(qp_index(queue.qp));
    }
}

void ReceiveQueues::read_space(ReadClass) {
    for (std::size_t n = refused_fetches_.size(); n > 0; --n) {
        ReceiveQueue& queue = queues_[refused_fetches_.pop()];
        queue.wants_fetch = false;
        fetch(queue);
    }
}

void ReceiveQueues::read_arrives(std::uint32_t index, Interval data) {
    arrivals_.push(std::max(now(), data.end), index);
}

void ReceiveQueues::wqes_arrive(const std::uint32_t& index) {
    ReceiveQueue& queue = queues_[index];
    queue.fetching = false;
    if (queue.failed) {
        payloads_.give(queue.fetch_buffer);
        return;
    }
    const std::byte* entry = payloads_.data(queue.fetch_buffer);
    std::uint32_t number = queue.requested - queue.fetch_entries;
    for (std::uint32_t i = 0; i < queue.fetch_entries; ++i) {
        Wqe* const wqe = wqes_.take();
        decode_wqe({entry, std::size_t{queue.stride} * kWqeUnit}, *wqe);
        queue.ready.push(wqe);
        entry += std::size_t{queue.stride} * kWqeUnit;
        ++number;
        while (static_cast<std::int32_t>(number - queue.announced.front().producer) > 0) {
            queue.announced.pop();
        }
        const RequestId request{host_, wqe->header.request};
        ledgers_.mark(request, Account::doorbell, queue.announced.front().at);
        ledgers_.mark(request, Account::message, queue.fetch_begun);  // until then it was not among the next ones
        ledgers_.mark(request, Account::wqe_fetch, now());
    }
    payloads_.give(queue.fetch_buffer);
    fetch(queue);
    if (std::exchange(queue.awaited, false)) {
        responder->receive_ready(queue.qp);
    }
}

ReceiveTake ReceiveQueues::take(QpNum qp, Wqe& into) {
    ReceiveQueue& queue = queue_of(qp);
    if (queue.ready.empty()) {
        if (queue.consumed == queue.producer) {
            ++none_posted_;
            return ReceiveTake::none_posted;
        }
        ++misses_;
        queue.awaited = true;
        return ReceiveTake::under_way;
    }
    Wqe* const wqe = queue.ready.pop();
    std::swap(into, *wqe);
    wqes_.give(wqe);
    ++queue.consumed;
    if (queue.watch != nullptr) {
        queue.watch->rq_ready.give(1, now());
    }
    ++taken_;
    fetch(queue);
    return ReceiveTake::taken;
}

void ReceiveQueues::fail_qp(QpNum qp) {
    ReceiveQueue& queue = queue_of(qp);
    if (queue.failed || !queue.present) {
        return;
    }
    queue.failed = true;
    flush(queue);
    if (std::exchange(queue.awaited, false)) {
        responder->receive_ready(queue.qp);
    }
}

// Every receive is one entry, so those that were not fetched can be flushed by their number alone.
void ReceiveQueues::flush(ReceiveQueue& queue) {
    if (queue.watch != nullptr) {
        queue.watch->rq_ready.give(queue.producer - queue.consumed, now());
    }
    for (; queue.consumed != queue.producer; ++queue.consumed) {
        Cqe cqe;
        cqe.qp = queue.qp;
        cqe.wqe_index = queue.consumed;
        cqe.opcode = WqeOpcode::receive;
        cqe.status = WcStatus::wr_flush;
        if (!queue.ready.empty()) {
            Wqe* const wqe = queue.ready.pop();
            cqe.request = wqe->header.request;
            wqes_.give(wqe);
        }
        completions->complete(queue.cq, cqe, now(), true);
    }
    queue.requested = queue.producer;
}

void ReceiveQueues::destroy_qp(QpNum qp) {
    queue_of(qp).present = false;
}

void ReceiveQueues::report(StatSink& sink) const {
    sink.add("fetches", fetches_, StatUnit::count, "reads of receive WQEs");
    sink.add("taken", taken_, StatUnit::count, "receives used by messages");
    sink.add("misses", misses_, StatUnit::count, "messages whose receive was posted but not yet fetched");
    sink.add("none_posted", none_posted_, StatUnit::count, "messages that found no receive posted");
}

}  // namespace ndsim
