// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "scenarios/format/scenario.hpp"

namespace ndsim::advise {

// Dimension: a depth that advice is about, what sets it, and what one more of it costs.
struct Dimension {
    struct Setting {
        std::string path;
        std::uint64_t factor = 1;
        std::uint64_t most = 0;  // the parameter takes no more
    };
    std::string name;  // A SQ
    std::string sentence;
    std::vector<Setting> settings;
    std::uint64_t low = 1;
    std::uint64_t generous = 1;    // so many that they hold nobody up, or as many as there may be
    std::uint64_t own = 0;         // what the scenario says
    std::uint64_t chip_bytes = 0;  // of memory in the NIC for each
    std::uint64_t host_bytes = 0;  // of host memory for each
    std::uint64_t payload = 0;     // of all generators that each lets under way; 0: it does not count messages
    bool holds_reads = false;      // while they are outstanding; else messages, from post to reclaim
    Picoseconds latency{};         // for how long, at least; 0: as long as one that is alone
};

// The depths on the way of the scenario's generators: send and receive queues, completion queues, outstanding Reads,
// read tags, WQEs fetched ahead. With `fill`, each closed generator's window follows its send queue, so that the
// application always has as much outstanding as the queue holds.
[[nodiscard]] std::vector<Dimension> dimensions_of(const Scenario& scenario, bool fill);
// Of a generator's messages, in bytes.
[[nodiscard]] std::uint64_t mean_size(const Traffic& traffic);
// path=value for all that sets it.
[[nodiscard]] std::vector<std::string> overrides_of(const Dimension& dimension, std::uint64_t value);

// How many messages each generator must send for windows of that size to be measured, and how many of them are
// measured: traffic.t.count=..., measure.window=...
[[nodiscard]] std::vector<std::string> counts_for(const Scenario& scenario, const std::vector<Dimension>& dimensions);

}  // namespace ndsim::advise
