// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "models/ports/qp_watch.hpp"
#include "models/wqe/engine.hpp"

// How send WQEs come into the NIC, ahead of need, and leave it.
namespace ndsim {

void WqeEngine::sq_doorbell(const SqDoorbell& doorbell) {
    const auto [qp, producer, pushed, pushed_units, entries] = doorbell;
    SendQueue& queue = queue_of(qp);
    const std::uint32_t index = qp_index(qp);
    if (static_cast<std::int32_t>(producer - reader_.producer(index)) <= 0) {  // a flush was faster
        if (pushed != PayloadRef::none) {
            payloads_.give(pushed);
        }
        return;
    }
    // A queue pair without its context cannot be scheduled; its WQEs are fetched when it is there.
    const bool has_context = queue.state == State::failed || context->use(qp, *this);
    const bool follows = reader_.all_requested(index) && producer - reader_.producer(index) == pushed_units;
    reader_.announce(index, producer);
    if (queue.watch != nullptr) {
        queue.watch->sq_doorbelled.take(entries - queue.entries, now());
        queue.entries = entries;
    }
    if (pushed != PayloadRef::none) {
        if (has_context && follows && queue.state != State::absent && cache_.available(now()) >= pushed_units) {
            take_pushed(queue, {payloads_.data(pushed), std::size_t{pushed_units} * kWqeUnit});
        } else {
            ++pushed_dropped_;
        }
        payloads_.give(pushed);
    }
    if (has_context) {
        reader_.fetch(index);
        serve();
    }
}

// A pushed WQE that comes next after those that are held or being fetched need not be fetched itself.
void WqeEngine::take_pushed(SendQueue& queue, std::span<const std::byte> units) {
    const std::uint32_t index = qp_index(queue.qp);
    const auto count = static_cast<std::uint32_t>(units.size() / kWqeUnit);
    cache_.take(count, now());
    queue.held_units += count;
    reader_.skip(index);
    ++pushed_taken_;
    if (reader_.reading(index)) {
        queue.behind_read.insert(queue.behind_read.end(), units.begin(), units.end());
    } else {
        queue.read_waited = {};
        take_units(queue, units);
    }
}

std::uint32_t WqeEngine::wanted(std::uint32_t index, std::uint32_t there) {
    if (reader_.reading(index)) {
        return 0;
    }
    SendQueue& queue = queues_[index];
    // Enough is held ahead, unless it is only a part of the next entry.
    if (queue.state == State::absent || (queue.held_units >= 2 * params_.wqe_fetch_batch && !queue.ready.empty())) {
        note_room(queue, true);
        return 0;
    }
    const auto free = static_cast<std::uint32_t>(cache_.available(now()));
    note_room(queue, free > 0);
    if (free == 0) {
        reader_.fetch_later(index);  // others hold the cache
    }
    return std::min({there, params_.wqe_fetch_batch, free});
}

// Whether there is room for the queue's next read, or it wants none.
void WqeEngine::note_room(SendQueue& queue, bool has_room) {
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

void WqeEngine::reading(std::uint32_t index, std::uint32_t units) {
    SendQueue& queue = queues_[index];
    cache_.take(units, now());
    queue.held_units += units;
    queue.read_waited = std::exchange(queue.no_room, {});
    cut_fetches_ += reader_.all_requested(index) ? 0 : 1;
}

void WqeEngine::arrived(std::uint32_t index, std::span<const std::byte> units) {
    take_units(queues_[index], units);
    take_behind_read(queues_[index]);
    reader_.fetch(index);
    serve();
}

void WqeEngine::take_behind_read(SendQueue& queue) {
    if (!queue.behind_read.empty()) {
        take_units(queue, queue.behind_read);
        queue.behind_read.clear();
    }
}

void WqeEngine::take_units(SendQueue& queue, std::span<const std::byte> bytes) {
    if (!queue.partial.empty()) {
        queue.partial.insert(queue.partial.end(), bytes.begin(), bytes.end());
        bytes = queue.partial;
    }
    while (!bytes.empty()) {
        const std::size_t size = std::size_t{read_wqe_header(bytes.data()).units()} * kWqeUnit;
        if (size > bytes.size()) {
            break;
        }
        accept(queue, bytes.first(size));
        bytes = bytes.subspan(size);
    }
    if (queue.partial.empty()) {
        queue.partial.assign(bytes.begin(), bytes.end());
    } else {
        queue.partial.erase(queue.partial.begin(), queue.partial.end() - static_cast<std::ptrdiff_t>(bytes.size()));
    }
    if (queue.state == State::failed) {
        flush_ready(queue);
    } else {
        enqueue(queue);
    }
}

void WqeEngine::accept(SendQueue& queue, std::span<const std::byte> bytes) {
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
    const RequestId request{host_, wqe->header.request};
    const std::uint32_t index = qp_index(queue.qp);
    ledgers_.mark(request, Account::doorbell, reader_.announced(index, queue.accepted));
    // Until its turn to be fetched came; in that time the cache may have been full.
    ledgers_.mark(request, Account::arbitration, queue.read_waited.start);
    ledgers_.mark(request, Account::wqe_cache, queue.read_waited.end);
    ledgers_.mark(request, Account::arbitration, reader_.begun(index));
    ledgers_.mark(request, Account::wqe_fetch, now());
}

void WqeEngine::drop_front(SendQueue& queue) {
    Wqe* const wqe = queue.ready.pop();
    const std::uint32_t units = wqe->header.units();
    wqes_.give(wqe);
    queue.front += units;
    queue.held_units -= units;
    cache_.give(units, now());
}

}  // namespace ndsim
