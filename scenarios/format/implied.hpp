// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/config/json.hpp"

namespace ndsim::format {

// Writes into the tree what a file may leave out because it follows from the rest: the queue pairs of hosts without
// "qps", which are those that traffic and programs name, and the link of two hosts without "links".
void add_implied(JsonNode& root);

}  // namespace ndsim::format
