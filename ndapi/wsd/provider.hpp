// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>

#include "ndapi/wsd/socket.hpp"
#include "ndapi/wsd/wsp.h"

namespace ndsim::wsd {

// Provider: the SAN service provider of a program. It finds sockets by their descriptors, makes the checks that need no
// socket, and turns the sockets' answers into the functions' results. A program that ends without WSPCleanup loses its
// connections.
class Provider final : public Wsp, public os::Owned {
public:
    Provider(os::Process& process, const Options& options);
    ~Provider() = default;

    int WSPStartupEx(WORD wVersionRequested, LPWSPDATAW lpWSPData, LPWSAPROTOCOL_INFOW lpProtocolInfo,
                     LPWSPUPCALLTABLEEX UpcallTable, LPWSPPROC_TABLE lpProcTable) override;
    int WSPCleanup(LPINT lpErrno) override;

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
    void abandon() override { close_all(); }
    // For tests: the socket of a descriptor, if it is open.
    [[nodiscard]] Socket* find(SOCKET s);

private:
    // The arguments of a transfer.
    template <class Entry>
    struct DataCall;

    [[nodiscard]] Socket* enter(SOCKET s, LPINT lpErrno);
    [[nodiscard]] Socket* make_socket(SOCKET& descriptor, int& code);
    [[nodiscard]] int may_make_socket(LPINT lpErrno);
    void close_all();
    template <class Entry>
    [[nodiscard]] int transfer(const DataCall<Entry>& call);
    [[nodiscard]] int rdma(OperationKind kind, SOCKET s, LPWSABUFEX buffers, DWORD count, const VOID* target,
                           DWORD target_length, DWORD offset, LPDWORD bytes, DWORD flags, LPWSAOVERLAPPED overlapped,
                           LPWSAOVERLAPPED_COMPLETION_ROUTINE routine, LPINT lpErrno);

    Setting setting_;
    std::map<SOCKET, std::unique_ptr<Socket>> sockets_;  // closed ones stay: callbacks may refer to them
    SOCKET next_descriptor_ = 0x100;
    DWORD suspended_ = 0;
    int started_ = 0;
};

// A program's provider, which lasts as long as its host's driver.
[[nodiscard]] Provider& open_provider(os::Process& process, const Options& options = {});

}  // namespace ndsim::wsd
