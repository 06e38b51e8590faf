// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "models/cq/engine.hpp"
#include "sim/base/little_endian.hpp"
#include "sim/base/slots.hpp"

// How entries get into the rings: each in a write of its own, or several completions compressed into one, which waits
// for them until it is full or its time is over.
namespace ndsim {

void CompletionEngine::put(Queue& queue, const Cqe& cqe, Picoseconds at, bool bulk) {
    if (queue.gathered && !joins(queue, cqe, bulk)) {
        write_gathered(queue);
    }
    if (queue.gathered) {
        join(queue, cqe, at);
        return;
    }
    const Entry entry = begin_entry(queue, cqe, at, bulk);
    queue.bulk_under_way += bulk ? 1 : 0;
    const std::uint32_t slot = take_slot(written_, free_written_);
    written_[slot] = {queue.attributes.cq, bulk, 1, {cqe.request}};
    note();
    entries_.begin(slot, std::max(at, now()), [&] {
        const auto bytes = cqe.opcode == WqeOpcode::receive ? std::optional(cqe.bytes) : std::nullopt;
        const std::string_view status = kWcStatusNames.at(static_cast<std::size_t>(cqe.status));
        return Work{status, {host_, cqe.request}, cqe.qp, raw(queue.attributes.cq), {}, bytes};
    });
    if (params_.cqe_compression == 1 || !can_be_compressed(cqe)) {
        write_entry(entry, this, slot);
        return;
    }
    ++gathered_;
    queue.gathered = Gathered{entry, cqe, slot};
    gathering_.set(queue.attributes.cq, at + params_.cqe_compression_time);
    set_gathering_alarm();
}

// An entry stands at the place of its first completion, so it cannot go on at the beginning of the ring.
bool CompletionEngine::joins(const Queue& queue, const Cqe& cqe, bool bulk) {
    const std::uint32_t place = static_cast<std::uint32_t>(queue.produced) - queue.base;
    return bulk == queue.gathered->entry.bulk && place % queue.attributes.entries != 0 &&
           can_share_entry(queue.gathered->first, cqe);
}

void CompletionEngine::join(Queue& queue, const Cqe& cqe, Picoseconds at) {
    ++gathered_;
    Gathered& gathered = *queue.gathered;
    Written& written = written_[gathered.slot];
    add_to_cqe(payloads_.data(gathered.entry.data), cqe);
    gathered.entry.ready = std::max(gathered.entry.ready, at);
    written.requests.at(written.count) = cqe.request;
    ++written.count;
    if (written.count == params_.cqe_compression) {
        write_gathered(queue);
    }
}

void CompletionEngine::write_gathered(Queue& queue) {
    if (queue.gathered) {
        Gathered gathered = *std::exchange(queue.gathered, std::nullopt);
        gathered.entry.ready = std::max(gathered.entry.ready, now());
        write_entry(gathered.entry, this, gathered.slot);
        gathering_.drop(queue.attributes.cq);
        set_gathering_alarm();
    }
}

void CompletionEngine::forget_gathered(Queue& queue) {
    if (queue.gathered) {
        payloads_.give(queue.gathered->entry.data);
        free_written_.push_back(queue.gathered->slot);
        note();
        entries_.drop(queue.gathered->slot);
        queue.gathered.reset();
        gathering_.drop(queue.attributes.cq);
        set_gathering_alarm();
    }
}

void CompletionEngine::gathered_long_enough() {
    while (const auto cq = gathering_.take_due(now())) {
        write_gathered(queues_.at(raw(*cq)));
    }
}

void CompletionEngine::set_gathering_alarm() {
    if (const auto first = gathering_.first()) {
        gathering_alarm_.set(*first);
    } else {
        gathering_alarm_.drop();
    }
}

CompletionEngine::Entry CompletionEngine::begin_entry(const Queue& queue, const Cqe& cqe, Picoseconds at, bool bulk) {
    const std::uint32_t entries = queue.attributes.entries;
    const std::uint32_t place = static_cast<std::uint32_t>(queue.produced) - queue.base;
    const Entry entry{queue.attributes.ring + std::uint64_t{place % entries} * kCqeSize, payloads_.take(), at, bulk};
    std::byte* const data = payloads_.data(entry.data);
    std::fill_n(data, kCqeSize, std::byte{0});
    write_cqe(data, cqe, cqe_owner_of(place, entries));
    return entry;
}

void CompletionEngine::write_entry(const Entry& entry, WriteClient* client, std::uint32_t token) {
    ++entry_writes_;
    WriteTrain train;
    train.to = entry.to;
    train.length = kCqeSize;
    train.payload = entry.data;
    train.last_use = true;
    train.express = !entry.bulk;
    train.ready = {entry.ready, entry.ready};
    train.token = token;
    train.use = TlpUse::cqe;
    dma->write(train, client);
}

// In the bulk stream: behind the payload of Reads that it counts, and heads must not overtake each other.
void CompletionEngine::write_head(Address to, std::uint32_t head, Picoseconds at) {
    ++heads_;
    WriteTrain train;
    train.to = to;
    train.length = sizeof head;
    train.payload = payloads_.take();
    store_le(payloads_.data(train.payload), head);
    train.last_use = true;
    train.ready = {at, at};
    train.use = TlpUse::head;
    dma->write(train, nullptr);
}

void CompletionEngine::write_waited(std::uint32_t slot, Interval wait) {
    const Written& entry = written_[slot];
    for (std::uint32_t i = 0; i < entry.count; ++i) {
        ledgers_.mark({host_, entry.requests.at(i)}, Account::cqe, wait.start);
        ledgers_.mark({host_, entry.requests.at(i)}, Account::credits, wait.end);
    }
}

void CompletionEngine::write_scheduled(std::uint32_t slot, Picoseconds issued, Picoseconds visible) {
    const Written& entry = written_[slot];
    queues_[raw(entry.cq)].bulk_under_way -= entry.bulk ? 1 : 0;
    for (std::uint32_t i = 0; i < entry.count; ++i) {
        ledgers_.complete({host_, entry.requests.at(i)}, visible);
    }
    entries_.end(slot, visible);
    free_written_.push_back(slot);
    issued_until_ = std::max(issued_until_, issued);
    note();
}

}  // namespace ndsim
