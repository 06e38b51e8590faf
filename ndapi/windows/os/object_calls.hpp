// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "ndapi/windows/abi/program_host.h"
#include "ndapi/windows/os/handles.hpp"
#include "ndapi/windows/os/synchronization.hpp"
#include "ndapi/windows/os/threads.hpp"

namespace ndsim::os {

// ObjectCalls: a program's calls that make or change an event, a semaphore, a mutex, a timer or a completion port. They
// are described in ProgramHost.
class ObjectCalls {
public:
    ObjectCalls(core::Driver& driver, Handles& handles, Threads& threads)
        : driver_(driver), handles_(handles), threads_(threads) {}

    [[nodiscard]] HANDLE create_event(bool manual_reset, bool signalled);
    Win32Error set_event(HANDLE handle);
    Win32Error reset_event(HANDLE handle);
    [[nodiscard]] HANDLE create_semaphore(LONG count, LONG most);
    Win32Error release_semaphore(HANDLE handle, LONG count, LONG* previous);
    [[nodiscard]] HANDLE create_mutex(bool owned);
    Win32Error release_mutex(HANDLE handle);
    [[nodiscard]] HANDLE create_timer(bool manual_reset);
    Win32Error set_timer(HANDLE handle, std::uint64_t nanoseconds, DWORD period);
    Win32Error cancel_timer(HANDLE handle);
    [[nodiscard]] HANDLE create_port(HANDLE file_handle, HANDLE port_handle, ULONG_PTR key);
    Win32Error post(HANDLE handle, const PortPacket& packet);
    Win32Error dequeue(HANDLE handle, PortPacket& packet, DWORD milliseconds);

    // The program has ended.
    void cancel_timers();

private:
    template <class Object, class Change>
    Win32Error change(HANDLE handle, Change change);
    [[nodiscard]] HANDLE fail(Win32Error error);

    core::Driver& driver_;
    Handles& handles_;
    Threads& threads_;
    std::vector<std::weak_ptr<Timer>> timers_;
};

}  // namespace ndsim::os
