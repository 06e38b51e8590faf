// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/format/scenario.hpp"
#include "sim/config/quantity.hpp"

namespace ndsim::advise {

// The damage from too little of a dimension, whenever software polls and posts.
enum class Break : std::uint8_t {
    nothing,   // only a loss of time
    overrun,   // a completion queue overruns, and its connections end: safe is room for all that may be outstanding
    receives,  // a message finds no receive: no number is safe if software stays away long enough
};

// Dimension: a depth in the advice, its parameters, and the cost of one more of it.
struct Dimension {
    // A parameter that sets the depth.
    struct Setting {
        std::string path;
        std::uint64_t factor = 1;
        std::uint64_t most = 0;  // maximum of the parameter
    };
    std::string name;  // A SQ
    std::string sentence;
    std::vector<Setting> settings;
    std::uint64_t low = 1;
    std::uint64_t generous = 1;             // enough never to limit, or the maximum
    std::uint64_t own = 0;                  // the scenario's value
    std::uint64_t chip_bytes = 0;           // of memory in the NIC for each
    std::uint64_t host_bytes = 0;           // of host memory for each
    std::optional<std::uint64_t> weight{};  // cost of each, from the user
    std::uint64_t payload = 0;              // of all generators, let under way by each; 0: no messages are counted
    std::uint64_t message = 0;              // mean size of their messages, the smallest one
    bool counts_messages = false;           // or Reads: a slot belongs to one queue pair
    bool holds_reads = false;               // while outstanding; otherwise messages, from post to reclaim
    Picoseconds latency{};                  // the least time for which each is held; 0: the time of a single message
    Break breaks = Break::nothing;
    // A completion queue of a host.
    struct Queue {
        std::string host;
        std::string cq;
    };
    std::vector<Queue> queues{};  // if it is the depth of completion queues
    // The size of each, if it is a quantity.
    std::optional<Quantity> quantity{};
};

// path=value for all its parameters.
[[nodiscard]] std::vector<std::string> overrides_of(const Dimension& dimension, std::uint64_t value);
// "48", or "96 KiB".
[[nodiscard]] std::string text_of(const Dimension& dimension, std::uint64_t value);
// Lets `payload` more of this generator be under way with each.
void add_payload(Dimension& dimension, const Traffic& traffic, std::uint64_t payload);
// The bytes of one message of each of a generator's sizes, which take turns, and the mean size, rounded up.
[[nodiscard]] std::uint64_t size_of_all(const Traffic& traffic);
[[nodiscard]] std::uint64_t mean_size(const Traffic& traffic);

}  // namespace ndsim::advise
