// SPDX-License-Identifier: Apache-2.0
// The functions of a provider as pointers, and the table in which WSPStartupEx returns them.
#pragma once

#include "ndapi/wsd/ws2san_upcalls.h"

using LPWSPACCEPT = SOCKET (*)(SOCKET s, sockaddr* addr, LPINT addrlen, LPCONDITIONPROC lpfnCondition,
                               DWORD_PTR dwCallbackData, LPINT lpErrno);
using LPWSPBIND = int (*)(SOCKET s, const sockaddr* name, int namelen, LPINT lpErrno);
using LPWSPCLEANUP = int (*)(LPINT lpErrno);
using LPWSPCLOSESOCKET = int (*)(SOCKET s, LPINT lpErrno);
using LPWSPCONNECT = int (*)(SOCKET s, const sockaddr* name, int namelen, LPWSABUF lpCallerData, LPWSABUF lpCalleeData,
                             LPQOS lpSQOS, LPQOS lpGQOS, LPINT lpErrno);
using LPWSPDUPLICATESOCKET = int (*)(SOCKET s, DWORD dwProcessId, LPWSAPROTOCOL_INFOW lpProtocolInfo, LPINT lpErrno);
using LPWSPENUMNETWORKEVENTS = int (*)(SOCKET s, WSAEVENT hEventObject, LPWSANETWORKEVENTS lpNetworkEvents,
                                       LPINT lpErrno);
using LPWSPEVENTSELECT = int (*)(SOCKET s, WSAEVENT hEventObject, LONG lNetworkEvents, LPINT lpErrno);
using LPWSPGETOVERLAPPEDRESULT = BOOL (*)(SOCKET s, LPWSAOVERLAPPED lpOverlapped, LPDWORD lpcbTransfer, BOOL fWait,
                                          LPDWORD lpdwFlags, LPINT lpErrno);
using LPWSPGETSOCKOPT = int (*)(SOCKET s, int level, int optname, CHAR* optval, LPINT optlen, LPINT lpErrno);
using LPWSPIOCTL = int (*)(SOCKET s, DWORD dwIoControlCode, LPVOID lpvInBuffer, DWORD cbInBuffer, LPVOID lpvOutBuffer,
                           DWORD cbOutBuffer, LPDWORD lpcbBytesReturned, LPWSAOVERLAPPED lpOverlapped,
                           LPWSAOVERLAPPED_COMPLETION_ROUTINE lpCompletionRoutine, LPWSATHREADID lpThreadId,
                           LPINT lpErrno);
using LPWSPLISTEN = int (*)(SOCKET s, int backlog, LPINT lpErrno);
using LPWSPRECV = int (*)(SOCKET s, LPWSABUF lpBuffers, DWORD dwBufferCount, LPDWORD lpNumberOfBytesRecvd,
                          LPDWORD lpFlags, LPWSAOVERLAPPED lpOverlapped,
                          LPWSAOVERLAPPED_COMPLETION_ROUTINE lpCompletionRoutine, LPWSATHREADID lpThreadId,
                          LPINT lpErrno);
using LPWSPSEND = int (*)(SOCKET s, LPWSABUF lpBuffers, DWORD dwBufferCount, LPDWORD lpNumberOfBytesSent, DWORD dwFlags,
                          LPWSAOVERLAPPED lpOverlapped, LPWSAOVERLAPPED_COMPLETION_ROUTINE lpCompletionRoutine,
                          LPWSATHREADID lpThreadId, LPINT lpErrno);
using LPWSPSETSOCKOPT = int (*)(SOCKET s, int level, int optname, const CHAR* optval, int optlen, LPINT lpErrno);
using LPWSPSOCKET = SOCKET (*)(int af, int type, int protocol, LPWSAPROTOCOL_INFOW lpProtocolInfo, GROUP g,
                               DWORD dwFlags, LPINT lpErrno);
// Functions that never reach a provider (W102, or not for a connected stream); their entries are null.
using LPWSPUNREACHED = void (*)();

// The provider's functions that the switch calls.
struct WSPPROC_TABLE {
    LPWSPACCEPT lpWSPAccept;
    LPWSPUNREACHED lpWSPAddressToString;
    LPWSPUNREACHED lpWSPAsyncSelect;
    LPWSPBIND lpWSPBind;
    LPWSPUNREACHED lpWSPCancelBlockingCall;
    LPWSPCLEANUP lpWSPCleanup;
    LPWSPCLOSESOCKET lpWSPCloseSocket;
    LPWSPCONNECT lpWSPConnect;
    LPWSPDUPLICATESOCKET lpWSPDuplicateSocket;
    LPWSPENUMNETWORKEVENTS lpWSPEnumNetworkEvents;
    LPWSPEVENTSELECT lpWSPEventSelect;
    LPWSPGETOVERLAPPEDRESULT lpWSPGetOverlappedResult;
    LPWSPUNREACHED lpWSPGetPeerName;
    LPWSPUNREACHED lpWSPGetSockName;
    LPWSPGETSOCKOPT lpWSPGetSockOpt;
    LPWSPUNREACHED lpWSPGetQOSByName;
    LPWSPIOCTL lpWSPIoctl;
    LPWSPUNREACHED lpWSPJoinLeaf;
    LPWSPLISTEN lpWSPListen;
    LPWSPRECV lpWSPRecv;
    LPWSPUNREACHED lpWSPRecvDisconnect;
    LPWSPUNREACHED lpWSPRecvFrom;
    LPWSPUNREACHED lpWSPSelect;
    LPWSPSEND lpWSPSend;
    LPWSPUNREACHED lpWSPSendDisconnect;
    LPWSPUNREACHED lpWSPSendTo;
    LPWSPSETSOCKOPT lpWSPSetSockOpt;
    LPWSPUNREACHED lpWSPShutdown;
    LPWSPSOCKET lpWSPSocket;
    LPWSPUNREACHED lpWSPStringToAddress;
};
using LPWSPPROC_TABLE = WSPPROC_TABLE*;

// The one export of a provider, and its starting point. The library linked into programs has it.
extern "C" int WSPStartupEx(WORD wVersionRequested, LPWSPDATAW lpWSPData, LPWSAPROTOCOL_INFOW lpProtocolInfo,
                            LPWSPUPCALLTABLEEX UpcallTable, LPWSPPROC_TABLE lpProcTable);
using LPWSPSTARTUPEX = int (*)(WORD wVersionRequested, LPWSPDATAW lpWSPData, LPWSAPROTOCOL_INFOW lpProtocolInfo,
                               LPWSPUPCALLTABLEEX UpcallTable, LPWSPPROC_TABLE lpProcTable);
