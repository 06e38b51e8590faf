// SPDX-License-Identifier: Apache-2.0
#include "models/pcie/down_link.hpp"

#include <algorithm>
#include <utility>

#include "models/parts/ranks.hpp"
#include "models/proto/tlp_cuts.hpp"

namespace ndsim {

namespace {

constexpr std::uint32_t kLine = 64;  // a write-combined store leaves the core in lines

std::uint32_t tlps_of(const Mmio& mmio) {
    return static_cast<std::uint32_t>(ceil_div(mmio.data_bytes(), kLine));
}

}  // namespace

DownLink::DownLink(Unit& unit, Timeline& timeline, const PcieParams& params, sc_core::sc_port<BarPort>& bar,
                   sc_core::sc_port<PcieClient>& client)
    : unit_(unit),
      params_(params),
      flight_(params.flight()),
      bar_(bar),
      client_(client),
      link_(params.tlp_rate(), params.arbiter_grain),
      leaving_(*this, timeline, kRankStore),
      looks_(*this, timeline, kRankLink),
      bar_headers_(unit, kBarHeadersPool, params.bar_posted_headers),
      times_(unit, "down", kDownStates),
      bulk_(unit, "down_bulk", "completions downwards", kTlpUseNames),
      express_(unit, "down_express", "stores of the CPU downwards", kTlpUseNames) {}

void DownLink::store(Picoseconds leaves, const Mmio& mmio, StoreClient& core) {
    leaving_.push(leaves, {mmio, &core});
}

void DownLink::store_leaves(const Store& store) {
    store.core->store_left();
    waiting_stores_.push(store);
    ++stores_come_;
    if (waiting_stores_.size() == 1) {
        serve();
    }
}

void DownLink::complete(const ReadTrain& train) {
    waiting_.push({train, stores_come_});
    if (waiting_.size() == 1) {
        serve();
    }
}

void DownLink::serve() {
    while (true) {
        const bool is_next = !waiting_.empty() && waiting_.front().behind <= store_count_;
        if (is_next && send_completion()) {
            continue;
        }
        if (waiting_stores_.empty() || !send_store()) {
            return;
        }
    }
}

void DownLink::look_at(Picoseconds when) {
    looks_.set(std::min(when, looks_.due().value_or(when)));
}

bool DownLink::send_completion() {
    const Picoseconds at = unit_.now();
    if (link_.bulk_free_at() > at) {
        look_at(link_.bulk_free_at());
        return false;
    }
    const ReadTrain train = waiting_.pop().train;
    const Bytes last = Bytes{std::min<std::uint64_t>(train.length, params_.mps.count)} + params_.completion_header;
    const Interval sent = link_.bulk({at, at}, train.completions, last);
    note();
    bytes_ += train.completions.count;
    bulk_.set(train.use, sent.start);
    bulk_.set(TlpUse::idle, sent.end);
    client_->read_scheduled(train.token, {sent.start + flight_, sent.end + flight_});
    return true;
}

bool DownLink::send_store() {
    const Picoseconds at = unit_.now();
    const Store& store = waiting_stores_.front();
    const std::uint32_t tlps = tlps_of(store.mmio);
    if (const Picoseconds back = bar_headers_.when_available(tlps, at).value_or(at); back > at) {
        credit_waits_ += std::exchange(lacks_credits_, true) ? 0 : 1;
        times_.enter(rest(), std::max(at, link_.bulk_free_at()));
        look_at(back);
        return false;
    }
    if (std::exchange(lacks_credits_, false)) {
        times_.enter(rest(), std::max(at, link_.bulk_free_at()));
    }
    const Bytes total = Bytes{store.mmio.data_bytes()} + tlps * params_.write_header;
    const bool may_queue = waiting_.empty() || waiting_.front().behind > store_count_;
    const std::optional<Interval> sent = may_queue ? link_.express(at, total) : link_.enter(at, total);
    if (!sent) {
        return false;  // the first completion looks again
    }
    store.core->store_taken(at);
    note();
    bytes_ += total.count;
    ++store_count_;
    express_.set(TlpUse::doorbell, sent->start);
    express_.set(TlpUse::idle, sent->end);
    const Picoseconds taken = bar_->arrive(sent->end + flight_, store.mmio);
    bar_headers_.hold(tlps, {at, taken + params_.update_fc + flight_});
    waiting_stores_.drop();
    return true;
}

void DownLink::note() {
    times_.enter(kDownBusy, link_.share().start);
    times_.enter(rest(), link_.share().end);
}

void DownLink::stall(Picoseconds until) {
    hold(link_, times_, kDownStall, rest(), {unit_.now(), until});
}

}  // namespace ndsim
