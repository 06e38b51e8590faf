// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "scenarios/world/world.hpp"

namespace ndsim {

// Standstill: tells when nothing will ever happen again but that senders ask, without end, peers that have no receive
// for them [X23].
//
// It looks when a sender is about to ask again and nothing else is due anywhere, in software or hardware, but the same
// of other senders. If this is the case twice, if every one of them has been refused in between, and in between no
// software has run and nothing has come of any request, then it stays so: receives are posted by software only, nothing
// is left to wake it but what becomes of the requests, and that is the same each time. A link that may still lose
// packets is waited for: a sender that gets no answer at all gives up in the end.
class Standstill {
public:
    explicit Standstill(World& world) : world_(world) {}

    // To be asked at just those moments.
    [[nodiscard]] bool is_for_ever(Picoseconds now);

private:
    [[nodiscard]] bool links_are_sound() const;
    [[nodiscard]] std::uint64_t progress() const;

    World& world_;
    std::optional<Picoseconds> since_;  // the first such moment since the last progress
    std::uint64_t progress_ = 0;        // at that time
};

}  // namespace ndsim
