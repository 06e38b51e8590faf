// SPDX-License-Identifier: Apache-2.0
#include "models/dma/dma_reader.hpp"

#include <algorithm>
#include <utility>

#include "models/parts/ranks.hpp"
#include "sim/base/slots.hpp"

namespace ndsim {

namespace {

enum ReadState : std::size_t { kReadsIdle, kReadsBusy, kTags, kReadsInFlight, kBehindWrites };
constexpr std::string_view kNoRequest = "time with a read that waited for tags or reads in flight";
constexpr std::array kReadStates{
    EngineState{EngineState::kIdle, ""}, EngineState{EngineState::kBusy, "time with reads under way and none waiting"},
    EngineState{"tags", kNoRequest, "reads_blocked"}, EngineState{"reads_in_flight", kNoRequest, "reads_blocked"},
    EngineState{"dma_write", "time with no reads but those that must follow a write"}};

TlpUse use_of(ReadClass cls) {
    constexpr std::array<TlpUse, kReadClasses> kUses{TlpUse::wqe, TlpUse::receive_wqe, TlpUse::payload, TlpUse::context,
                                                     TlpUse::translation};
    return kUses[static_cast<std::size_t>(cls)];
}

}  // namespace

DmaReader::DmaReader(Unit& owner, Timeline& timeline, const DmaParams& params, const PcieParams& pcie, DmaPools& pools,
                     Bytes forward_grain, Ledgers& ledgers, sc_core::sc_port<PciePort>& link,
                     sc_core::sc_port<TranslationPort>& translation)
    : timeline_(timeline),
      ledgers_(ledgers),
      link_(link),
      translation_(translation),
      shapes_(pcie),
      rate_(pcie.tlp_rate()),
      forward_grain_(static_cast<std::uint32_t>(forward_grain.count)),
      retry_(*this, timeline, kRankLink),
      reading_(owner, "reads", "reads from their acceptance to their last byte"),
      times_(owner, "reads", kReadStates),
      requests_(params, pools) {}

bool DmaReader::try_read(ReadClass cls, std::span<const ReadPiece> pieces, std::uint32_t token, RequestId request,
                         ReadClient& client, const BehindWrites& behind) {
    const auto c = static_cast<std::size_t>(cls);
    if (waiting_[c]) {
        refused_[c].add(client);
        return false;
    }
    const std::uint32_t slot = take_slot(jobs_, free_jobs_);
    Job& job = jobs_[slot];
    job.number = ++given_;
    job.client = &client;
    job.token = token;
    job.cls = cls;
    job.request = request;
    job.pieces.assign(pieces.begin(), pieces.end());
    job.next = 0;
    job.trains = 0;
    job.sent = 0;
    job.sent_any = false;
    job.has_waited = false;
    job.grain = 0;
    job.data = {};
    job.flow = {};
    job.behind = behind.qp;
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
            missing += translation_->use(piece.from, piece.length, *this, slot);
        }
    }
    if (behind.last > 0) {
        behind_writes_.add(slot, behind.last);
        note();
        ++missing;
    }
    jobs_[slot].missing = missing;  // a fetch of translations is also a job, so `job` may have moved
    if (missing == 0) {
        start(slot);
    }
    return true;
}

// A read with late translations may find others of its class waiting already.
void DmaReader::start(std::uint32_t slot) {
    const auto c = static_cast<std::size_t>(jobs_[slot].cls);
    if (jobs_[slot].pieces.empty()) {
        jobs_[slot].data = {behind_writes_.until(), behind_writes_.until()};
        finish(slot);
    } else if (waiting_[c]) {
        late_.push(slot);
    } else if ((waiting_jobs_ > 0 && one_that_waits_may_go()) || !send(slot)) {
        ++waits_;
        waiting_[c] = slot;
        jobs_[slot].has_waited = true;
        ++waiting_jobs_;
        wait_for_requests();
    }
}

// A request that has just come back is for a class that waits, when its turn comes: a read that begins in the same
// moment would else always be before it.
bool DmaReader::one_that_waits_may_go() {
    for (std::size_t c = 0; c < kReadClasses; ++c) {
        if (waiting_[c] && requests_.free(static_cast<ReadClass>(c), 1, now()) > 0) {
            return true;
        }
    }
    return false;
}

void DmaReader::translated(std::uint32_t slot) {
    if (--jobs_[slot].missing == 0) {
        ledgers_.mark(jobs_[slot].request, Account::context, now());
        start(slot);
    }
}

void DmaReader::may_follow(std::uint32_t job) {
    if (--jobs_[job].missing == 0) {
        ledgers_.mark(jobs_[job].request, Account::dma_write, now());
        start(job);
    }
}

bool DmaReader::send(std::uint32_t slot) {
    while (jobs_[slot].next < jobs_[slot].pieces.size()) {
        ReadPiece& piece = jobs_[slot].pieces[jobs_[slot].next];
        std::span<const ReadRequest> requests = shapes_.of(piece.from, piece.length);
        const std::uint32_t free = requests_.free(jobs_[slot].cls, requests.size(), now());
        if (free == 0) {
            return false;
        }
        ReadPiece part = piece;
        if (requests.size() > free) {
            requests = requests.first(free);
            part.length = 0;
            for (const ReadRequest& request : requests) {
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
        send_train(slot, part, requests);
    }
    return true;
}

void DmaReader::send_train(std::uint32_t slot, const ReadPiece& piece, std::span<const ReadRequest> requests) {
    Job& job = jobs_[slot];
    if (!job.sent_any || job.has_waited) {
        job.sent_any = true;
        ledgers_.mark(job.request, Account::tags, now());  // since the first try, or the last part
    }
    requests_.take(job.cls, requests.size(), now());
    bytes_[static_cast<std::size_t>(job.cls)] += piece.length;
    ++job.trains;
    const std::uint32_t train = take_slot(trains_, free_trains_);
    trains_[train] = {slot, piece.from, piece.length, job.sent};
    note();
    job.sent += piece.length;
    link_->read({piece.from, piece.length, piece.into, static_cast<std::uint32_t>(requests.size()),
                 Bytes{requests.back().completed}, train, use_of(job.cls), job.behind});
}

void DmaReader::waited(std::uint32_t train, Interval wait) {
    ledgers_.mark(jobs_[trains_[train].job].request, Account::credits, wait.end);
}

void DmaReader::scheduled(std::uint32_t train_slot, Interval arrival) {
    const Train train = trains_[train_slot];
    free_trains_.push_back(train_slot);
    data_until_ = std::max(data_until_, arrival.end);
    Job& job = jobs_[train.job];

    // Each request returns its tag with the last byte of its completion.
    answers_.clear();
    for (const ReadRequest& request : shapes_.of(train.from, train.length)) {
        answers_.push_back(std::min(arrival.end, arrival.start + rate_.time(request.completed)));
    }
    answers_.back() = arrival.end;
    requests_.give_at(job.cls, answers_);

    // Trains may be answered in another order than sent.
    if (train.place < job.grain) {
        const std::uint32_t part = std::min(train.length, job.grain - train.place);
        const Picoseconds there =
            part == train.length
                ? arrival.end
                : std::min(arrival.end, arrival.start + rate_.time(shapes_.of(train.from, part).back().completed));
        job.data.start = std::max(job.data.start, there);
    }
    job.data.end = std::max(job.data.end, arrival.end);
    // The egress sends the data on while it arrives, and must not run dry when a train comes late.
    if (job.cls == ReadClass::payload && train.place >= job.grain && forward_rate_) {
        job.flow = std::max(job.flow, arrival.start - forward_rate_->time(train.place));
    }
    --job.trains;
    if (job.trains == 0 && job.next == job.pieces.size()) {
        finish(train.job);
    }
    wait_for_requests();
}

bool DmaReader::has_unanswered(std::uint64_t number) const {
    return std::any_of(jobs_.begin(), jobs_.end(),
                       [number](const Job& job) { return job.number != 0 && job.number <= number; });
}

void DmaReader::finish(std::uint32_t slot) {
    ReadClient& client = *jobs_[slot].client;
    const std::uint32_t token = jobs_[slot].token;
    const Interval data{std::max(jobs_[slot].data.start, jobs_[slot].flow), jobs_[slot].data.end};
    jobs_[slot].number = 0;
    free_jobs_.push_back(slot);
    reading_.end(slot, data.end);
    client.read_arrives(token, data);
}

void DmaReader::wait_for_requests() {
    note();
    if (waiting_jobs_ == 0 || retry_.due()) {
        return;
    }
    if (one_that_waits_may_go()) {  // it has come while the others had their turns
        retry_.set(now());
        return;
    }
    // Free requests may be reserved for other classes, so look again when any come back. If no read in flight has its
    // times yet, the first that gets them calls this again.
    if (const std::optional<Picoseconds> at = requests_.next_return(now())) {
        retry_.set(*at);
    }
}

void DmaReader::retry() {
    for (std::size_t i = 0, first = next_class_; i < kReadClasses; ++i) {
        if (const std::size_t c = (first + i) % kReadClasses; waiting_[c]) {
            retry_class(c);
        }
    }
    wait_for_requests();
}

void DmaReader::retry_class(std::size_t c) {
    const auto cls = static_cast<ReadClass>(c);
    if (requests_.free(cls, 1, now()) > 0) {
        next_class_ = (c + 1) % kReadClasses;
    }
    if (!send(*waiting_[c])) {
        return;
    }
    const std::uint32_t done = *std::exchange(waiting_[c], std::nullopt);
    --waiting_jobs_;
    if (jobs_[done].trains == 0) {
        finish(done);
    }
    while (cls == ReadClass::payload && !late_.empty() && !waiting_[c]) {
        start(late_.pop());
    }
    if (!waiting_[c]) {
        refused_[c].tell(cls, waiting_[c]);
    }
}

void DmaReader::note() {
    if (waiting_jobs_ > 0) {
        times_.enter(requests_.tags_bind() ? kTags : kReadsInFlight, now());
        return;
    }
    const bool under_way = trains_.size() > free_trains_.size();
    if (under_way || data_until_ > now()) {
        times_.enter(kReadsBusy, now());
    }
    if (!under_way) {
        times_.enter(behind_writes_.empty() ? kReadsIdle : kBehindWrites, std::max(now(), data_until_));
    }
}

}  // namespace ndsim
