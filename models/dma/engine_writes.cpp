// SPDX-License-Identifier: Apache-2.0
#include "models/dma/engine.hpp"

#include <algorithm>

#include "models/ports/qp.hpp"
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
    ++bulk_given_;
    if (train.qp != QpNum{}) {
        last_write_.resize(std::max<std::size_t>(last_write_.size(), qp_index(train.qp) + 1));
        last_write_[qp_index(train.qp)] = bulk_given_;
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
    write_owners_[owner] = {write.client, train.token, !train.express};
    writing_.begin(owner, now(), [&train] {
        const auto qp = train.qp == QpNum{} ? std::nullopt : std::optional(train.qp);
        return Work{kTlpUseNames.at(static_cast<std::size_t>(train.use)), {}, qp, {}, {}, train.length};
    });
    train.token = owner;
    note_writes();
    link->write(train);
}

void DmaEngine::write_scheduled(std::uint32_t token, Picoseconds issued, Picoseconds visible) {
    const WriteOwner owner = write_owners_[token];
    free_owners_.push_back(token);
    writing_.end(token, visible);
    writes_.give_at(1, issued);
    issued_until_ = std::max(issued_until_, issued);
    bulk_gone_ += owner.bulk ? 1 : 0;
    issue_waiting();
    writes_gone();
    if (owner.client != nullptr) {
        owner.client->write_scheduled(owner.token, issued, visible);
    }
}

void DmaEngine::write_waited(std::uint32_t token, Interval wait) {
    if (const WriteOwner& owner = write_owners_[token]; owner.client != nullptr) {
        owner.client->write_waited(owner.token, wait);
    }
}

std::uint64_t DmaEngine::last_write_of(QpNum qp) const {
    return qp != QpNum{} && qp_index(qp) < last_write_.size() ? last_write_[qp_index(qp)] : 0;
}

// Reads whose writes are on the link now follow them.
void DmaEngine::writes_gone() {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < behind_writes_.size(); ++i) {
        const BehindWrites waits = behind_writes_[i];
        if (waits.write > bulk_gone_) {
            behind_writes_[kept++] = waits;
        } else if (--jobs_[waits.job].missing == 0) {
            ledgers_.mark(jobs_[waits.job].request, Account::dma_write, now());
            start(waits.job);
        }
    }
    behind_writes_.resize(kept);
}

void DmaEngine::retry_writes(const int&) {
    write_retry_pending_ = false;
    issue_waiting();
}

void DmaEngine::issue_waiting() {
    // Bulk writes stay in order: one that lacks a translation holds up those behind it.
    const auto bulk_may_go = [this] { return !waiting_writes_.empty() && waiting_writes_.front().missing == 0; };
    while (writes_.available(now()) > 0 && (!waiting_express_.empty() || bulk_may_go())) {
        express_turn_ = !waiting_express_.empty() && (express_turn_ || !bulk_may_go());
        if (express_turn_) {
            issue(waiting_express_.pop());
        } else {
            ++first_waiting_;
            issue(waiting_writes_.pop());
        }
        express_turn_ = !express_turn_;
    }
    if ((bulk_may_go() || !waiting_express_.empty()) && !write_retry_pending_) {
        if (const std::optional<Picoseconds> at = writes_.when_available(1, now())) {
            write_retry_pending_ = true;
            write_retries_.push(*at, 0);
        }
    }
    note_writes();
}

}  // namespace ndsim
