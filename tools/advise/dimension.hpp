// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/format/scenario.hpp"
#include "sim/config/quantity.hpp"

namespace ndsim::advise {

// What breaks if there is too little of a dimension, whenever software polls and posts.
enum class Break : std::uint8_t {
    nothing,   // it only costs time
    overrun,   // a completion queue, and with it its connections: safe is what holds all that may be outstanding
    receives,  // a message finds no receive: no number is safe from software that stays away for long enough
};

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
    std::uint64_t generous = 1;             // so many that they hold nobody up, or as many as there may be
    std::uint64_t own = 0;                  // what the scenario says
    std::uint64_t chip_bytes = 0;           // of memory in the NIC for each
    std::uint64_t host_bytes = 0;           // of host memory for each
    std::optional<std::uint64_t> weight{};  // what each costs, as the user says
    std::uint64_t payload = 0;              // of all generators that each lets under way; 0: it does not count messages
    bool counts_messages = false;           // or Reads: a slot is one of a queue pair
    bool holds_reads = false;               // while they are outstanding; else messages, from post to reclaim
    Picoseconds latency{};                  // for how long, at least; 0: as long as one that is alone
    Break breaks = Break::nothing;
    struct Queue {
        std::string host;
        std::string cq;
    };
    std::vector<Queue> queues{};  // of completion queues
    // Each is so much of a quantity, if it is one.
    std::optional<Quantity> quantity{};
};

// path=value for all that sets it.
[[nodiscard]] std::vector<std::string> overrides_of(const Dimension& dimension, std::uint64_t value);
// "48", or "96 KiB".
[[nodiscard]] std::string text_of(const Dimension& dimension, std::uint64_t value);
// Of a generator's messages, in bytes.
[[nodiscard]] std::uint64_t mean_size(const Traffic& traffic);

}  // namespace ndsim::advise
