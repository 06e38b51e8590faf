// SPDX-License-Identifier: Apache-2.0
#include "models/wqe/send_prefetch.hpp"

#include <algorithm>
#include <utility>

#include "models/parts/qp_watch.hpp"
#include "sim/base/slots.hpp"

namespace ndsim {

SendPrefetch::SendPrefetch(Unit& owner, Timeline& timeline, const WqeParams& params, HostId host, Ledgers& ledgers,
                           PayloadPool& payloads, RingOwner& fetcher_owner, sc_core::sc_port<DmaPort>& dma)
    : timeline_(timeline),
      batch_(params.wqe_fetch_batch),
      host_(host),
      ledgers_(ledgers),
      payloads_(payloads),
      fetcher_(timeline, fetcher_owner, dma, ReadClass::wqe, payloads),
      cache_(owner, kCachePool, params.wqe_cache) {}

void SendPrefetch::create(const QpAttributes& attributes) {
    const std::uint32_t index = qp_index(attributes.qp);
    grown(queues_, index) = {};
    queues_[index].present = true;
    queues_[index].watch = attributes.watch;
    fetcher_.create(index, attributes.sq_ring, attributes.sq_units);
}

void SendPrefetch::wait_for_context(std::uint32_t index) {
    FetchedQueue& queue = queues_[index];
    if (!std::exchange(queue.awaits_context, true)) {
        queue.context_wait = {now(), Picoseconds::max()};
        ++awaiting_context_;
    }
}

void SendPrefetch::end_context_wait(std::uint32_t index) {
    FetchedQueue& queue = queues_[index];
    if (std::exchange(queue.awaits_context, false)) {
        queue.context_wait.end = now();
        --awaiting_context_;
    }
}

bool SendPrefetch::announce(const SqDoorbell& doorbell, bool may_push) {
    const auto& [qp, producer, pushed, pushed_units, entries] = doorbell;
    const std::uint32_t index = qp_index(qp);
    FetchedQueue& queue = queues_[index];
    const bool follows = fetcher_.all_requested(index) && producer - fetcher_.producer(index) == pushed_units;
    fetcher_.announce(index, producer);
    if (queue.watch != nullptr) {
        queue.watch->sq_doorbelled.take(entries - queue.entries, now());
        queue.entries = entries;
    }
    if (pushed == PayloadRef::none) {
        return false;
    }
    bool taken = false;
    if (may_push && follows && queue.present && cache_.available(now()) >= pushed_units) {
        taken = take_pushed(index, {payloads_.data(pushed), std::size_t{pushed_units} * kWqeUnit});
    } else {
        ++pushed_dropped_;
    }
    payloads_.give(pushed);
    return taken;
}

bool SendPrefetch::take_pushed(std::uint32_t index, std::span<const std::byte> units) {
    FetchedQueue& queue = queues_[index];
    const auto count = static_cast<std::uint32_t>(units.size() / kWqeUnit);
    cache_.take(count, now());
    queue.held_units += count;
    fetcher_.skip(index);
    ++pushed_taken_;
    if (fetcher_.reading(index)) {
        queue.behind_read.insert(queue.behind_read.end(), units.begin(), units.end());
        return false;
    }
    queue.read_waited = {};
    take_units(index, units);
    return true;
}

std::uint32_t SendPrefetch::wanted(std::uint32_t index, std::uint32_t there) {
    if (fetcher_.reading(index)) {
        return 0;
    }
    FetchedQueue& queue = queues_[index];
    // Enough is held ahead, unless it is only part of the next entry.
    if (!queue.present || (queue.held_units >= 2 * batch_ && !queue.ready.empty())) {
        note_room(queue, true);
        return 0;
    }
    const auto free = static_cast<std::uint32_t>(cache_.available(now()));
    note_room(queue, free > 0);
    if (free == 0) {
        fetcher_.fetch_later(index);  // others hold the cache
    }
    return std::min({there, batch_, free});
}

// Notes whether there is room for the queue's next read, or it wants none.
void SendPrefetch::note_room(FetchedQueue& queue, bool has_room) {
    if (!has_room && !queue.no_room_since) {
        queue.no_room_since = now();
    } else if (has_room && queue.no_room_since) {
        queue.no_room = {*queue.no_room_since, now()};
        queue.no_room_since.reset();
    }
    const bool starved = !has_room && queue.ready.empty();
    if (starved != std::exchange(queue.starved, starved)) {
        starved_ = starved ? starved_ + 1 : starved_ - 1;
    }
}

void SendPrefetch::reading(std::uint32_t index, std::uint32_t units) {
    FetchedQueue& queue = queues_[index];
    cache_.take(units, now());
    queue.held_units += units;
    queue.read_waited = std::exchange(queue.no_room, {});
    cut_fetches_ += fetcher_.all_requested(index) ? 0 : 1;
}

bool SendPrefetch::take_behind_read(std::uint32_t index) {
    FetchedQueue& queue = queues_[index];
    if (queue.behind_read.empty()) {
        return false;
    }
    take_units(index, queue.behind_read);
    queue.behind_read.clear();
    return true;
}

void SendPrefetch::take_units(std::uint32_t index, std::span<const std::byte> bytes) {
    FetchedQueue& queue = queues_[index];
    if (!queue.partial.empty()) {
        queue.partial.insert(queue.partial.end(), bytes.begin(), bytes.end());
        bytes = queue.partial;
    }
    while (!bytes.empty()) {
        const std::size_t size = std::size_t{read_wqe_header(bytes.data()).units()} * kWqeUnit;
        if (size > bytes.size()) {
            break;
        }
        accept(index, bytes.first(size));
        bytes = bytes.subspan(size);
    }
    if (queue.partial.empty()) {
        queue.partial.assign(bytes.begin(), bytes.end());
    } else {
        queue.partial.erase(queue.partial.begin(), queue.partial.end() - static_cast<std::ptrdiff_t>(bytes.size()));
    }
}

void SendPrefetch::accept(std::uint32_t index, std::span<const std::byte> bytes) {
    FetchedQueue& queue = queues_[index];
    Wqe* const wqe = wqes_.take();
    decode_wqe(bytes, *wqe);
    queue.ready.push(wqe);
    queue.accepted += wqe->header.units();
    if (static_cast<std::int32_t>(queue.accepted - queue.seen) > 0) {
        queue.seen = queue.accepted;
        if (queue.watch != nullptr) {
            QpWatch::move(queue.watch->sq_doorbelled, queue.watch->sq_fetched, now());
        }
    }
    // Until its turn to be fetched came, it is arbitration. The context may have been missing in that time, if the
    // doorbell did not find it, and then the cache may have been full.
    const Picoseconds announced = fetcher_.announced(index, queue.accepted);
    const Picoseconds begun = fetcher_.begun(index);
    const bool lacked_context = announced >= queue.context_wait.start;
    ledgers_.mark({host_, wqe->header.request},
                  {{Account::doorbell, announced},
                   {Account::context, lacked_context ? std::min(queue.context_wait.end, begun) : announced},
                   {Account::arbitration, queue.read_waited.start},
                   {Account::wqe_cache, queue.read_waited.end},
                   {Account::arbitration, begun},
                   {Account::wqe_fetch, now()}});
}

void SendPrefetch::drop_front(std::uint32_t index) {
    FetchedQueue& queue = queues_[index];
    Wqe* const wqe = queue.ready.pop();
    const std::uint32_t units = wqe->header.units();
    wqes_.give(wqe);
    queue.front += units;
    give_back(queue, units);
}

void SendPrefetch::finish_front(std::uint32_t index) {
    drop_front(index);
    fetcher_.fetch(index);
    fetcher_.retry();
}

void SendPrefetch::go_to(std::uint32_t index, std::uint32_t place) {
    FetchedQueue& queue = queues_[index];
    while (!queue.ready.empty()) {
        drop_front(index);
    }
    const auto units = static_cast<std::uint32_t>((queue.partial.size() + queue.behind_read.size()) / kWqeUnit);
    queue.partial.clear();
    queue.behind_read.clear();
    give_back(queue, units);
    queue.accepted = place;
    queue.front = place;
    fetcher_.rewind(index, place);
}

void SendPrefetch::report(StatSink& sink) const {
    sink.add("fetches", fetcher_.reads(), StatUnit::count, "reads of WQEs");
    sink.add("fetched_units", fetcher_.units_read(), StatUnit::count, "64-byte units of WQE fetched");
    sink.add("cut_fetches", cut_fetches_, StatUnit::count, "reads of WQEs that did not fetch all that were posted");
    sink.add("pushed_taken", pushed_taken_, StatUnit::count, "pushed WQEs used");
    sink.add("pushed_dropped", pushed_dropped_, StatUnit::count,
             "pushed WQEs dropped because earlier ones were not in the NIC, or for lack of room");
}

}  // namespace ndsim
