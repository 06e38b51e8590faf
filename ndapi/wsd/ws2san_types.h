// SPDX-License-Identifier: Apache-2.0
// Structures that switch and provider hand to each other (wsd.md 2). WSAOVERLAPPED, WSAPROTOCOL_INFOW and the socket
// itself are in sockets.h.
#pragma once

#include "ndapi/win/sockets.h"
#include "ndapi/wsd/ws2san_constants.h"

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

struct WSATHREADID {
    HANDLE ThreadHandle;
    DWORD_PTR Reserved;
};
using LPWSATHREADID = WSATHREADID*;

// What has happened to a socket since it was asked last, and how each of it ended.
struct WSANETWORKEVENTS {
    LONG lNetworkEvents;
    int iErrorCode[FD_MAX_EVENTS];
};
using LPWSANETWORKEVENTS = WSANETWORKEVENTS*;

// What a provider says of itself.
struct WSPDATAW {
    WORD wVersion;
    WORD wHighVersion;
    WCHAR szDescription[WSPDESCRIPTION_LEN + 1];
};
using LPWSPDATAW = WSPDATAW*;
using WSPDATA = WSPDATAW;
using LPWSPDATA = LPWSPDATAW;

// Nothing looks into these.
struct QOS;
using LPQOS = QOS*;

// Asks whether a connection is wanted: CF_ACCEPT, CF_REJECT or CF_DEFER.
using LPCONDITIONPROC = int (*)(LPWSABUF lpCallerId, LPWSABUF lpCallerData, LPQOS lpSQOS, LPQOS lpGQOS,
                                LPWSABUF lpCalleeId, LPWSABUF lpCalleeData, GROUP* g, DWORD_PTR dwCallbackData);
