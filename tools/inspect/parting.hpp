// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "tools/inspect/completions_file.hpp"
#include "tools/inspect/recorded_run.hpp"

namespace ndsim::inspect {

// Where the ledgers of two requests part: how long after the post, in which accounts they are from there on, and how
// long for. A ledger that has ended has no account.
struct LedgerParting {
    Picoseconds after{};
    std::optional<Account> first;
    std::optional<Account> second;
    Picoseconds first_took{};
    Picoseconds second_took{};
};

// The first event, in time order, that is not the same in two runs: a request is posted, or ends. One that a run does
// not have is missing there. Times count from the moment that programs and generators began.
struct Parting {
    std::string request;
    bool is_post = false;
    Picoseconds since_start{};
    std::optional<Completion> first;
    std::optional<Completion> second;
    std::optional<LedgerParting> ledger;  // of what both posted at the same time
};

// Reads the completions of both runs, side by side; nothing if they are the same.
[[nodiscard]] std::optional<Parting> find_parting(const RecordedRun& first, const RecordedRun& second);

[[nodiscard]] std::optional<LedgerParting> part_ledgers(const Completion& first, const Completion& second);

}  // namespace ndsim::inspect
