// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scenarios/format/scenario.hpp"

namespace ndsim {

// Hosts and queue pairs of a loaded scenario.

// None if the host has no queue pair of this name.
[[nodiscard]] const QueuePair* find_queue_pair(const Host& host, std::string_view name);
// These must exist.
[[nodiscard]] const Host& host_at(const Scenario& scenario, const Endpoint& end);
[[nodiscard]] const QueuePair& queue_pair_at(const Scenario& scenario, const Endpoint& end);
// The peer of a queue pair, which must exist.
[[nodiscard]] Endpoint peer_of(const Scenario& scenario, const Endpoint& qp);
// The queue of its receives, in words.
[[nodiscard]] std::string receives_of(const Scenario& scenario, const Endpoint& qp);
// For each host the first one that connections join it with, over other hosts too: itself if there is none before it.
[[nodiscard]] std::vector<std::size_t> joined_hosts(const Scenario& scenario);

}  // namespace ndsim
