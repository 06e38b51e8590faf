// SPDX-License-Identifier: Apache-2.0
#include "models/wqe/receive_queues.hpp"

#include <algorithm>

#include "models/ports/qp_watch.hpp"
#include "sim/base/error.hpp"

namespace ndsim {

ReceiveQueues::ReceiveQueues(const sc_core::sc_module_name& name, Timeline& timeline, const WqeParams& params,
                             HostId host, Ledgers& ledgers, PayloadPool& payloads)
    : Unit(name, timeline),
      params_(params),
      host_(host),
      ledgers_(ledgers),
      reader_(timeline, *this, dma, ReadClass::receive_wqe, payloads) {
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
    queue.stride = attributes.rq_stride;
    reader_.create(index, attributes.rq_ring, attributes.rq_entries * attributes.rq_stride);
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
    reader_.announce(qp_index(qp), producer * queue.stride);
    if (queue.failed) {
        flush(queue);
        return;
    }
    reader_.fetch(qp_index(qp));
}

std::uint32_t ReceiveQueues::wanted(std::uint32_t index, std::uint32_t there) {
    const ReceiveQueue& queue = queues_[index];
    if (!queue.present || queue.failed) {
        return 0;
    }
    const std::uint32_t ahead = queue.fetched - queue.consumed;
    const std::uint32_t batch = std::max(1U, params_.wqe_fetch_batch / queue.stride);
    const std::uint32_t room = params_.rq_prefetch > ahead ? params_.rq_prefetch - ahead : 0;
    const std::uint32_t wanted = std::min(there / queue.stride, batch);
    // A small top-up waits until a whole batch fits, unless nothing at all is left.
    return room < wanted && ahead > 0 ? 0 : std::min(wanted, room) * queue.stride;
}

void ReceiveQueues::reading(std::uint32_t index, std::uint32_t units) {
    queues_[index].fetched += units / queues_[index].stride;
}

void ReceiveQueues::arrived(std::uint32_t index, std::span<const std::byte> units) {
    ReceiveQueue& queue = queues_[index];
    if (queue.failed) {
        return;
    }
    const std::size_t entry = std::size_t{queue.stride} * kWqeUnit;
    for (; !units.empty(); units = units.subspan(entry)) {
        Wqe* const wqe = wqes_.take();
        decode_wqe(units.first(entry), *wqe);
        queue.ready.push(wqe);
        queue.accepted += queue.stride;
        const RequestId request{host_, wqe->header.request};
        ledgers_.mark(request, Account::doorbell, reader_.announced(index, queue.accepted));
        ledgers_.mark(request, Account::message, reader_.begun(index));  // until then it was not among the next ones
        ledgers_.mark(request, Account::wqe_fetch, now());
    }
    reader_.fetch(index);
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
    reader_.fetch(qp_index(qp));
    return ReceiveTake::taken;
}

std::uint32_t ReceiveQueues::posted(QpNum qp) const {
    const ReceiveQueue& queue = queues_.at(qp_index(qp));
    return queue.producer - queue.consumed;
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
    reader_.skip(qp_index(queue.qp));
}

bool ReceiveQueues::is_quiet(QpNum qp) const {
    const std::uint32_t index = qp_index(qp);
    const ReceiveQueue& queue = queues_.at(index);
    return queue.consumed == queue.producer && !reader_.reading(index);
}

void ReceiveQueues::destroy_qp(QpNum qp) {
    queue_of(qp).present = false;
}

void ReceiveQueues::report(StatSink& sink) const {
    sink.add("fetches", reader_.reads(), StatUnit::count, "reads of receive WQEs");
    sink.add("taken", taken_, StatUnit::count, "receives used by messages");
    sink.add("misses", misses_, StatUnit::count, "messages whose receive was posted but not yet fetched");
    sink.add("none_posted", none_posted_, StatUnit::count, "messages that found no receive posted");
}

}  // namespace ndsim
