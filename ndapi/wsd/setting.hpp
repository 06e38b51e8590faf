// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ndapi/wsd/structures.hpp"
#include "ndapi/wsd/upcalls.hpp"

namespace ndsim::wsd {

// The state shared by a provider's sockets.
struct Setting {
    Setting(os::Process& program, const Options& wanted)
        : process(program), driver(program.driver()), options(wanted), upcalls(program, wanted) {}

    // A handle of registered memory, different for each registration of any socket.
    [[nodiscard]] HANDLE new_handle() { return reinterpret_cast<HANDLE>(next_handle += 4); }

    os::Process& process;
    core::Driver& driver;
    const Options options;
    Upcalls upcalls;
    Structures structures;
    ULONG_PTR next_handle = 0x1000;
};

}  // namespace ndsim::wsd
