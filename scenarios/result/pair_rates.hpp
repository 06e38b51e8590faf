// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/format/scenario.hpp"
#include "scenarios/result/limit_shares.hpp"

namespace ndsim {

// The busiest queue pair of a host.
struct BusiestPair {
    std::uint64_t rate = 0;               // messages per second
    std::vector<std::string> generators;  // whose own busiest queue pair is at most 5 % behind it
};

// PairRates: the messages per second that generators start on single queue pairs, while all of them are measured.
class PairRates {
public:
    PairRates(const Scenario& scenario, const LimitShares& shares) : scenario_(scenario), shares_(shares) {}

    // Of the busiest queue pair of a generator, by its part of all weights. No two generators send from one.
    [[nodiscard]] std::uint64_t largest_of(const Traffic& traffic) const;
    // None: no generator sends from this host.
    [[nodiscard]] std::optional<BusiestPair> busiest(const Host& host) const;

private:
    const Scenario& scenario_;
    const LimitShares& shares_;
};

}  // namespace ndsim
