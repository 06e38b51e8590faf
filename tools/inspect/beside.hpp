// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "models/ledger/ledger.hpp"
#include "scenarios/run/run.hpp"

namespace ndsim::inspect {

using AccountTimes = std::array<Picoseconds, kAccounts>;
[[nodiscard]] AccountTimes times_of(const MeanLedger& ledger);

// An account of two ledgers, in tenths of a nanosecond, rounded so that the accounts add up.
struct Beside {
    std::string account;
    std::uint64_t first = 0;
    std::uint64_t second = 0;

    [[nodiscard]] std::int64_t difference() const {
        return static_cast<std::int64_t>(first) - static_cast<std::int64_t>(second);
    }
};

// The accounts charged in either of them, in the order of a Send's life.
[[nodiscard]] std::vector<Beside> beside(const AccountTimes& first, const AccountTimes& second);
[[nodiscard]] Beside sum_of(const std::vector<Beside>& rows);

}  // namespace ndsim::inspect
