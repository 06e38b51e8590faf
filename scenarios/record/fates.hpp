// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "sim/base/units.hpp"

namespace ndsim {

class LedgerBook;

// The fate of a request by the end of a run.
enum class Fate : std::uint8_t {
    succeeded,  // a poll has returned its completion
    failed,     // the same, with an error of its own
    flushed,    // the same, cancelled with its queue
    silent,     // it succeeded without a completion; a later one reports it
    untold,     // silent, and no later completion was polled; or its completion was lost in an overrun
    unpolled,   // its completion is in the queue, and no poll has returned it
    unused,     // a receive that no message has taken, or not wholly
    in_flight   // posted, and nothing more is known of it
};
inline constexpr std::array<std::string_view, 8> kFateNames{"succeeded", "failed",   "flushed", "silent",
                                                            "untold",    "unpolled", "unused",  "in_flight"};

// The requests of one host by their fates: each posted request has one.
struct Fates {
    std::string host;
    std::array<std::uint64_t, kFateNames.size()> requests{};

    [[nodiscard]] std::uint64_t operator[](Fate fate) const { return requests.at(static_cast<std::size_t>(fate)); }
    [[nodiscard]] std::uint64_t& operator[](Fate fate) { return requests.at(static_cast<std::size_t>(fate)); }
};

// Adds requests whose ledgers are open at the end, which is now.
void add_open(Fates& fates, const LedgerBook& book, Picoseconds now);

}  // namespace ndsim
