// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/reference/model_state.hpp"

// Who takes the receives of a shared queue. They go in the order of their posts to whichever connection's message comes
// first [K196]; so if several connections have messages for them, all are large enough, and there are enough of them.
namespace ndsim::reference {

// Before the outcomes of an epoch: messages of all but one connection are in doubt if their receives are not certain.
void share(Scene& scene, std::size_t side);
// Behind them: messages of a connection that may break at any time take a shared receive, or leave it to others.
[[nodiscard]] std::optional<Contest> check_shares(Scene& scene, std::size_t side);

}  // namespace ndsim::reference
