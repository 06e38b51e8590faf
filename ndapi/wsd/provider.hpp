// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ndapi/wsd/sockets.hpp"
#include "ndapi/wsd/wsp.h"

namespace ndsim::wsd {

// Provider: the SAN service provider of a program. It checks the arguments of the functions, and turns the sockets'
// answers into their results. A program that ends without WSPCleanup loses its connections.
class Provider final : public Wsp, public os::Owned {
public:
    Provider(os::Process& process, const Options& options);
    ~Provider() = default;

    int WSPStartupEx(WORD wVersionRequested, LPWSPDATAW lpWSPData, LPWSAPROTOCOL_INFOW lpProtocolInfo,
                     LPWSPUPCALLTABLEEX UpcallTable, LPWSPPROC_TABLE lpProcTable) override;
    int WSPCleanup(LPINT lpErrno) override { return answer(sockets_.end() ? 0 : WSANOTINITIALISED, lpErrno); }

    SOCKET WSPSocket(int af, int type, int protocol, LPWSAPROTOCOL_INFOW lpProtocolInfo, GROUP g, DWORD dwFlags,
                     LPINT lpErrno) override;
    int WSPBind(SOCKET s, const sockaddr* name, int namelen, LPINT lpErrno) override;
    int WSPListen(SOCKET s, int backlog, LPINT lpErrno) override;
    int WSPConnect(SOCKET s, const sockaddr* name, int namelen, LPWSABUF lpCallerData, LPWSABUF lpCalleeData,
                   LPQOS lpSQOS, LPQOS lpGQOS, LPINT lpErrno) override;
    SOCKET WSPAccept(SOCKET s, sockaddr* addr, LPINT addrlen, LPCONDITIONPROC lpfnCondition, DWORD_PTR dwCallbackData,
                     LPINT lpErrno) override;
    int WSPEventSelect(SOCKET s, WSAEVENT hEventObject, LONG lNetworkEvents, LPINT lpErrno) override;
    int WSPEnumNetworkEvents(SOCKET s, WSAEVENT hEventObject, LPWSANETWORKEVENTS lpNetworkEvents,
                             LPINT lpErrno) override;
    int WSPCloseSocket(SOCKET s, LPINT lpErrno) override;
    int WSPDuplicateSocket(SOCKET s, DWORD dwProcessId, LPWSAPROTOCOL_INFOW lpProtocolInfo, LPINT lpErrno) override;

    int WSPSend(SOCKET s, LPWSABUF lpBuffers, DWORD dwBufferCount, LPDWORD lpNumberOfBytesSent, DWORD dwFlags,
                LPWSAOVERLAPPED lpOverlapped, LPWSAOVERLAPPED_COMPLETION_ROUTINE lpCompletionRoutine,
                LPWSATHREADID lpThreadId, LPINT lpErrno) override;
    int WSPRecv(SOCKET s, LPWSABUF lpBuffers, DWORD dwBufferCount, LPDWORD lpNumberOfBytesRecvd, LPDWORD lpFlags,
                LPWSAOVERLAPPED lpOverlapped, LPWSAOVERLAPPED_COMPLETION_ROUTINE lpCompletionRoutine,
                LPWSATHREADID lpThreadId, LPINT lpErrno) override;
    BOOL WSPGetOverlappedResult(SOCKET s, LPWSAOVERLAPPED lpOverlapped, LPDWORD lpcbTransfer, BOOL fWait,
                                LPDWORD lpdwFlags, LPINT lpErrno) override;

    HANDLE WSPRegisterMemory(SOCKET s, PVOID lpBuffer, DWORD dwBufferLength, DWORD dwFlags, LPINT lpErrno) override;
    int WSPDeregisterMemory(SOCKET s, HANDLE Handle, LPINT lpErrno) override;
    int WSPRegisterRdmaMemory(SOCKET s, PVOID lpBuffer, DWORD dwBufferLength, DWORD dwFlags,
                              LPVOID lpRdmaBufferDescriptor, LPDWORD lpdwDescriptorLength, LPINT lpErrno) override;
    int WSPDeregisterRdmaMemory(SOCKET s, LPVOID lpRdmaBufferDescriptor, DWORD dwDescriptorLength,
                                LPINT lpErrno) override;
    int WSPRdmaWrite(SOCKET s, LPWSABUFEX lpBuffers, DWORD dwBufferCount, LPVOID lpTargetBufferDescriptor,
                     DWORD dwTargetDescriptorLength, DWORD dwTargetBufferOffset, LPDWORD lpdwNumberOfBytes,
                     DWORD dwFlags, LPWSAOVERLAPPED lpOverlapped,
                     LPWSAOVERLAPPED_COMPLETION_ROUTINE lpCompletionRoutine, LPWSATHREADID lpThreadId,
                     LPINT lpErrno) override;
    int WSPRdmaRead(SOCKET s, LPWSABUFEX lpBuffers, DWORD dwBufferCount, LPVOID lpTargetBufferDescriptor,
                    DWORD dwTargetDescriptorLength, DWORD dwTargetBufferOffset, LPDWORD lpdwNumberOfBytes,
                    DWORD dwFlags, LPWSAOVERLAPPED lpOverlapped, LPWSAOVERLAPPED_COMPLETION_ROUTINE lpCompletionRoutine,
                    LPWSATHREADID lpThreadId, LPINT lpErrno) override;
    int WSPMemoryRegistrationCacheCallback(PVOID lpvAddress, SIZE_T Size, LPINT lpErrno) override;

    int WSPGetSockOpt(SOCKET s, int level, int optname, CHAR* optval, LPINT optlen, LPINT lpErrno) override;
    int WSPSetSockOpt(SOCKET s, int level, int optname, const CHAR* optval, int optlen, LPINT lpErrno) override;
    int WSPIoctl(SOCKET s, DWORD dwIoControlCode, LPVOID lpvInBuffer, DWORD cbInBuffer, LPVOID lpvOutBuffer,
                 DWORD cbOutBuffer, LPDWORD lpcbBytesReturned, LPWSAOVERLAPPED lpOverlapped,
                 LPWSAOVERLAPPED_COMPLETION_ROUTINE lpCompletionRoutine, LPWSATHREADID lpThreadId,
                 LPINT lpErrno) override;

    // The program has ended.
    void abandon() override { sockets_.close_all(); }
    // For tests: the socket of a descriptor, if it is open.
    [[nodiscard]] Socket* find(SOCKET s) { return sockets_.find(s); }
    // The queue pair of a socket, which may be closed; none before it has connected.
    [[nodiscard]] std::optional<QpNum> qp_of(SOCKET s) const { return sockets_.qp_of(s); }

private:
    Setting setting_;
    Sockets sockets_;
    DWORD suspended_ = 0;
};

// A program's provider, which lasts as long as its host's driver.
[[nodiscard]] Provider& open_provider(os::Process& process, const Options& options = {});

}  // namespace ndsim::wsd
