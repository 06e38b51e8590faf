// SPDX-License-Identifier: Apache-2.0
#include "tools/inspect/beside.hpp"

#include <algorithm>

#include "tools/cli/figures.hpp"

namespace ndsim::inspect {

namespace {

std::vector<std::uint64_t> steps_of(const AccountTimes& times) {
    std::vector<std::uint64_t> counts;
    for (const Picoseconds time : times) {
        counts.push_back(static_cast<std::uint64_t>(time.count()));
    }
    return cli::rounded_to_sum(counts, cli::kTimeStep);
}

}  // namespace

AccountTimes times_of(const MeanLedger& ledger) {
    AccountTimes times{};
    for (const auto& [account, time] : ledger.accounts) {
        const auto found = std::ranges::find(account_names(), account);
        times.at(static_cast<std::size_t>(found - account_names().begin())) = time;
    }
    return times;
}

std::vector<Beside> beside(const AccountTimes& first, const AccountTimes& second) {
    const std::vector<std::uint64_t> first_steps = steps_of(first);
    const std::vector<std::uint64_t> second_steps = steps_of(second);
    std::vector<Beside> rows;
    for (std::size_t i = 0; i < kAccounts; ++i) {
        if (first[i] != Picoseconds{} || second[i] != Picoseconds{}) {
            rows.push_back({std::string(account_names()[i]), first_steps[i], second_steps[i]});
        }
    }
    return rows;
}

Beside sum_of(const std::vector<Beside>& rows) {
    Beside sum{"total", 0, 0};
    for (const Beside& row : rows) {
        sum.first += row.first;
        sum.second += row.second;
    }
    return sum;
}

}  // namespace ndsim::inspect
