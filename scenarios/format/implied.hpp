// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/config/json.hpp"

namespace ndsim::format {

// Writes into the tree what a file may leave out because it follows from the rest: the queue pairs of hosts without
// "qps", which are those that traffic and programs name, and the link of two hosts without "links".
void add_implied(JsonNode& root);
// Whether a queue pair of the tree was added so. It stands where its host does, as nothing that is written down can.
[[nodiscard]] inline bool is_implied(const JsonNode& queue_pair, const JsonNode& host) {
    return queue_pair.at == host.at;
}

}  // namespace ndsim::format
