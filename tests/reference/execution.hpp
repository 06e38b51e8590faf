// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/reference/model_state.hpp"

namespace ndsim::reference {

// How far the announced requests of a connection get in an epoch, and what they do to keys. Those that must be fenced
// or must not fail are in doubt.
[[nodiscard]] Course plan(Scene& scene, std::size_t number);

}  // namespace ndsim::reference
