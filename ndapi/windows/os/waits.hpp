// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "ndapi/windows/abi/types.h"
#include "ndapi/windows/os/waitable.hpp"

// How the calling thread waits.
namespace ndsim::os {

// Blocks until one of these is ready, which takes it, or until the time is over.
[[nodiscard]] std::optional<std::size_t> wait_for_any(core::Driver& driver, std::span<Waitable* const> objects,
                                                      DWORD milliseconds, std::string_view what);
// Blocks until all of these are ready at once, which takes them. False if the time is over.
[[nodiscard]] bool wait_for_all(core::Driver& driver, std::span<Waitable* const> objects, DWORD milliseconds);
// The thread has looked at `place` in vain, and goes on when it has a reason to look again (core::Spinners).
void look_in_vain(core::Driver& driver, const void* place);

}  // namespace ndsim::os
