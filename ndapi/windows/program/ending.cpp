// SPDX-License-Identifier: Apache-2.0
// The ends of a program. None of them ends the process that simulates: each ends in ProgramHost::exit_process, which
// does not return. Static destructors are kept here and not by the C library, which would run them when the process
// ends or the program is unloaded, and there is no host then; a program that never ends never runs them.
#include "ndapi/windows/program/ending.hpp"

#include <csignal>
#include <cstdlib>
#include <exception>
#include <new>
#include <string>
#include <utility>

#include "ndapi/windows/abi/threads.h"
#include "ndapi/windows/program/instance.hpp"
#include "ndapi/windows/program/signals.hpp"
#include "ndapi/windows/program/streams.hpp"
#include "ndapi/windows/program/thread_locals.hpp"

namespace ndsim {
namespace {

constexpr int kAborted = 3;  // Windows' exit code after abort

void call(void* function) {
    reinterpret_cast<void (*)()>(function)();
}

int add(ExitHandler*& newest, void (*function)(void*), void* argument) {
    auto* handler = new (std::nothrow) ExitHandler{function, argument, newest};
    if (handler == nullptr) {
        return -1;
    }
    newest = handler;
    return 0;
}

// The newest first. One may add others, or end the program. Threads that are behind the calling one come as far first:
// afterwards they would find what the handlers have taken down.
void run(ExitHandler*& newest) {
    host().interlocked(ProgramHost::Interlocked::give);
    while (newest != nullptr) {
        const ExitHandler* handler = newest;
        const ExitHandler now = *handler;
        newest = now.next;
        delete handler;
        now.function(now.argument);
    }
}

[[noreturn]] void end(int code) {
    close_files();
    host().exit_process(code);
    __builtin_unreachable();  // of a virtual function the compiler does not know it
}

// Without handlers. Threads that are behind come as far first.
[[noreturn]] void end_at_once(int code) {
    host().interlocked(ProgramHost::Interlocked::give);
    end(code);
}

// The exception that is why the program is terminated, if one is.
void tell_exception() {
    if (std::current_exception() == nullptr) {
        return;
    }
    try {
        throw;
    } catch (const std::exception& error) {
        emit(stderr, std::string("uncaught exception: ") + error.what() + "\n");
    } catch (...) {
        emit(stderr, "uncaught exception, which is no std::exception\n");
    }
}

}  // namespace

void wind_up() {
    end_thread_locals();
    run(instance().exit_handlers);
    close_files();
}

void uncaught() noexcept {
    if (const std::terminate_handler handler = std::get_terminate()) {
        handler();  // may return; abort follows in any case, as on Windows
    } else {
        tell_exception();
    }
}

}  // namespace ndsim

// The C++ library has one handler for the process; each program has its own.
std::terminate_handler std::set_terminate(std::terminate_handler handler) noexcept {
    return std::exchange(ndsim::instance().terminate_handler, handler);
}

std::terminate_handler std::get_terminate() noexcept {
    return ndsim::instance().terminate_handler;
}

// Of a std::thread that nobody has joined, among others.
void std::terminate() noexcept {
    ndsim::uncaught();
    std::abort();
}

// The C library's header gives it the name that it has in C.
int at_quick_exit(void (*function)()) noexcept {
    return ndsim::add(ndsim::instance().quick_exit_handlers, ndsim::call, reinterpret_cast<void*>(function));
}

extern "C" {

int __cxa_atexit(void (*function)(void*), void* argument, void*) noexcept {
    return ndsim::add(ndsim::instance().exit_handlers, function, argument);
}

int atexit(void (*function)()) noexcept {
    return ndsim::add(ndsim::instance().exit_handlers, ndsim::call, reinterpret_cast<void*>(function));
}

void exit(int code) noexcept {
    ndsim::wind_up();
    ndsim::end(code);
}

void quick_exit(int code) noexcept {
    ndsim::run(ndsim::instance().quick_exit_handlers);
    ndsim::end(code);
}

void _exit(int code) {
    ndsim::end_at_once(code);
}

void _Exit(int code) noexcept {
    ndsim::end_at_once(code);
}

void ExitProcess(UINT code) {
    exit(static_cast<int>(code));
}

void abort() noexcept {
    (void)ndsim::call_signal_handler(SIGABRT);  // if it returns, the program is aborted all the same
    ndsim::emit(stderr, "abnormal program termination\n");
    ndsim::end_at_once(ndsim::kAborted);
}

// What assert calls.
void __assert_fail(const char* assertion, const char* file, unsigned line, const char* function) noexcept {
    ndsim::emit(stderr, std::string("Assertion failed: ") + assertion + ", file " + file + ", line " +
                            std::to_string(line) + ", " + (function == nullptr ? "?" : function) + "\n");
    ndsim::end_at_once(ndsim::kAborted);
}
}
