// SPDX-License-Identifier: Apache-2.0
// The ends of a program. None of them ends the process that simulates: each ends in ProgramHost::exit_process, which
// does not return. Static destructors are kept here and not by the C library, which would run them when the process
// ends or the program is unloaded, and there is no host then; a program that never ends never runs them.
#include "ndapi/windows/program/ending.hpp"

#include <cstdlib>
#include <exception>
#include <new>
#include <string>

#include "ndapi/windows/abi/threads.h"
#include "ndapi/windows/program/instance.hpp"
#include "ndapi/windows/program/streams.hpp"
#include "ndapi/windows/program/thread_locals.hpp"

namespace ndsim {
namespace {

constexpr int kAborted = 3;  // Windows' exit code after abort

void call(void* function) {
    reinterpret_cast<void (*)()>(function)();
}

int at_exit(void (*function)(void*), void* argument) {
    auto* handler = new (std::nothrow) ExitHandler{function, argument, instance().exit_handlers};
    if (handler == nullptr) {
        return -1;
    }
    instance().exit_handlers = handler;
    return 0;
}

[[noreturn]] void end_aborted() {
    close_files();
    host().exit_process(kAborted);
    __builtin_unreachable();  // of a virtual function the compiler does not know it
}

}  // namespace

void wind_up() {
    end_thread_locals();
    while (instance().exit_handlers != nullptr) {  // a handler may add others, or call exit
        const ExitHandler* handler = instance().exit_handlers;
        const ExitHandler now = *handler;
        instance().exit_handlers = now.next;
        delete handler;
        now.function(now.argument);
    }
    close_files();
}

}  // namespace ndsim

// Of a std::thread that nobody has joined, among others.
void std::terminate() noexcept {
    std::abort();
}

extern "C" {

int __cxa_atexit(void (*function)(void*), void* argument, void*) noexcept {
    return ndsim::at_exit(function, argument);
}

int atexit(void (*function)()) noexcept {
    return ndsim::at_exit(ndsim::call, reinterpret_cast<void*>(function));
}

void exit(int code) noexcept {
    ndsim::wind_up();
    ndsim::host().exit_process(code);
    __builtin_unreachable();  // of a virtual function the compiler does not know it
}

void _exit(int code) {
    ndsim::close_files();
    ndsim::host().exit_process(code);
    __builtin_unreachable();  // of a virtual function the compiler does not know it
}

void _Exit(int code) noexcept {
    ndsim::close_files();
    ndsim::host().exit_process(code);
    __builtin_unreachable();  // of a virtual function the compiler does not know it
}

void ExitProcess(UINT code) {
    exit(static_cast<int>(code));
}

void abort() noexcept {
    ndsim::emit(stderr, "abnormal program termination\n");
    ndsim::end_aborted();
}

// What assert calls.
void __assert_fail(const char* assertion, const char* file, unsigned line, const char* function) noexcept {
    ndsim::emit(stderr, std::string("Assertion failed: ") + assertion + ", file " + file + ", line " +
                            std::to_string(line) + ", " + (function == nullptr ? "?" : function) + "\n");
    ndsim::end_aborted();
}
}
