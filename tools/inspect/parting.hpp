// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "tools/inspect/completions_file.hpp"
#include "tools/inspect/recorded_run.hpp"

namespace ndsim::inspect {

// Where the ledgers of two requests part: the time after the post, and the accounts and their lengths from there on. A
// ledger that has ended has no account.
struct LedgerParting {
    Picoseconds after{};
    std::optional<Account> first;
    std::optional<Account> second;
    Picoseconds first_took{};
    Picoseconds second_took{};
};

// The first event, in time order, that differs between two runs: a request is posted, or ends. A run without the
// request has nothing here. Times count from the start of programs and generators.
struct Parting {
    std::string request;
    bool is_post = false;
    Picoseconds since_start{};
    std::optional<Completion> first;
    std::optional<Completion> second;
    std::optional<LedgerParting> ledger;  // of requests that both runs posted at the same time
};

// Compares the completions of both runs; nothing if they are the same.
[[nodiscard]] std::optional<Parting> find_parting(const RecordedRun& first, const RecordedRun& second);

[[nodiscard]] std::optional<LedgerParting> part_ledgers(const Completion& first, const Completion& second);

}  // namespace ndsim::inspect
