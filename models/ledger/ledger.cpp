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

// What lies ahead is most often one stay: a packet on its way.
void Ledger::cut(Picoseconds at) {
    const Picoseconds until = std::max(at, latest_begun);
    if (until >= last) {
        return;
    }
    Picoseconds& charge = accounts[static_cast<std::size_t>(latest)];
    charge -= last - until;
    if (charge == Picoseconds{}) {
        charged &= ~(1U << static_cast<unsigned>(latest));
    }
    last = until;
    if (path != nullptr) {
        const std::size_t stays = path->size();
        const Picoseconds back_begun = stays > 1 ? (*path)[stays - 2].until : begun;
        path->back().until = until;
        if (back_begun == until) {
            path->pop_back();
        }
    }
}

// A request at the head is sent again seven times at most; those behind it may be more often.
void LedgerBook::fork(std::uint32_t number) {
    constexpr std::size_t kMost = 8;
    Ledger* const ledger = find(number);
    if (ledger == nullptr || ledger->ended) {
        return;
    }
    ledger->sent_again = true;
    std::vector<Copy>& copies = copies_[number];
    if (copies.size() == kMost) {
        copies.erase(copies.begin() + 1);
    }
    copies.push_back({*ledger, ledger->path != nullptr ? *ledger->path : std::vector<Stay>{}});
}

// The latest copy that had come no farther is the one that the peer has got.
void LedgerBook::take_back(Ledger& ledger, Picoseconds at) {
    if (const auto found = copies_.find(ledger.id.number); found != copies_.end()) {
        const auto copy = std::find_if(found->second.rbegin(), found->second.rend(),
                                       [at](const Copy& each) { return each.ledger.last <= at; });
        if (copy != found->second.rend()) {
            ledger = copy->ledger;
            if (ledger.path != nullptr) {
                *ledger.path = copy->path;
            }
        }
    }
    ledger.cut(at);
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
    if (!copies_.empty()) {
        copies_.erase(ledger.id.number);
    }
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
