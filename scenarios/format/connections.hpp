// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "scenarios/format/scenario.hpp"

namespace ndsim {

// Hosts and queue pairs of a scenario that has been loaded.

// These must be there.
[[nodiscard]] const Host& host_at(const Scenario& scenario, const Endpoint& end);
[[nodiscard]] const QueuePair& queue_pair_at(const Scenario& scenario, const Endpoint& end);
[[nodiscard]] bool is_queue_pair(const Scenario& scenario, const Endpoint& qp);
// What a queue pair, which must be there, is connected to.
[[nodiscard]] Endpoint peer_of(const Scenario& scenario, const Endpoint& qp);
// Where its receives are posted, in words.
[[nodiscard]] std::string receives_of(const Scenario& scenario, const Endpoint& qp);

}  // namespace ndsim
