// SPDX-License-Identifier: Apache-2.0
#include "models/cq/overrun_guard.hpp"

#include <algorithm>
#include <utility>

#include "models/parts/ranks.hpp"
#include "sim/base/little_endian.hpp"
#include "sim/base/slots.hpp"

namespace ndsim {

OverrunGuard::OverrunGuard(Timeline& timeline, OverrunOwner& owner, CqRings& rings, CqTimes& times,
                           sc_core::sc_port<DmaPort>& dma)
    : timeline_(timeline),
      owner_(owner),
      rings_(rings),
      times_(times),
      dma_(dma),
      answers_(*this, timeline, kRankTransport) {}

void OverrunGuard::create(CqNum cq, Address record) {
    Queue& queue = grown(queues_, raw(cq));
    stop_asking(queue);
    queue = {};
    queue.open = true;
    queue.record = record;
}

void OverrunGuard::destroy(CqNum cq) {
    queues_[raw(cq)].open = false;
    queues_[raw(cq)].held_back.clear();
}

void OverrunGuard::hold_back(CqNum cq, const NewEntry& entry) {
    Queue& queue = queues_[raw(cq)];
    queue.held_back.push(entry);
    if (!queue.asking) {
        begin_asking(cq);
    }
}

void OverrunGuard::begin_asking(CqNum cq) {
    queues_[raw(cq)].asking = true;
    times_.queue_asks();
    ask(cq);
}

void OverrunGuard::stop_asking(Queue& queue) {
    if (std::exchange(queue.asking, false)) {
        times_.queue_knows();
    }
}

void OverrunGuard::ask(CqNum cq) {
    Queue& queue = queues_[raw(cq)];
    if (!queue.open) {
        stop_asking(queue);
        return;
    }
    const ReadPiece piece{queue.record, sizeof queue.asked, queue.asked.data()};
    if (!dma_->try_read(ReadClass::wqe, {&piece, 1}, raw(cq), RequestId{}, *this)) {
        refused_.push_back(cq);
        return;
    }
    ++questions_;
}

void OverrunGuard::read_space(ReadClass) {
    for (const CqNum cq : std::exchange(refused_, {})) {
        ask(cq);
    }
}

void OverrunGuard::read_arrives(std::uint32_t cq, Interval data) {
    answers_.push(std::max(timeline_.now(), data.end), CqNum{cq});
}

void OverrunGuard::answered(const CqNum& cq) {
    Queue& queue = queues_[raw(cq)];
    stop_asking(queue);
    if (!queue.open) {
        return;
    }
    rings_.polled(cq, load_le<std::uint32_t>(queue.asked.data()), timeline_.now());
    if (rings_.is_full(cq) && !queue.held_back.empty()) {
        while (!queue.held_back.empty()) {
            owner_.lost(queue.held_back.pop().cqe);
        }
        queue.overrun = true;
        ++overruns_;
        owner_.overran(cq);
        return;
    }
    let_in(cq);
    if (!queue.held_back.empty()) {  // they came during the question: there may have been polls since
        begin_asking(cq);
    }
}

void OverrunGuard::let_in(CqNum cq) {
    Queue& queue = queues_[raw(cq)];
    while (!queue.held_back.empty() && !rings_.is_full(cq)) {
        NewEntry first = queue.held_back.pop();
        first.at = std::max(first.at, timeline_.now());
        owner_.let_in(cq, first);
    }
}

}  // namespace ndsim
