// SPDX-License-Identifier: Apache-2.0
#include "scenarios/record/fates.hpp"

#include "models/ledger/ledger.hpp"

namespace ndsim {

namespace {

Fate fate_of(const Ledger& ledger, Picoseconds now) {
    return ledger.completion && *ledger.completion <= now ? Fate::unpolled
           : ledger.lost                                  ? Fate::untold
           : ledger.receives                              ? Fate::unused
           : ledger.silent                                ? Fate::untold
                                                          : Fate::in_flight;
}

}  // namespace

void add_open(Fates& fates, const LedgerBook& book, Picoseconds now) {
    book.for_each_open([&](const Ledger& ledger) { ++fates[fate_of(ledger, now)]; });
}

}  // namespace ndsim
