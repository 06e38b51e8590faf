// SPDX-License-Identifier: Apache-2.0
#include "models/dma/dma_writer.hpp"

#include <algorithm>
#include <array>

#include "models/parts/ranks.hpp"
#include "models/ports/qp.hpp"
#include "sim/base/slots.hpp"

namespace ndsim {

namespace {

enum WriteState : std::size_t { kWritesIdle, kWritesBusy, kWritesInFlight, kTranslation };
constexpr std::array kWriteStates{
    EngineState{EngineState::kIdle, ""}, EngineState{EngineState::kBusy, "time with writes under way and none waiting"},
    EngineState{"writes_in_flight", "time with a write that waited for a place among those in flight",
                "writes_blocked"},
    EngineState{"translation", "time with a write that waited for its translation", "writes_translate"}};

}  // namespace

DmaWriter::DmaWriter(Unit& owner, Timeline& timeline, Pool& writes, sc_core::sc_port<PciePort>& link,
                     sc_core::sc_port<TranslationPort>& translation)
    : timeline_(timeline),
      writes_(writes),
      link_(link),
      translation_(translation),
      retry_(*this, timeline, kRankLink),
      writing_(owner, "writes", "writes from their place among those in flight until they are visible"),
      times_(owner, "writes", kWriteStates) {}

void DmaWriter::write(const WriteTrain& train, WriteClient* client) {
    bytes_ += train.length;
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
        const auto number = first_waiting_ + static_cast<std::uint32_t>(waiting_.size());
        missing = translation_->use(train.to, train.length, *this, number);
    }
    if (missing == 0 && waiting_.empty() && writes_.available(now()) > 0) {
        issue({train, client, 0});
        return;
    }
    waiting_.push({train, client, missing});
    issue_waiting();
}

void DmaWriter::translated(std::uint32_t number) {
    --waiting_[number - first_waiting_].missing;
    issue_waiting();
}

void DmaWriter::issue(const Write& write) {
    writes_.take(1, now());
    WriteTrain train = write.train;
    const std::uint32_t slot = take_slot(clients_, free_clients_);
    clients_[slot] = {write.client, train.token, !train.express};
    writing_.begin(slot, now(), [&train] {
        const auto qp = train.qp == QpNum{} ? std::nullopt : std::optional(train.qp);
        return Work{kTlpUseNames.at(static_cast<std::size_t>(train.use)), {}, qp, {}, {}, train.length};
    });
    train.token = slot;
    link_->write(train);
    if (!is_idle()) {  // otherwise the link had its times at once, which are noted
        note();
    }
}

DmaWriter::Client DmaWriter::scheduled(std::uint32_t slot, Picoseconds issued, Picoseconds visible) {
    const Client client = clients_[slot];
    free_clients_.push_back(slot);
    writing_.end(slot, visible);
    writes_.give_at(1, issued);
    issued_until_ = std::max(issued_until_, issued);
    visible_until_ = std::max(visible_until_, visible);
    bulk_gone_ += client.bulk ? 1 : 0;
    issue_waiting();
    return client;
}

std::uint64_t DmaWriter::last_write_of(QpNum qp) const {
    const std::uint64_t last = qp_index(qp) < last_write_.size() ? last_write_[qp_index(qp)] : 0;
    return last > bulk_gone_ ? last : 0;
}

std::optional<Picoseconds> DmaWriter::visible(std::uint64_t number) const {
    return bulk_gone_ < number ? std::nullopt : std::optional(visible_until_);
}

void DmaWriter::issue_waiting() {
    // Bulk writes stay in order: one that lacks a translation holds up those behind it.
    while ((!waiting_express_.empty() || bulk_may_go()) && writes_.available(now()) > 0) {
        express_turn_ = !waiting_express_.empty() && (express_turn_ || !bulk_may_go());
        if (express_turn_) {
            issue(waiting_express_.pop());
        } else {
            ++first_waiting_;
            issue(waiting_.pop());
        }
        express_turn_ = !express_turn_;
    }
    if ((bulk_may_go() || !waiting_express_.empty()) && !retry_.due()) {
        if (const std::optional<Picoseconds> at = writes_.when_available(1, now())) {
            retry_.set(*at);
        }
    }
    note();
}

void DmaWriter::note() {
    if (!waiting_express_.empty() || !waiting_.empty()) {
        const bool lacks_translation = waiting_express_.empty() && waiting_.front().missing > 0;
        const std::optional<Picoseconds> place = writes_.when_available(1, now());
        if (!lacks_translation || !place || *place > now()) {
            times_.enter(kWritesInFlight, now());
        }
        if (lacks_translation && place) {
            times_.enter(kTranslation, std::max(now(), *place));  // unless it is there by then
        }
        return;
    }
    const bool under_way = clients_.size() > free_clients_.size();
    if (under_way || issued_until_ > now()) {
        times_.enter(kWritesBusy, now());
    }
    if (!under_way) {
        times_.enter(kWritesIdle, std::max(now(), issued_until_));
    }
}

}  // namespace ndsim
