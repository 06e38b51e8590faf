// SPDX-License-Identifier: Apache-2.0
#include "models/dma/engine.hpp"
#include "sim/base/slots.hpp"

namespace ndsim {

void DmaEngine::write(const WriteTrain& train, WriteClient* client) {
    write_bytes_ += train.length;
    if (train.express) {
        if (waiting_express_.empty() && writes_.available(now()) > 0) {
            issue({train, client, 0});
        } else {
            waiting_express_.push({train, client, 0});
            issue_waiting();
        }
        return;
    }
    std::uint32_t missing = 0;
    if (train.use == TlpUse::payload) {
        const auto place = first_waiting_ + static_cast<std::uint32_t>(waiting_writes_.size());
        missing = translation->use(train.to, train.length, *this, place | kWriteToken);
    }
    if (missing == 0 && waiting_writes_.empty() && writes_.available(now()) > 0) {
        issue({train, client, 0});
        return;
    }
    waiting_writes_.push({train, client, missing});
    issue_waiting();
}

void DmaEngine::issue(const Write& write) {
    writes_.take(1, now());
    WriteTrain train = write.train;
    const std::uint32_t owner = take_slot(write_owners_, free_owners_);
    write_owners_[owner] = {write.client, train.token};
    train.token = owner;
    link->write(train);
}

void DmaEngine::write_scheduled(std::uint32_t token, Picoseconds issued, Picoseconds visible) {
    const WriteOwner owner = write_owners_[token];
    free_owners_.push_back(token);
    writes_.give_at(1, issued);
    issue_waiting();
    if (owner.client != nullptr) {
        owner.client->write_scheduled(owner.token, issued, visible);
    }
}

void DmaEngine::retry_writes(const int&) {
    write_retry_pending_ = false;
    issue_waiting();
}

void DmaEngine::issue_waiting() {
    // Bulk writes stay in order: one that lacks a translation holds up those behind it.
    const auto bulk_may_go = [this] { return !waiting_writes_.empty() && waiting_writes_.front().missing == 0; };
    while (writes_.available(now()) > 0 && (!waiting_express_.empty() || bulk_may_go())) {
        if (!waiting_express_.empty()) {
            issue(waiting_express_.pop());
        } else {
            ++first_waiting_;
            issue(waiting_writes_.pop());
        }
    }
    if ((bulk_may_go() || !waiting_express_.empty()) && !write_retry_pending_) {
        if (const std::optional<Picoseconds> at = writes_.when_available(1, now())) {
            write_retry_pending_ = true;
            write_retries_.push(*at, 0);
        }
    }
}

}  // namespace ndsim
