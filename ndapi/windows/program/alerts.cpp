// SPDX-License-Identifier: Apache-2.0
// Calls that are queued to a thread, and the waits that they end. A thread that is alertable waits for an event as
// well, which whoever queues a call sets.
#include "ndapi/windows/program/alerts.hpp"

#include <algorithm>
#include <array>

#include "ndapi/windows/abi/constants.h"
#include "ndapi/windows/abi/synchronization.h"
#include "ndapi/windows/program/instance.hpp"

namespace ndsim {

struct PendingCall {
    PendingCall* next;
    DWORD thread;
    PAPCFUNC function;  // null: the thread is alertable, and this is its event
    ULONG_PTR parameter;
};

}  // namespace ndsim

using ndsim::host;
using ndsim::PendingCall;

namespace {

void append(DWORD thread, PAPCFUNC function, ULONG_PTR parameter) {
    PendingCall** at = &ndsim::instance().pending_calls;
    while (*at != nullptr) {
        at = &(*at)->next;
    }
    *at = new PendingCall{nullptr, thread, function, parameter};
}

PendingCall** find(DWORD thread, bool is_call) {
    PendingCall** at = &ndsim::instance().pending_calls;
    while (*at != nullptr && ((*at)->thread != thread || ((*at)->function != nullptr) != is_call)) {
        at = &(*at)->next;
    }
    return at;
}

PendingCall take(PendingCall** at) {
    const PendingCall taken = **at;
    delete *at;
    *at = taken.next;
    return taken;
}

// For any of the handles, or a call.
DWORD wait_alertably(const HANDLE* handles, DWORD count, DWORD milliseconds) {
    std::array<HANDLE, MAXIMUM_WAIT_OBJECTS + 1> all{};
    if (count >= all.size()) {
        host().set_last_error(ERROR_INVALID_PARAMETER);
        return WAIT_FAILED;
    }
    const DWORD me = host().thread_id();
    if (*find(me, true) != nullptr) {
        // An object that is signaled ends the wait before the calls that are queued, which stay queued.
        const DWORD ended = count == 0 ? WAIT_TIMEOUT : host().wait(handles, count, false, 0);
        if (ended == WAIT_TIMEOUT) {
            ndsim::make_queued_calls();
            return WAIT_IO_COMPLETION;
        }
        return ended;
    }
    *std::copy_n(handles, count, all.begin()) = host().create_event(false, false);
    append(me, nullptr, reinterpret_cast<ULONG_PTR>(all[count]));
    const DWORD ended = host().wait(all.data(), count + 1, false, milliseconds);
    take(find(me, false));
    host().close_handle(all[count]);
    if (ended == WAIT_OBJECT_0 + count) {
        ndsim::make_queued_calls();
        return WAIT_IO_COMPLETION;
    }
    return ended;
}

}  // namespace

bool ndsim::make_queued_calls() {
    const DWORD me = host().thread_id();
    bool had_any = false;
    for (PendingCall** at = find(me, true); *at != nullptr; at = find(me, true)) {
        const PendingCall call = take(at);
        call.function(call.parameter);
        had_any = true;
    }
    return had_any;
}

DWORD QueueUserAPC(PAPCFUNC function, HANDLE thread, ULONG_PTR parameter) {
    const DWORD id = GetThreadId(thread);
    if (id == 0) {
        host().set_last_error(ERROR_INVALID_HANDLE);
        return 0;
    }
    append(id, function, parameter);
    PendingCall* const alertable = *find(id, false);
    if (alertable != nullptr) {
        host().set_event(reinterpret_cast<HANDLE>(alertable->parameter));
    }
    return 1;
}

DWORD SleepEx(DWORD milliseconds, BOOL alertable) {
    if (alertable == FALSE || (milliseconds == 0 && !ndsim::make_queued_calls())) {
        host().sleep(milliseconds);
        return 0;
    }
    return milliseconds == 0 || wait_alertably(nullptr, 0, milliseconds) == WAIT_IO_COMPLETION ? WAIT_IO_COMPLETION : 0;
}
DWORD WaitForSingleObjectEx(HANDLE handle, DWORD milliseconds, BOOL alertable) {
    return WaitForMultipleObjectsEx(1, &handle, FALSE, milliseconds, alertable);
}
DWORD WaitForMultipleObjectsEx(DWORD count, const HANDLE* handles, BOOL all, DWORD milliseconds, BOOL alertable) {
    if (alertable == FALSE || all != FALSE) {
        return WaitForMultipleObjects(count, handles, all, milliseconds);
    }
    return wait_alertably(handles, count, milliseconds);
}
