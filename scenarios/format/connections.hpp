// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "scenarios/format/scenario.hpp"

namespace ndsim {

// Queue pairs of a scenario that has been loaded.

[[nodiscard]] bool is_queue_pair(const Scenario& scenario, const Endpoint& qp);
// What a queue pair, which must be there, is connected to.
[[nodiscard]] Endpoint peer_of(const Scenario& scenario, const Endpoint& qp);
// Where its receives are posted, in words.
[[nodiscard]] std::string receives_of(const Scenario& scenario, const Endpoint& qp);

}  // namespace ndsim
