// SPDX-License-Identifier: Apache-2.0
#include "models/ledger/ledger.hpp"

#include <algorithm>
#include <utility>

#include "sim/base/slots.hpp"

namespace ndsim {

namespace {

constexpr std::array<std::string_view, kAccounts> kNames{
    "slot",      "post",       "doorbell",  "arbitration", "wqe_cache",    "wqe_fetch",   "context",
    "fence",     "read_limit", "tags",      "credits",     "payload_read", "tx",          "wire",
    "switch",    "pause",      "rx_buffer", "rnr",         "retransmit",   "receive_wqe", "message",
    "dma_write", "ack_return", "cqe",       "poll",
};

}  // namespace

std::span<const std::string_view, kAccounts> account_names() {
    return kNames;
}

void Ledger::add_stay(Account account) {
    if (!path->empty() && path->back().account == account) {
        path->back().until = last;
    } else {
        path->push_back({account, last});
    }
}

Ledger& LedgerBook::open(Picoseconds at) {
    // 0 is no request. Numbers wrap after 2^32 requests, long after the first ones are closed.
    last_number_ = last_number_ == UINT32_MAX ? 1 : last_number_ + 1;
    if (2 * (open_count() + 1) > places_.size()) {
        grow();
    }
    const std::uint32_t index = take_slot(pool_, free_);
    insert({last_number_, index});
    Ledger& ledger = pool_[index];
    ledger = {};
    ledger.id = {host_, last_number_};
    ledger.begun = at;
    ledger.last = at;
    ledger.watch = watch_;
    if (keeps_paths_) {
        paths_.resize(std::max(paths_.size(), pool_.size()));
        ledger.path = &paths_[index];
        ledger.path->clear();
    }
    return ledger;
}

void LedgerBook::close(const Ledger& ledger) {
    std::size_t hole = home(ledger.id.number);
    while (places_[hole].number != ledger.id.number) {
        hole = next(hole);
    }
    free_.push_back(places_[hole].ledger);
    // Entries behind the hole move up if their search would otherwise stop at it.
    for (std::size_t at = next(hole); places_[at].number != 0; at = next(at)) {
        const std::size_t wanted = home(places_[at].number);
        const bool between = hole <= at ? (hole < wanted && wanted <= at) : (hole < wanted || wanted <= at);
        if (!between) {
            places_[hole] = places_[at];
            hole = at;
        }
    }
    places_[hole] = {};
}

void LedgerBook::insert(Place place) {
    std::size_t at = home(place.number);
    while (places_[at].number != 0) {
        at = next(at);
    }
    places_[at] = place;
}

void LedgerBook::grow() {
    const std::vector<Place> old = std::exchange(places_, std::vector<Place>(places_.size() * 2));
    for (const Place& place : old) {
        if (place.number != 0) {
            insert(place);
        }
    }
}

Ledgers::Ledgers(std::size_t hosts) {
    for (std::size_t i = 0; i < hosts; ++i) {
        books_.emplace_back(HostId{static_cast<std::uint16_t>(i)});
    }
}

void Ledgers::keep_paths() {
    for (LedgerBook& book : books_) {
        book.keep_paths();
    }
}

}  // namespace ndsim
