// SPDX-License-Identifier: Apache-2.0
#include "ndapi/windows/abi/ports.h"

#include "ndapi/windows/abi/constants.h"
#include "ndapi/windows/program/instance.hpp"
#include "ndapi/windows/program/nt_errors.hpp"
#include "ndapi/windows/program/open_files.hpp"

using ndsim::host;
using ndsim::succeeded;

HANDLE CreateIoCompletionPort(HANDLE file, HANDLE port, ULONG_PTR key, DWORD) {
    const HANDLE associated = host().create_port(file, port, key);
    if (ndsim::OpenFile* const opened = ndsim::open_file(file); opened != nullptr && associated != nullptr) {
        opened->port = associated;
        opened->key = key;
    }
    return associated;
}

// A packet without an overlapped is a packet, too: only one of a call that failed is reported as a failure (B14).
BOOL GetQueuedCompletionStatus(HANDLE port, LPDWORD bytes, PULONG_PTR key, LPOVERLAPPED* overlapped,
                               DWORD milliseconds) {
    ndsim::PortPacket packet;
    if (!succeeded(host().dequeue(port, packet, milliseconds))) {
        *overlapped = nullptr;
        return FALSE;
    }
    *bytes = packet.bytes;
    *key = packet.key;
    *overlapped = packet.overlapped;
    return NT_SUCCESS(packet.status) ? TRUE : succeeded(ndsim::win32_error_of(packet.status));
}

BOOL GetQueuedCompletionStatusEx(HANDLE port, LPOVERLAPPED_ENTRY entries, ULONG count, PULONG removed,
                                 DWORD milliseconds, BOOL) {
    *removed = 0;
    if (count == 0) {
        return succeeded(ERROR_INVALID_PARAMETER);
    }
    ndsim::PortPacket packet;
    ndsim::Win32Error error = host().dequeue(port, packet, milliseconds);
    while (error == ERROR_SUCCESS) {
        entries[*removed] = {packet.key, packet.overlapped, static_cast<ULONG>(packet.status), packet.bytes};
        if (++*removed == count) {
            return TRUE;
        }
        error = host().dequeue(port, packet, 0);
    }
    return *removed > 0 ? TRUE : succeeded(error);
}

BOOL PostQueuedCompletionStatus(HANDLE port, DWORD bytes, ULONG_PTR key, LPOVERLAPPED overlapped) {
    return succeeded(host().post(port, {bytes, key, overlapped, STATUS_SUCCESS}));
}
