// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/config/json.hpp"

namespace ndsim::format {

// Adds to the tree what a file may leave out because it follows from the rest: the queue pairs of hosts without "qps",
// which traffic and programs name, and the link of two hosts without "links".
void add_implied(JsonNode& root);
// Whether a queue pair of the tree was added that way: its position is that of its host, which no written one has.
[[nodiscard]] inline bool is_implied(const JsonNode& queue_pair, const JsonNode& host) {
    return queue_pair.at == host.at;
}

}  // namespace ndsim::format
