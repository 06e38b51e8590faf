// SPDX-License-Identifier: Apache-2.0
// What is done once: std::call_once, and the first pass of static variables in functions. One thread may wait in the
// midst of it, and the others wait for that one.
#include <cxxabi.h>
#include <pthread.h>

#include <cstdint>
#include <mutex>
#include <utility>

#include "ndapi/windows/program/thread_waits.hpp"

namespace {

enum State : int { kNotYet, kBegun, kDone };

// What it ends with unless it comes to its end: an exception lets the next thread try.
struct Attempt {
    explicit Attempt(pthread_once_t* what) : once(what) { *once = kBegun; }
    Attempt(const Attempt&) = delete;
    Attempt& operator=(const Attempt&) = delete;
    ~Attempt() {
        *once = outcome;
        (void)ndsim::wake_all_at(once);
    }
    pthread_once_t* once;
    State outcome = kNotYet;
};

// The first byte is what the compiler looks at; the others are ours.
struct Guard {
    std::uint8_t is_done;
    std::uint8_t is_begun;
};

Guard& guard_of(__cxxabiv1::__guard* guard) {
    return *reinterpret_cast<Guard*>(guard);
}

void finish(Guard& guard, bool is_done) {
    guard.is_done = is_done ? 1 : 0;
    guard.is_begun = 0;
    (void)ndsim::wake_all_at(&guard);
}

}  // namespace

// The C++ library hands the function over in two variables of the operating system's thread, of which programs' threads
// have only one: while this one waits, others put their own there.
extern "C" int pthread_once(pthread_once_t* once, void (*function)()) {
    void* const callable = std::__once_callable;
    void (*const call)() = std::__once_call;
    while (*once == kBegun) {
        (void)ndsim::wait_at(once);
    }
    if (*once == kDone) {
        return 0;
    }
    std::__once_callable = callable;
    std::__once_call = call;
    Attempt attempt(once);
    function();
    attempt.outcome = kDone;
    return 0;
}

namespace __cxxabiv1 {

extern "C" int __cxa_guard_acquire(__guard* object) {
    Guard& guard = guard_of(object);
    while (guard.is_begun != 0) {
        (void)ndsim::wait_at(&guard);
    }
    if (guard.is_done != 0) {
        return 0;
    }
    guard.is_begun = 1;
    return 1;
}
extern "C" void __cxa_guard_release(__guard* object) noexcept {
    finish(guard_of(object), true);
}
extern "C" void __cxa_guard_abort(__guard* object) noexcept {
    finish(guard_of(object), false);
}

}  // namespace __cxxabiv1
