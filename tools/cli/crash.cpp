// SPDX-License-Identifier: Apache-2.0
#include "tools/cli/crash.hpp"

#include <time.h>

#include <array>
#include <atomic>
#include <csignal>
#include <cstddef>

namespace ndsim::cli {

namespace {

constexpr std::array kCrashes{SIGSEGV, SIGBUS, SIGFPE, SIGILL};
constexpr int kCrashPauses = 200;                   // so many, and nobody tells of it
constexpr long kCrashPause = 10'000'000;            // ns
constexpr std::size_t kHandlerStack = 64UL * 1024;  // own, as a program may have none left

// Written by a signal handler, which has no other way to report.
std::atomic<int> crash_of_program = 0;
std::atomic<bool> crash_told = false;

// The handler allocates nothing, as the crash may be one of the heap. It returns into the signal that it raises, which
// ends the process now.
void wait_until_told(int signal) {
    crash_of_program = signal;
    for (int i = 0; i < kCrashPauses && !crash_told; ++i) {
        const timespec pause{0, kCrashPause};
        ::nanosleep(&pause, nullptr);
    }
    static_cast<void>(std::raise(signal));
}

}  // namespace

void catch_crashes() {
    static std::array<std::byte, kHandlerStack> stack_of_handler;
    stack_t stack{};
    stack.ss_sp = stack_of_handler.data();
    stack.ss_size = stack_of_handler.size();
    ::sigaltstack(&stack, nullptr);
    struct sigaction action {};
    action.sa_handler = wait_until_told;
    action.sa_flags = static_cast<int>(SA_ONSTACK | SA_RESETHAND);
    for (const int signal : kCrashes) {
        struct sigaction before {};
        ::sigaction(signal, nullptr, &before);
        if (before.sa_handler == SIG_DFL) {  // a sanitizer has its own report
            ::sigaction(signal, &action, nullptr);
        }
    }
}

int crash_signal() {
    return crash_of_program;
}

void end_crash() {
    crash_told = true;
}

}  // namespace ndsim::cli
