// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "scenarios/format/scenario.hpp"

namespace ndsim {

// Queue pairs by their names in a scenario that has been loaded: "A.q0".

[[nodiscard]] bool is_queue_pair(const Scenario& scenario, const std::string& name);
// What a queue pair, which must be there, is connected to.
[[nodiscard]] std::string peer_of(const Scenario& scenario, const std::string& qp);
// Where its receives are posted, in words.
[[nodiscard]] std::string receives_of(const Scenario& scenario, const std::string& qp);

}  // namespace ndsim
