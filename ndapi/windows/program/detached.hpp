// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ndapi/windows/abi/constants.h"
#include "ndapi/windows/abi/program_host.h"

namespace ndsim {

// The host of a program that is loaded but not attached: its static constructors run then. Time stands still, there
// are no events, ports, threads and adapters, and what is printed goes to the process's own outputs.
class Detached final : public ProgramHost {
public:
    [[nodiscard]] std::uint64_t nanoseconds() override { return 0; }
    void sleep(DWORD, DWORD) override {}
    [[nodiscard]] CpuTimes cpu_times() override { return {}; }
    void interlocked(Interlocked) override {}

    [[nodiscard]] HANDLE create_event(bool, bool) override { return nullptr; }
    Win32Error set_event(HANDLE) override { return ERROR_INVALID_HANDLE; }
    Win32Error reset_event(HANDLE) override { return ERROR_INVALID_HANDLE; }
    Win32Error close_handle(HANDLE) override { return ERROR_INVALID_HANDLE; }
    [[nodiscard]] DWORD wait(const HANDLE*, DWORD, bool, DWORD) override { return WAIT_FAILED; }

    [[nodiscard]] HANDLE create_port(HANDLE, HANDLE, ULONG_PTR) override { return nullptr; }
    [[nodiscard]] HANDLE create_file() override { return nullptr; }
    Win32Error post(HANDLE, const PortPacket&) override { return ERROR_INVALID_HANDLE; }
    Win32Error dequeue(HANDLE, PortPacket&, DWORD) override { return ERROR_INVALID_HANDLE; }

    [[nodiscard]] HANDLE create_thread(ThreadStart, void*, DWORD*) override { return nullptr; }
    [[noreturn]] void exit_thread(DWORD code) override;
    [[nodiscard]] DWORD thread_id() override { return 1; }
    Win32Error exit_code_of(HANDLE, DWORD&) override { return ERROR_INVALID_HANDLE; }
    [[noreturn]] void exit_process(int code) override;
    void set_last_error(Win32Error) override {}
    [[nodiscard]] Win32Error last_error() override { return ERROR_NOT_READY; }
    [[nodiscard]] DWORD processors() override { return 1; }

    void write(int stream, std::string_view text) override;
    [[nodiscard]] HRESULT provider(REFIID, void** object) override;
    [[nodiscard]] bool has_open_objects() override { return false; }

    [[nodiscard]] HANDLE create_semaphore(LONG, LONG) override { return nullptr; }
    Win32Error release_semaphore(HANDLE, LONG, LONG*) override { return ERROR_INVALID_HANDLE; }
    [[nodiscard]] HANDLE create_mutex(bool) override { return nullptr; }
    Win32Error release_mutex(HANDLE) override { return ERROR_INVALID_HANDLE; }
    [[nodiscard]] HANDLE create_timer(bool) override { return nullptr; }
    Win32Error set_timer(HANDLE, std::uint64_t, DWORD) override { return ERROR_INVALID_HANDLE; }
    Win32Error cancel_timer(HANDLE) override { return ERROR_INVALID_HANDLE; }
    [[nodiscard]] HANDLE duplicate_handle(HANDLE) override { return nullptr; }
    [[nodiscard]] HANDLE open_thread(DWORD) override { return nullptr; }
};

}  // namespace ndsim
