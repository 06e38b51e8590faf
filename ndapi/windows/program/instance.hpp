// SPDX-License-Identifier: Apache-2.0
// What a loaded copy of a program knows of itself. The library is linked into each copy, so each has its own, and two
// programs never meet here. It is the only variable of the library.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <exception>

#include "ndapi/windows/abi/program_host.h"
#include "ndapi/windows/program/heap.hpp"

namespace ndsim::wsd {

class Wsp;

}  // namespace ndsim::wsd

namespace ndsim {

// What runs at the program's end: a static destructor, or a function given to atexit or at_quick_exit.
struct ExitHandler {
    void (*function)(void*);
    void* argument;
    ExitHandler* next;
};

// When a program's clocks of the day begin, in seconds since 1970: 1 January 2025.
inline constexpr std::uint64_t kStartOfTime = 1'735'689'600;

// What functions of the C library keep for a thread from one call to the next (call_state.cpp).
struct CallState {
    DWORD thread = 0;
    char* rest = nullptr;      // of strtok
    std::uint32_t random = 1;  // of rand
    std::tm day{};             // of gmtime
    std::array<char, 26> text{};
    CallState* next = nullptr;
};
using SignalHandler = void (*)(int);

class AddressWait;
struct OpenFile;
struct ListedThread;
struct PendingCall;
struct SlotValue;
struct ThreadExit;
struct ThreadLocals;
struct WaitEvent;

// The threads that run what a program hands to the system's pool (pool.hpp).
struct Pool {
    HANDLE port = nullptr;  // where its threads wait for something to do
    DWORD idle = 0;         // threads that wait there
    DWORD threads = 0;
    DWORD queued = 0;  // calls that nobody has begun
};

struct Instance {
    static constexpr std::size_t kSignals = 6;

    ProgramHost* host;
    std::array<std::FILE*, 3> files{};     // where output 1 and 2 go since a freopen; null: to the host
    OpenFile* open_files = nullptr;        // of CreateFile (open_files.hpp)
    Heap heap{};                           // the process's own, which is never destroyed
    ExitHandler* exit_handlers = nullptr;  // the newest first
    ExitHandler* quick_exit_handlers = nullptr;
    std::terminate_handler terminate_handler = nullptr;  // of set_terminate
    wchar_t** arguments = nullptr;                       // of a wide main; the program may look at them until its end
    wsd::Wsp* sockets = nullptr;                         // Winsock Direct's provider, which the program has started
    ListedThread* threads = nullptr;                     // those that it has made (thread_list.hpp)
    SlotValue* slot_values = nullptr;
    CallState* call_states = nullptr;
    std::array<SignalHandler, kSignals> signal_handlers{};  // null: the default
    AddressWait* address_waits = nullptr;                   // of all threads, the longest first (thread_waits.hpp)
    WaitEvent* free_events = nullptr;
    ThreadLocals* thread_locals = nullptr;
    ThreadExit* thread_exits = nullptr;  // the newest first
    std::size_t own_module = 0;          // the dynamic linker's number of the program, once thread_locals are there
    DWORD next_slot = 0;
    PendingCall* pending_calls = nullptr;  // of QueueUserAPC, for whichever thread (alerts.hpp)
    Pool pool{};
    std::uint64_t random = 0;  // the state of rand_s
    int argument_count = 0;
    char** narrow_arguments = nullptr;
    char* command_line = nullptr;
    wchar_t* wide_command_line = nullptr;
};

[[nodiscard]] Instance& instance();

// The host that the program runs on; before it is attached, one that has nothing.
[[nodiscard]] inline ProgramHost& host() {
    return *instance().host;
}

// TRUE, or FALSE with the last error set.
BOOL succeeded(Win32Error error);

}  // namespace ndsim
