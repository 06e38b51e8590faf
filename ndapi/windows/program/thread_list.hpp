// SPDX-License-Identifier: Apache-2.0
// What a program keeps of its threads: their numbers, the events that hold back those that are suspended, the values
// in their slots. It is kept until the program's end.
#pragma once

#include "ndapi/windows/abi/program_host.h"

namespace ndsim {

// A handle of a thread; the first of each thread is the one that it was created with.
struct ListedThread {
    HANDLE thread;
    DWORD id;
    HANDLE gate;  // an event; null: it runs
    ListedThread* next;
};

void list_thread(HANDLE thread, DWORD id, HANDLE gate);

struct SlotValue {
    DWORD slot;
    DWORD thread;
    void* value;
    SlotValue* next;
};

}  // namespace ndsim
