// SPDX-License-Identifier: Apache-2.0
// What a host program in a shared object asks of the simulated host that it runs on. The functions that a Windows
// program calls (ndapi/windows/program) are made of these; the simulator implements them in simulated time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "ndapi/windows/abi/overlapped.h"
#include "ndapi/windows/abi/unknown.h"

namespace ndsim {

// What a wait or a call ended with: a Win32 error code (0 is ERROR_SUCCESS).
using Win32Error = DWORD;

// A completion packet of a port.
struct PortPacket {
    DWORD bytes = 0;
    ULONG_PTR key = 0;
    OVERLAPPED* overlapped = nullptr;
    NTSTATUS status = 0;  // of the call that completed; an error makes GetQueuedCompletionStatus return FALSE
};

class ProgramHost {
public:
    virtual ~ProgramHost() = default;

    // Time, of the calling thread's core. Reading the clock costs some.
    [[nodiscard]] virtual std::uint64_t nanoseconds() = 0;
    // INFINITE: for ever; 0: lets other software go on.
    virtual void sleep(DWORD milliseconds, DWORD and_nanoseconds = 0) = 0;
    // Nanoseconds that the host's cores have been idle and busy, for GetSystemTimes.
    struct CpuTimes {
        std::uint64_t idle = 0;
        std::uint64_t busy = 0;
    };
    [[nodiscard]] virtual CpuTimes cpu_times() = 0;
    // An atomic operation on memory, or a lock that is taken: a point at which other software may go on. It is one,
    // too, before a lock is given back, and takes no time: nobody else may have that lock while the caller still has
    // it.
    enum class Interlocked : std::uint8_t { take, give };
    virtual void interlocked(Interlocked access = Interlocked::take) = 0;

    // Handles belong to the program; INVALID_HANDLE_VALUE and unknown ones give ERROR_INVALID_HANDLE.
    [[nodiscard]] virtual HANDLE create_event(bool manual_reset, bool signalled) = 0;
    virtual Win32Error set_event(HANDLE event) = 0;
    virtual Win32Error reset_event(HANDLE event) = 0;
    virtual Win32Error close_handle(HANDLE handle) = 0;
    // WAIT_OBJECT_0 + index, WAIT_TIMEOUT, or WAIT_FAILED with the last error set. Events, threads, and
    // what is below.
    [[nodiscard]] virtual DWORD wait(const HANDLE* handles, DWORD count, bool all, DWORD milliseconds) = 0;

    // Completion ports: a new one if `port` is NULL; associates `file` unless that is INVALID_HANDLE_VALUE. NULL with
    // the last error set if it cannot.
    [[nodiscard]] virtual HANDLE create_port(HANDLE file, HANDLE port, ULONG_PTR key) = 0;
    // What requests are issued on, without any that the host would know of. NULL with the last error set if it cannot.
    [[nodiscard]] virtual HANDLE create_file() = 0;
    virtual Win32Error post(HANDLE port, const PortPacket& packet) = 0;
    // WAIT_TIMEOUT if none came in time, ERROR_ABANDONED_WAIT_0 if the port's last handle was closed meanwhile.
    virtual Win32Error dequeue(HANDLE port, PortPacket& packet, DWORD milliseconds) = 0;

    // Threads run on cores of their own. NULL with the last error set if there is none left.
    using ThreadStart = DWORD (*)(void*);
    [[nodiscard]] virtual HANDLE create_thread(ThreadStart start, void* argument, DWORD* id) = 0;
    [[noreturn]] virtual void exit_thread(DWORD code) = 0;
    [[nodiscard]] virtual DWORD thread_id() = 0;
    virtual Win32Error exit_code_of(HANDLE thread, DWORD& code) = 0;  // STILL_ACTIVE while it runs
    // Ends this program alone, with whatever it still has open.
    [[noreturn]] virtual void exit_process(int code) = 0;
    // Of the calling thread.
    virtual void set_last_error(Win32Error error) = 0;
    [[nodiscard]] virtual Win32Error last_error() = 0;
    [[nodiscard]] virtual DWORD processors() = 0;

    // What the program prints: stream 1 or 2.
    virtual void write(int stream, std::string_view text) = 0;

    // NetworkDirect's provider: IND2Provider or INDProvider, by its IID; or Winsock Direct's, by its own (wsp.h). An
    // HRESULT.
    [[nodiscard]] virtual HRESULT provider(REFIID iid, void** object) = 0;
    // Whether any object of a provider is open.
    [[nodiscard]] virtual bool has_open_objects() = 0;

    // More to wait for. Each create_ returns NULL with the last error set if it cannot.
    [[nodiscard]] virtual HANDLE create_semaphore(LONG count, LONG most) = 0;
    // ERROR_TOO_MANY_POSTS if that were more than the most. `previous` may be null.
    virtual Win32Error release_semaphore(HANDLE semaphore, LONG count, LONG* previous) = 0;
    // Belongs to the thread whose wait ended by it, or which made it as its own. A wait that ends by one whose owner
    // has ended gives WAIT_ABANDONED + index.
    [[nodiscard]] virtual HANDLE create_mutex(bool owned) = 0;
    virtual Win32Error release_mutex(HANDLE mutex) = 0;  // ERROR_NOT_OWNER
    // Signalled some time from now, then every `period` milliseconds unless that is 0.
    [[nodiscard]] virtual HANDLE create_timer(bool manual_reset) = 0;
    virtual Win32Error set_timer(HANDLE timer, std::uint64_t nanoseconds, DWORD period) = 0;
    virtual Win32Error cancel_timer(HANDLE timer) = 0;
    // A handle more for what another stands for, or for a thread that runs or has a handle. NULL with the last error
    // set if there is none.
    [[nodiscard]] virtual HANDLE duplicate_handle(HANDLE handle) = 0;
    [[nodiscard]] virtual HANDLE open_thread(DWORD id) = 0;
};

}  // namespace ndsim
