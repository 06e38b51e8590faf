// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "ndapi/core/driver.hpp"
#include "ndapi/core/object.hpp"

namespace ndsim::core {

// A command to the NIC for `object`, which stays meanwhile. The NIC has done it at `answered`; then the callback core
// calls `told`, with success.
void command_for(Object& object, Driver& driver, Command command, std::function<void(NTSTATUS)> told = nullptr,
                 std::function<void()> answered = nullptr);

}  // namespace ndsim::core
