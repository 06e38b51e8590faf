// SPDX-License-Identifier: Apache-2.0
// Structures passed between switch and provider (wsd.md 2). WSAOVERLAPPED, WSAPROTOCOL_INFOW and the socket itself are
// in sockets.h.
#pragma once

#include "ndapi/windows/abi/sockets.h"
#include "ndapi/wsd/ws2san_constants.h"

// A buffer of a transfer.
struct WSABUF {
    ULONG len;
    CHAR* buf;
};
using LPWSABUF = WSABUF*;

// A buffer of an RDMA transfer, with the handle of WSPRegisterMemory.
struct WSABUFEX {
    ULONG len;
    CHAR* buf;
    HANDLE handle;
};
using LPWSABUFEX = WSABUFEX*;

// The thread that an upcall would name.
struct WSATHREADID {
    HANDLE ThreadHandle;
    DWORD_PTR Reserved;
};
using LPWSATHREADID = WSATHREADID*;

// The events of a socket since the last query, and the outcome of each.
struct WSANETWORKEVENTS {
    LONG lNetworkEvents;
    int iErrorCode[FD_MAX_EVENTS];
};
using LPWSANETWORKEVENTS = WSANETWORKEVENTS*;

// A provider's description of itself.
struct WSPDATAW {
    WORD wVersion;
    WORD wHighVersion;
    WCHAR szDescription[WSPDESCRIPTION_LEN + 1];
};
using LPWSPDATAW = WSPDATAW*;
using WSPDATA = WSPDATAW;
using LPWSPDATA = LPWSPDATAW;

// Opaque types, never read.
struct QOS;
using LPQOS = QOS*;

// Asks whether to accept a connection: CF_ACCEPT, CF_REJECT or CF_DEFER.
using LPCONDITIONPROC = int (*)(LPWSABUF lpCallerId, LPWSABUF lpCallerData, LPQOS lpSQOS, LPQOS lpGQOS,
                                LPWSABUF lpCalleeId, LPWSABUF lpCalleeData, GROUP* g, DWORD_PTR dwCallbackData);
