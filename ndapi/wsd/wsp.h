// SPDX-License-Identifier: Apache-2.0
// A provider as its switch calls it: each function under its own name. For loaded programs ndapi/windows/program makes
// function pointers of them.
#pragma once

#include "ndapi/wsd/ws2san.h"

namespace ndsim::wsd {

// ProgramHost::provider finds the provider by this GUID, and then gives a Wsp*.
constexpr GUID kProviderId{0x8D3F5B12, 0x6A0E, 0x4C57, {0x9B, 0x1C, 0x2E, 0x64, 0xD0, 0xA7, 0x35, 0xF8}};

// Functions that return int return 0, or SOCKET_ERROR with a code at lpErrno, except WSPStartupEx, which returns its
// code.
class Wsp {
public:
    // The provider has no function pointers: lpProcTable is for a caller that makes them of these methods.
    virtual int WSPStartupEx(WORD wVersionRequested, LPWSPDATAW lpWSPData, LPWSAPROTOCOL_INFOW lpProtocolInfo,
                             LPWSPUPCALLTABLEEX UpcallTable, LPWSPPROC_TABLE lpProcTable) = 0;
    virtual int WSPCleanup(LPINT lpErrno) = 0;

    virtual SOCKET WSPSocket(int af, int type, int protocol, LPWSAPROTOCOL_INFOW lpProtocolInfo, GROUP g, DWORD dwFlags,
                             LPINT lpErrno) = 0;
    virtual int WSPBind(SOCKET s, const sockaddr* name, int namelen, LPINT lpErrno) = 0;
    virtual int WSPListen(SOCKET s, int backlog, LPINT lpErrno) = 0;
    virtual int WSPConnect(SOCKET s, const sockaddr* name, int namelen, LPWSABUF lpCallerData, LPWSABUF lpCalleeData,
                           LPQOS lpSQOS, LPQOS lpGQOS, LPINT lpErrno) = 0;
    virtual SOCKET WSPAccept(SOCKET s, sockaddr* addr, LPINT addrlen, LPCONDITIONPROC lpfnCondition,
                             DWORD_PTR dwCallbackData, LPINT lpErrno) = 0;
    virtual int WSPEventSelect(SOCKET s, WSAEVENT hEventObject, LONG lNetworkEvents, LPINT lpErrno) = 0;
    virtual int WSPEnumNetworkEvents(SOCKET s, WSAEVENT hEventObject, LPWSANETWORKEVENTS lpNetworkEvents,
                                     LPINT lpErrno) = 0;
    virtual int WSPCloseSocket(SOCKET s, LPINT lpErrno) = 0;
    virtual int WSPDuplicateSocket(SOCKET s, DWORD dwProcessId, LPWSAPROTOCOL_INFOW lpProtocolInfo, LPINT lpErrno) = 0;

    virtual int WSPSend(SOCKET s, LPWSABUF lpBuffers, DWORD dwBufferCount, LPDWORD lpNumberOfBytesSent, DWORD dwFlags,
                        LPWSAOVERLAPPED lpOverlapped, LPWSAOVERLAPPED_COMPLETION_ROUTINE lpCompletionRoutine,
                        LPWSATHREADID lpThreadId, LPINT lpErrno) = 0;
    virtual int WSPRecv(SOCKET s, LPWSABUF lpBuffers, DWORD dwBufferCount, LPDWORD lpNumberOfBytesRecvd,
                        LPDWORD lpFlags, LPWSAOVERLAPPED lpOverlapped,
                        LPWSAOVERLAPPED_COMPLETION_ROUTINE lpCompletionRoutine, LPWSATHREADID lpThreadId,
                        LPINT lpErrno) = 0;
    virtual BOOL WSPGetOverlappedResult(SOCKET s, LPWSAOVERLAPPED lpOverlapped, LPDWORD lpcbTransfer, BOOL fWait,
                                        LPDWORD lpdwFlags, LPINT lpErrno) = 0;

    virtual HANDLE WSPRegisterMemory(SOCKET s, PVOID lpBuffer, DWORD dwBufferLength, DWORD dwFlags, LPINT lpErrno) = 0;
    virtual int WSPDeregisterMemory(SOCKET s, HANDLE Handle, LPINT lpErrno) = 0;
    virtual int WSPRegisterRdmaMemory(SOCKET s, PVOID lpBuffer, DWORD dwBufferLength, DWORD dwFlags,
                                      LPVOID lpRdmaBufferDescriptor, LPDWORD lpdwDescriptorLength, LPINT lpErrno) = 0;
    virtual int WSPDeregisterRdmaMemory(SOCKET s, LPVOID lpRdmaBufferDescriptor, DWORD dwDescriptorLength,
                                        LPINT lpErrno) = 0;
    virtual int WSPRdmaWrite(SOCKET s, LPWSABUFEX lpBuffers, DWORD dwBufferCount, LPVOID lpTargetBufferDescriptor,
                             DWORD dwTargetDescriptorLength, DWORD dwTargetBufferOffset, LPDWORD lpdwNumberOfBytes,
                             DWORD dwFlags, LPWSAOVERLAPPED lpOverlapped,
                             LPWSAOVERLAPPED_COMPLETION_ROUTINE lpCompletionRoutine, LPWSATHREADID lpThreadId,
                             LPINT lpErrno) = 0;
    virtual int WSPRdmaRead(SOCKET s, LPWSABUFEX lpBuffers, DWORD dwBufferCount, LPVOID lpTargetBufferDescriptor,
                            DWORD dwTargetDescriptorLength, DWORD dwTargetBufferOffset, LPDWORD lpdwNumberOfBytes,
                            DWORD dwFlags, LPWSAOVERLAPPED lpOverlapped,
                            LPWSAOVERLAPPED_COMPLETION_ROUTINE lpCompletionRoutine, LPWSATHREADID lpThreadId,
                            LPINT lpErrno) = 0;
    virtual int WSPMemoryRegistrationCacheCallback(PVOID lpvAddress, SIZE_T Size, LPINT lpErrno) = 0;

    virtual int WSPGetSockOpt(SOCKET s, int level, int optname, CHAR* optval, LPINT optlen, LPINT lpErrno) = 0;
    virtual int WSPSetSockOpt(SOCKET s, int level, int optname, const CHAR* optval, int optlen, LPINT lpErrno) = 0;
    // For an extension function: whether it exists. The caller makes the pointer of a method.
    virtual int WSPIoctl(SOCKET s, DWORD dwIoControlCode, LPVOID lpvInBuffer, DWORD cbInBuffer, LPVOID lpvOutBuffer,
                         DWORD cbOutBuffer, LPDWORD lpcbBytesReturned, LPWSAOVERLAPPED lpOverlapped,
                         LPWSAOVERLAPPED_COMPLETION_ROUTINE lpCompletionRoutine, LPWSATHREADID lpThreadId,
                         LPINT lpErrno) = 0;

protected:
    ~Wsp() = default;
};

}  // namespace ndsim::wsd
