// SPDX-License-Identifier: Apache-2.0
// The thread_local variables of a program. The operating system's thread under all of its threads has them once, so
// each thread gets a copy of its own when it first looks at one.
#pragma once

#include <cstddef>
#include <new>

#include "ndapi/windows/abi/program_host.h"

namespace ndsim {

// A thread's copy of all of them.
struct ThreadLocals {
    DWORD thread;
    std::byte* variables;
    std::align_val_t alignment;
    ThreadLocals* next;
};

// What runs at a thread's end: the destructor of one of them, or a function.
struct ThreadExit {
    DWORD thread;
    void (*function)(void*);
    void* argument;
    ThreadExit* next;
};

// What static constructors did before the program was attached is its first thread's, which calls this.
void adopt_thread_locals();

// Lets a function run at the calling thread's end, after its destructors.
void at_thread_end(void (*function)(void*), void* argument);

// The calling thread's destructors and functions.
void end_thread_locals();
// The same, and its variables and the values in its slots go.
void end_thread();

}  // namespace ndsim
