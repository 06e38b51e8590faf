// SPDX-License-Identifier: Apache-2.0
#include "ndapi/windows/program/detached.hpp"

#include <sys/syscall.h>
#include <unistd.h>

#include "ndapi/windows/abi/constants.h"

namespace ndsim {

Win32Error Detached::set_event(HANDLE) {
    return ERROR_INVALID_HANDLE;
}
Win32Error Detached::reset_event(HANDLE) {
    return ERROR_INVALID_HANDLE;
}
Win32Error Detached::close_handle(HANDLE) {
    return ERROR_INVALID_HANDLE;
}
DWORD Detached::wait(const HANDLE*, DWORD, bool, DWORD) {
    return WAIT_FAILED;
}
Win32Error Detached::post(HANDLE, const PortPacket&) {
    return ERROR_INVALID_HANDLE;
}
Win32Error Detached::dequeue(HANDLE, PortPacket&, DWORD) {
    return ERROR_INVALID_HANDLE;
}
Win32Error Detached::release_semaphore(HANDLE, LONG, LONG*) {
    return ERROR_INVALID_HANDLE;
}
Win32Error Detached::release_mutex(HANDLE) {
    return ERROR_INVALID_HANDLE;
}
Win32Error Detached::set_timer(HANDLE, std::uint64_t, DWORD) {
    return ERROR_INVALID_HANDLE;
}
Win32Error Detached::cancel_timer(HANDLE) {
    return ERROR_INVALID_HANDLE;
}
Win32Error Detached::last_error() {
    return ERROR_NOT_READY;
}

void Detached::exit_thread(DWORD code) {
    exit_process(static_cast<int>(code));
}

// There is nobody to whom this could return, and _exit is ours.
void Detached::exit_process(int code) {
    for (;;) {
        ::syscall(SYS_exit_group, code);
    }
}

void Detached::write(int stream, std::string_view text) {
    while (!text.empty()) {
        const ssize_t written = ::write(stream, text.data(), text.size());
        if (written <= 0) {
            return;
        }
        text.remove_prefix(static_cast<std::size_t>(written));
    }
}

HRESULT Detached::provider(REFIID, void** object) {
    *object = nullptr;
    return E_NOINTERFACE;
}

}  // namespace ndsim
