// SPDX-License-Identifier: Apache-2.0
#include "models/dma/engine.hpp"

#include <algorithm>
#include <utility>

#include "models/ports/qp.hpp"
#include "models/ports/ranks.hpp"
#include "sim/base/error.hpp"
#include "sim/base/slots.hpp"

namespace ndsim {

namespace {

TlpUse use_of(ReadClass cls) {
    constexpr std::array<TlpUse, kReadClasses> kUses{TlpUse::wqe, TlpUse::receive_wqe, TlpUse::payload, TlpUse::context,
                                                     TlpUse::translation};
    return kUses[static_cast<std::size_t>(cls)];
}

}  // namespace

DmaEngine::DmaEngine(const sc_core::sc_module_name& name, Timeline& timeline, const DmaParams& params,
                     const PcieParams& pcie, Bytes forward_grain, Ledgers& ledgers)
    : Unit(name, timeline),
      params_(params),
      reserve_(params.dma_reserved_reads, std::min(pcie.tags, params.dma_reads_in_flight)),
      shapes_(pcie),
      rate_(pcie.tlp_rate()),
      forward_grain_(static_cast<std::uint32_t>(forward_grain.count)),
      ledgers_(ledgers),
      read_retries_(*this, timeline, kRankLink),
      write_retries_(*this, timeline, kRankLink),
      read_times_(*this, "reads", read_states()),
      write_times_(*this, "writes", write_states()),
      tags_(*this, kTagsPool, pcie.tags),
      reads_(*this, kReadsPool, params.dma_reads_in_flight),
      writes_(*this, kWritesPool, params.dma_writes_in_flight),
      in_flight_{Pool{*this, kWqeReadsPool, params.dma_reads_in_flight},
                 Pool{*this, kReceiveWqeReadsPool, params.dma_reads_in_flight},
                 Pool{*this, kPayloadReadsPool, params.dma_reads_in_flight},
                 Pool{*this, kContextReadsPool, params.dma_reads_in_flight},
                 Pool{*this, kTranslationReadsPool, params.dma_reads_in_flight}} {
    port.bind(*this);
    link_events.bind(*this);
}

bool DmaEngine::try_read(ReadClass cls, std::span<const ReadPiece> pieces, std::uint32_t token, RequestId request,
                         ReadClient& client) {
    return accept(cls, {}, pieces, token, request, client);
}

bool DmaEngine::try_read_behind_writes(QpNum qp, std::span<const ReadPiece> pieces, std::uint32_t token,
                                       RequestId request, ReadClient& client) {
    return accept(ReadClass::payload, qp, pieces, token, request, client);
}

bool DmaEngine::accept(ReadClass cls, QpNum behind, std::span<const ReadPiece> pieces, std::uint32_t token,
                       RequestId request, ReadClient& client) {
    const auto c = static_cast<std::size_t>(cls);
    if (waiting_[c]) {
        if (std::find(refused_[c].begin(), refused_[c].end(), &client) == refused_[c].end()) {
            refused_[c].push_back(&client);
        }
        return false;
    }
    const std::uint32_t slot = take_slot(jobs_, free_jobs_);
    Job& job = jobs_[slot];
    job.client = &client;
    job.token = token;
    job.cls = cls;
    job.request = request;
    job.pieces.assign(pieces.begin(), pieces.end());
    job.next = 0;
    job.trains = 0;
    job.sent = 0;
    job.sent_any = false;
    job.grain = 0;
    job.data = {};
    job.flow = {};
    job.behind = behind;
    for (const ReadPiece& piece : pieces) {
        job.grain = std::min(job.grain + piece.length, forward_grain_);
    }
    reading_.begin(slot, now(), [&] {
        std::uint32_t bytes = 0;
        for (const ReadPiece& piece : pieces) {
            bytes += piece.length;
        }
        return Work{kReadClassNames[c], request, {}, {}, {}, bytes};
    });
    std::uint32_t missing = 0;
    if (cls == ReadClass::payload) {
        for (const ReadPiece& piece : pieces) {
            missing += translation->use(piece.from, piece.length, *this, slot);
        }
    }
    if (const std::uint64_t write = last_write_of(behind); write > bulk_gone_) {
        behind_writes_.push_back({slot, write});
        note_reads();
        ++missing;
    }
    jobs_[slot].missing = missing;  // a fetch of translations is a job, too, so `job` may have moved
    if (missing == 0) {
        start(slot);
    }
    return true;
}

// A read whose translations were late may find that others of its class wait already.
void DmaEngine::start(std::uint32_t slot) {
    const auto c = static_cast<std::size_t>(jobs_[slot].cls);
    if (waiting_[c]) {
        late_.push(slot);
    } else if (!send(slot)) {
        ++read_waits_;
        waiting_[c] = slot;
        ++waiting_reads_;
        wait_for_requests();
    }
}

void DmaEngine::translated(std::uint32_t token) {
    if ((token & kWriteToken) != 0) {
        --waiting_writes_[(token - first_waiting_) & ~kWriteToken].missing;
        issue_waiting();
        return;
    }
    if (--jobs_[token].missing == 0) {
        ledgers_.mark(jobs_[token].request, Account::context, now());
        start(token);
    }
}

std::uint32_t DmaEngine::free_requests(ReadClass cls) {
    const std::uint64_t free = std::min(tags_.available(now()), reads_.available(now()));
    std::array<std::uint64_t, kReadClasses> used{};
    for (std::size_t i = 0; i < kReadClasses; ++i) {
        used[i] = in_flight_[i].capacity() - in_flight_[i].available(now());
    }
    const std::uint64_t kept = reserve_.kept_from(cls, used);
    return static_cast<std::uint32_t>(free > kept ? free - kept : 0);
}

bool DmaEngine::send(std::uint32_t slot) {
    while (jobs_[slot].next < jobs_[slot].pieces.size()) {
        ReadPiece& piece = jobs_[slot].pieces[jobs_[slot].next];
        const std::uint32_t free = free_requests(jobs_[slot].cls);
        if (free == 0) {
            return false;
        }
        ReadPiece part = piece;
        if (const auto requests = shapes_.of(piece.from, piece.length); requests.size() > free) {
            part.length = 0;
            for (const ReadRequest& request : requests.first(free)) {
                part.length += request.length;
            }
        }
        const bool whole = part.length == piece.length;
        piece.from = piece.from + part.length;
        piece.length -= part.length;
        piece.into += part.length;
        if (whole) {
            ++jobs_[slot].next;
        }
        send_train(slot, part);
    }
    return true;
}

void DmaEngine::send_train(std::uint32_t slot, const ReadPiece& piece) {
    Job& job = jobs_[slot];
    if (!job.sent_any) {
        job.sent_any = true;
        ledgers_.mark(job.request, Account::tags, now());  // since it was tried
    }
    const std::size_t requests = shapes_.of(piece.from, piece.length).size();
    tags_.take(requests, now());
    reads_.take(requests, now());
    in_flight_[static_cast<std::size_t>(job.cls)].take(requests, now());
    read_bytes_[static_cast<std::size_t>(job.cls)] += piece.length;
    ++job.trains;
    const std::uint32_t train = take_slot(trains_, free_trains_);
    trains_[train] = {slot, piece.from, piece.length, job.sent};
    note_reads();
    job.sent += piece.length;
    link->read({piece.from, piece.length, piece.into, train, use_of(job.cls), job.behind});
}

void DmaEngine::read_waited(std::uint32_t train, Interval wait) {
    ledgers_.mark(jobs_[trains_[train].job].request, Account::credits, wait.end);
}

void DmaEngine::read_scheduled(std::uint32_t train_slot, Interval arrival) {
    const Train train = trains_[train_slot];
    free_trains_.push_back(train_slot);
    data_until_ = std::max(data_until_, arrival.end);
    Job& job = jobs_[train.job];

    // Each request gives its tag back with the last byte of its completion.
    const std::span<const ReadRequest> requests = shapes_.of(train.from, train.length);
    for (const ReadRequest& request : requests) {
        const Picoseconds back = &request == &requests.back()
                                     ? arrival.end
                                     : std::min(arrival.end, arrival.start + rate_.time(request.completed));
        tags_.give_at(1, back);
        reads_.give_at(1, back);
        in_flight_[static_cast<std::size_t>(job.cls)].give_at(1, back);
    }

    // Trains may be answered in another order than they were sent in.
    if (train.place < job.grain) {
        const std::uint32_t part = std::min(train.length, job.grain - train.place);
        const Picoseconds there =
            part == train.length
                ? arrival.end
                : std::min(arrival.end, arrival.start + rate_.time(shapes_.of(train.from, part).back().completed));
        job.data.start = std::max(job.data.start, there);
    }
    job.data.end = std::max(job.data.end, arrival.end);
    // Who sends the data on while it comes must not run dry when a train comes late.
    if (job.cls == ReadClass::payload && train.place >= job.grain && forward_rate_) {
        job.flow = std::max(job.flow, arrival.start - forward_rate_->time(train.place));
    }
    --job.trains;
    if (job.trains == 0 && job.next == job.pieces.size()) {
        finish(train.job);
    }
    wait_for_requests();
}

void DmaEngine::finish(std::uint32_t slot) {
    ReadClient& client = *jobs_[slot].client;
    const std::uint32_t token = jobs_[slot].token;
    const Interval data{std::max(jobs_[slot].data.start, jobs_[slot].flow), jobs_[slot].data.end};
    free_jobs_.push_back(slot);
    reading_.end(slot, data.end);
    client.read_arrives(token, data);
}

void DmaEngine::wait_for_requests() {
    note_reads();
    if (waiting_reads_ == 0 || retry_pending_) {
        return;
    }
    // What is free now may be kept for other classes; so look again when anything more comes back.
    const auto next = [&](Pool& pool) { return pool.when_available(pool.available(now()) + 1, now()); };
    const bool tags_short = tags_.available(now()) <= reads_.available(now());
    const std::optional<Picoseconds> at = next(tags_short ? tags_ : reads_);
    if (at) {  // otherwise none of the reads in flight has its times yet; the first that has comes here again
        retry_pending_ = true;
        read_retries_.push(*at, 0);
    }
}

void DmaEngine::retry_reads(const int&) {
    retry_pending_ = false;
    for (std::size_t i = 0, first = next_class_; i < kReadClasses; ++i) {
        const std::size_t c = (first + i) % kReadClasses;
        if (!waiting_[c]) {
            continue;
        }
        if (free_requests(static_cast<ReadClass>(c)) > 0) {
            next_class_ = (c + 1) % kReadClasses;
        }
        if (send(*waiting_[c])) {
            const std::uint32_t done = *std::exchange(waiting_[c], std::nullopt);
            --waiting_reads_;
            if (jobs_[done].trains == 0) {
                finish(done);
            }
            while (c == static_cast<std::size_t>(ReadClass::payload) && !late_.empty() && !waiting_[c]) {
                start(late_.pop());
            }
            if (waiting_[c]) {
                continue;
            }
            told_.swap(refused_[c]);
            for (ReadClient* const client : told_) {
                client->read_space(static_cast<ReadClass>(c));
            }
            told_.clear();
        }
    }
    wait_for_requests();
}

void DmaEngine::report(StatSink& sink) const {
    sink.add("wqe_bytes", read_bytes_[0], StatUnit::bytes, "read as send WQEs");
    sink.add("receive_wqe_bytes", read_bytes_[1], StatUnit::bytes, "read as receive WQEs");
    sink.add("payload_bytes", read_bytes_[2], StatUnit::bytes, "read as payload");
    sink.add("context_bytes", read_bytes_[3], StatUnit::bytes, "read as contexts of queue pairs");
    sink.add("translation_bytes", read_bytes_[4], StatUnit::bytes, "read as translations");
    sink.add("written_bytes", write_bytes_, StatUnit::bytes, "written to host memory");
    sink.add("read_waits", read_waits_, StatUnit::count, "reads that could not be sent whole at once");
}

void DmaEngine::check_idle() const {
    if (free_jobs_.size() != jobs_.size() || free_owners_.size() != write_owners_.size()) {
        throw InvariantError(name(), now(), "reads or writes are still in flight at the end");
    }
}

}  // namespace ndsim
