// SPDX-License-Identifier: Apache-2.0
// Events, waits, handles, and the last error.
#include <algorithm>

#include "ndapi/windows/abi/constants.h"
#include "ndapi/windows/abi/threads.h"
#include "ndapi/windows/program/instance.hpp"
#include "ndapi/windows/program/open_files.hpp"

using ndsim::host;
using ndsim::succeeded;

HANDLE CreateEventW(LPSECURITY_ATTRIBUTES, BOOL manual_reset, BOOL signalled, LPCWSTR) {
    return host().create_event(manual_reset != FALSE, signalled != FALSE);
}
HANDLE CreateEventA(LPSECURITY_ATTRIBUTES, BOOL manual_reset, BOOL signalled, LPCSTR) {
    return host().create_event(manual_reset != FALSE, signalled != FALSE);
}
BOOL SetEvent(HANDLE event) {
    return succeeded(host().set_event(event));
}
BOOL ResetEvent(HANDLE event) {
    return succeeded(host().reset_event(event));
}
BOOL CloseHandle(HANDLE handle) {
    ndsim::close_file(handle);
    return succeeded(host().close_handle(handle));
}

DWORD WaitForSingleObject(HANDLE handle, DWORD milliseconds) {
    return host().wait(&handle, 1, false, milliseconds);
}
// An object that is there twice could not be taken twice.
DWORD WaitForMultipleObjects(DWORD count, const HANDLE* handles, BOOL all, DWORD milliseconds) {
    bool is_possible = count <= MAXIMUM_WAIT_OBJECTS;
    for (DWORD i = 1; is_possible && all != FALSE && i < count; ++i) {
        is_possible = std::find(handles, handles + i, handles[i]) == handles + i;
    }
    if (!is_possible) {
        host().set_last_error(ERROR_INVALID_PARAMETER);
        return WAIT_FAILED;
    }
    return host().wait(handles, count, all != FALSE, milliseconds);
}

BOOL SwitchToThread() {
    host().sleep(0);
    return TRUE;
}
HANDLE CreateEventExW(LPSECURITY_ATTRIBUTES, LPCWSTR, DWORD flags, DWORD) {
    return host().create_event((flags & CREATE_EVENT_MANUAL_RESET) != 0, (flags & CREATE_EVENT_INITIAL_SET) != 0);
}

DWORD GetLastError() {
    return host().last_error();
}
void SetLastError(DWORD error) {
    host().set_last_error(error);
}

void ndsim_interlocked() {
    host().interlocked();
}
