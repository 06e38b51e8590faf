// SPDX-License-Identifier: Apache-2.0
#include "models/cq/entry_writer.hpp"

#include <algorithm>
#include <utility>

#include "sim/base/slots.hpp"

namespace ndsim {

EntryWriter::EntryWriter(Unit& owner, Timeline& timeline, const QueueParams& params, HostId host, Ledgers& ledgers,
                         PayloadPool& payloads, const CqRings& rings, CqTimes& times, sc_core::sc_port<DmaPort>& dma)
    : timeline_(timeline),
      most_in_entry_(params.cqe_compression),
      longest_wait_(params.cqe_compression_time),
      host_(host),
      ledgers_(ledgers),
      payloads_(payloads),
      rings_(rings),
      times_(times),
      dma_(dma),
      deadlines_(*this, timeline),
      entries_(owner, "entries", "entries from their first completion until they are visible") {}

void EntryWriter::create(CqNum cq) {
    grown(queues_, raw(cq)) = {};
}

void EntryWriter::put(CqNum cq, const Cqe& cqe, bool bulk) {
    Queue& queue = queues_[raw(cq)];
    if (queue.gathering && !joins(cq, cqe, bulk)) {
        flush(cq);
    }
    if (queue.gathering) {
        join(cq, cqe);
        return;
    }
    const Entry entry = begin(cq, cqe, cqe.written, bulk);
    queue.bulk_under_way += bulk ? 1 : 0;
    const std::uint32_t slot = take_slot(written_, free_written_);
    Written& written = written_[slot];
    written.cq = cq;
    written.bulk = bulk;
    written.count = 1;
    written.requests.front() = cqe.request;
    times_.entry_begins();
    entries_.begin(slot, std::max(cqe.written, timeline_.now()), [&] {
        const auto bytes = cqe.opcode == WqeOpcode::receive ? std::optional(cqe.bytes) : std::nullopt;
        const std::string_view status = kWcStatusNames.at(static_cast<std::size_t>(cqe.status));
        return Work{status, {host_, cqe.request}, cqe.qp, raw(cq), {}, bytes};
    });
    if (most_in_entry_ == 1 || !can_be_compressed(cqe)) {
        write(entry, this, slot);
        return;
    }
    ++gathered_;
    written.entry = entry;
    written.first = cqe;
    queue.gathering = slot;
    deadlines_.set(cq, cqe.written + longest_wait_);
}

void EntryWriter::put_moved(CqNum cq) {
    Cqe moved;
    moved.moved = true;
    flush(cq);
    write(begin(cq, moved, timeline_.now(), has_bulk_under_way(cq)), nullptr, 0);
}

// An entry is at the place of its first completion, so it cannot continue at the beginning of the ring.
bool EntryWriter::joins(CqNum cq, const Cqe& cqe, bool bulk) const {
    const Written& gathering = written_[*queues_[raw(cq)].gathering];
    return bulk == gathering.bulk && !rings_.is_at_beginning(cq) && can_share_entry(gathering.first, cqe);
}

void EntryWriter::join(CqNum cq, const Cqe& cqe) {
    ++gathered_;
    Written& written = written_[*queues_[raw(cq)].gathering];
    add_to_cqe(payloads_.data(written.entry.data), cqe);
    written.entry.ready = std::max(written.entry.ready, cqe.written);
    written.requests.at(written.count) = cqe.request;
    ++written.count;
    if (written.count == most_in_entry_) {
        flush(cq);
    }
}

void EntryWriter::flush(CqNum cq) {
    if (const auto slot = std::exchange(queues_[raw(cq)].gathering, std::nullopt)) {
        Entry entry = written_[*slot].entry;
        entry.ready = std::max(entry.ready, timeline_.now());
        write(entry, this, *slot);
        deadlines_.drop(cq);
    }
}

void EntryWriter::forget(CqNum cq) {
    if (const auto slot = std::exchange(queues_[raw(cq)].gathering, std::nullopt)) {
        payloads_.give(written_[*slot].entry.data);
        free_written_.push_back(*slot);
        times_.entry_dropped();
        entries_.drop(*slot);
        deadlines_.drop(cq);
    }
}

EntryWriter::Entry EntryWriter::begin(CqNum cq, const Cqe& cqe, Picoseconds at, bool bulk) {
    const CqRings::Place place = rings_.next_place(cq);
    const Entry entry{place.to, payloads_.take(), at, bulk};
    std::byte* const data = payloads_.data(entry.data);
    std::fill_n(data, kCqeSize, std::byte{0});
    write_cqe(data, cqe, place.owner);
    return entry;
}

void EntryWriter::write(const Entry& entry, WriteClient* client, std::uint32_t slot) {
    ++entry_writes_;
    WriteTrain train;
    train.to = entry.to;
    train.length = kCqeSize;
    train.payload = entry.data;
    train.last_use = true;
    train.express = !entry.bulk;
    train.ready = {entry.ready, entry.ready};
    train.token = slot;
    train.use = TlpUse::cqe;
    dma_->write(train, client);
}

void EntryWriter::write_waited(std::uint32_t slot, Interval wait) {
    const Written& entry = written_[slot];
    for (std::uint32_t i = 0; i < entry.count; ++i) {
        ledgers_.mark_completion({host_, entry.requests.at(i)},
                                 {{Account::cqe, wait.start}, {Account::credits, wait.end}});
    }
}

void EntryWriter::write_scheduled(std::uint32_t slot, Picoseconds issued, Picoseconds visible) {
    const Written& entry = written_[slot];
    queues_[raw(entry.cq)].bulk_under_way -= entry.bulk ? 1 : 0;
    for (std::uint32_t i = 0; i < entry.count; ++i) {
        ledgers_.complete({host_, entry.requests.at(i)}, visible);
    }
    entries_.end(slot, visible);
    free_written_.push_back(slot);
    times_.entry_leaves(issued);
}

}  // namespace ndsim
