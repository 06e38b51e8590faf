// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "ndapi/windows/os/process.hpp"
#include "ndapi/wsd/options.hpp"
#include "ndapi/wsd/ws2san.h"
#include "sim/base/rng.hpp"

namespace ndsim::wsd {

// Upcalls: the switch's functions, and when they are called. The ends of operations are reported on the core that runs
// callbacks, after a delay that may vary. A program that has ended is not called.
class Upcalls {
public:
    Upcalls(os::Process& process, const Options& options);

    void use(const WSPUPCALLTABLEEX& table, DWORD catalog_entry);
    // The switch's handle for a socket, or INVALID_SOCKET and the reason.
    [[nodiscard]] SOCKET create_handle(SOCKET descriptor, int& error);
    void close_handle(SOCKET handle);
    // Makes `call` after the delay.
    void later(std::function<void()> call);
    void complete(SOCKET handle, OVERLAPPED& overlapped, int error, DWORD bytes);

private:
    os::Process& process_;
    const Picoseconds delay_;
    const Picoseconds jitter_;
    Rng chance_;
    WSPUPCALLTABLEEX table_{};
    DWORD catalog_entry_ = 0;
};

}  // namespace ndsim::wsd
