// SPDX-License-Identifier: Apache-2.0
#include "models/transport/outstanding_requests.hpp"

#include "models/parts/qp_watch.hpp"

namespace ndsim {

bool OutstandingRequest::has_succeeded(Psn unacknowledged) const {
    if (failed != WcStatus::success) {
        return false;
    }
    return wqe.is_local() || wqe.opcode == WqeOpcode::read ? done : end.ahead_of(unacknowledged) <= 0;
}

// Running numbers are consecutive.
OutstandingRequest* OutstandingRequests::find(const WqeHeader& wqe) {
    if (requests_.empty()) {
        return nullptr;
    }
    const std::uint32_t place = wqe.index - requests_.front().wqe.index;
    return place < requests_.size() ? &requests_[place] : nullptr;
}

OutstandingRequest* OutstandingRequests::oldest_open() {
    return requests_.empty() || requests_.front().failed != WcStatus::success ? nullptr : &requests_.front();
}

OutstandingRequest* OutstandingRequests::oldest_read() {
    return open_reads_.empty() ? nullptr : &requests_[open_reads_.front() - requests_.front().wqe.index];
}

std::uint32_t OutstandingRequests::rewind(std::optional<Psn> psn) {
    std::size_t first = 0;
    while (psn && first < requests_.size() && requests_[first].end.ahead_of(*psn) <= 0) {
        requests_[first++].rewound = false;
    }
    for (std::size_t i = first; i < requests_.size(); ++i) {
        requests_[i].rewound = true;
    }
    return first < requests_.size() ? requests_[first].place : next_place_;
}

OutstandingRequest& OutstandingRequests::begin(const WqeHeader& wqe, Psn first, Psn end, Picoseconds at) {
    if (watch_ != nullptr) {
        QpWatch::move(watch_->sq_fetched, watch_->sq_unacknowledged, at);
    }
    requests_.push({wqe, first, end, next_place_});
    next_place_ += wqe.units();
    return requests_.back();
}

void OutstandingRequests::begin_read(std::uint32_t slot, Picoseconds at) {
    OutstandingRequest& request = requests_.back();
    request.read = slot;
    request.reading = true;
    open_reads_.push(request.wqe.index);
    if (watch_ != nullptr) {
        watch_->outbound_reads.take(1, at);
    }
}

void OutstandingRequests::end_oldest_read(Picoseconds at) {
    open_reads_.pop();
    if (watch_ != nullptr) {
        watch_->outbound_reads.give(1, at);
    }
}

OutstandingRequest OutstandingRequests::take_oldest(Picoseconds at) {
    if (watch_ != nullptr) {
        QpWatch::move(watch_->sq_unacknowledged, watch_->sq_completed, at);
    }
    return requests_.pop();
}

void OutstandingRequests::pass_by(Picoseconds at) const {
    if (watch_ != nullptr) {
        QpWatch::move(watch_->sq_fetched, watch_->sq_completed, at);
    }
}

}  // namespace ndsim
