// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scenarios/world/world.hpp"

namespace ndsim {

// Ports that pause frames keep from sending what waits in them. When nothing is due any more, they do so for ever:
// ports that wait for each other in a ring.
[[nodiscard]] std::vector<std::string> ports_held_by_pauses();

// Standstill: detects that nothing will ever happen again except endless retries of senders whose peers have no receive
// [X23].
//
// It looks when a sender is about to retry and nothing else is due anywhere, in software or hardware, except retries of
// other senders. It is for ever if this happens twice, every such sender has been refused in between, and no software
// has run and no request has progressed in between: only software posts receives, only progress of requests could wake
// it, and each retry ends the same. A link that may still lose packets is waited for: a sender without any answer
// finally gives up.
class Standstill {
public:
    explicit Standstill(World& world) : world_(world) {}

    // Call at exactly those moments.
    [[nodiscard]] bool is_for_ever(Picoseconds now);

private:
    [[nodiscard]] bool links_are_sound() const;
    [[nodiscard]] std::uint64_t progress() const;

    World& world_;
    std::optional<Picoseconds> since_;  // the first such moment since the last progress
    std::uint64_t progress_ = 0;        // at that time
};

}  // namespace ndsim
