// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/config/json.hpp"

namespace ndsim::format {

// Adds to the tree what a file may leave out because it follows from the rest: the queue pairs of hosts without "qps",
// which traffic and programs name, and the link of two hosts without "links".
void add_implied(JsonNode& root);
// Whether something in the tree was added that way: its position is that of what it follows from, which nothing written
// has. A queue pair follows from its host, and the link from the hosts.
[[nodiscard]] inline bool is_implied(const JsonNode& thing, const JsonNode& source) {
    return thing.at == source.at;
}

}  // namespace ndsim::format
