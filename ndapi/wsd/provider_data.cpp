// SPDX-License-Identifier: Apache-2.0
#include "ndapi/wsd/answers.hpp"
#include "ndapi/wsd/provider.hpp"

// The data calls, and their results.
namespace ndsim::wsd {

// The arguments of a data call, whatever its kind of buffers.
template <class Entry>
struct Provider::DataCall {
    SOCKET s;
    OperationKind kind;
    const Entry* array;
    DWORD count;
    LPDWORD bytes;
    DWORD flags;
    LPWSAOVERLAPPED overlapped;
    LPWSAOVERLAPPED_COMPLETION_ROUTINE routine;
    LPINT lpErrno;
    RemoteRange remote{};
};

// An upcall never names a thread, so lpThreadId is unused (W13).
template <class Entry>
int Provider::transfer(const DataCall<Entry>& call) {
    Socket* const socket = enter(call.s, call.lpErrno);
    if (socket == nullptr) {
        return SOCKET_ERROR;
    }
    if (call.routine != nullptr) {
        setting_.driver.consumer_error("a completion routine, which is never called");  // W12
    }
    if (const int code = socket->may_start(call.flags, call.overlapped); code != 0) {
        return refuse(code, call.lpErrno);
    }
    Buffers buffers;
    if (!buffers.read(call.array, call.count)) {
        return refuse(WSAEFAULT, call.lpErrno);
    }
    Transfer transfer{call.kind, buffers, call.overlapped, call.remote, std::nullopt};
    const int code = socket->start(transfer);
    if (code == 0 && call.bytes != nullptr) {
        *call.bytes = transfer.done_bytes.value_or(0);
    }
    return answer(code, call.lpErrno);
}

int Provider::WSPSend(SOCKET s, LPWSABUF lpBuffers, DWORD dwBufferCount, LPDWORD lpNumberOfBytesSent, DWORD dwFlags,
                      LPWSAOVERLAPPED lpOverlapped, LPWSAOVERLAPPED_COMPLETION_ROUTINE lpCompletionRoutine,
                      LPWSATHREADID, LPINT lpErrno) {
    return transfer<WSABUF>({s, OperationKind::send, lpBuffers, dwBufferCount, lpNumberOfBytesSent, dwFlags,
                             lpOverlapped, lpCompletionRoutine, lpErrno});
}

int Provider::WSPRecv(SOCKET s, LPWSABUF lpBuffers, DWORD dwBufferCount, LPDWORD lpNumberOfBytesRecvd, LPDWORD lpFlags,
                      LPWSAOVERLAPPED lpOverlapped, LPWSAOVERLAPPED_COMPLETION_ROUTINE lpCompletionRoutine,
                      LPWSATHREADID, LPINT lpErrno) {
    return transfer<WSABUF>({s, OperationKind::receive, lpBuffers, dwBufferCount, lpNumberOfBytesRecvd,
                             lpFlags != nullptr ? *lpFlags : 0, lpOverlapped, lpCompletionRoutine, lpErrno});
}

int Provider::rdma(OperationKind kind, SOCKET s, LPWSABUFEX buffers, DWORD count, const VOID* target,
                   DWORD target_length, DWORD offset, LPDWORD bytes, DWORD flags, LPWSAOVERLAPPED overlapped,
                   LPWSAOVERLAPPED_COMPLETION_ROUTINE routine, LPINT lpErrno) {
    if (enter(s, lpErrno) == nullptr) {
        return SOCKET_ERROR;
    }
    if (kind == OperationKind::read && !setting_.options.rdma_read) {
        return refuse(WSAEOPNOTSUPP, lpErrno);  // W81
    }
    const auto descriptor = descriptor_of(target, target_length);
    if (!descriptor) {
        return refuse(WSAEINVAL, lpErrno);  // W83
    }
    // The peer's NIC refuses a range beyond the peer's memory (W82).
    const RemoteRange remote{Address{descriptor->address + offset}, MrKey{descriptor->key}};
    return transfer<WSABUFEX>({s, kind, buffers, count, bytes, flags, overlapped, routine, lpErrno, remote});
}

int Provider::WSPRdmaWrite(SOCKET s, LPWSABUFEX lpBuffers, DWORD dwBufferCount, LPVOID lpTargetBufferDescriptor,
                           DWORD dwTargetDescriptorLength, DWORD dwTargetBufferOffset, LPDWORD lpdwNumberOfBytes,
                           DWORD dwFlags, LPWSAOVERLAPPED lpOverlapped,
                           LPWSAOVERLAPPED_COMPLETION_ROUTINE lpCompletionRoutine, LPWSATHREADID, LPINT lpErrno) {
    return rdma(OperationKind::write, s, lpBuffers, dwBufferCount, lpTargetBufferDescriptor, dwTargetDescriptorLength,
                dwTargetBufferOffset, lpdwNumberOfBytes, dwFlags, lpOverlapped, lpCompletionRoutine, lpErrno);
}

int Provider::WSPRdmaRead(SOCKET s, LPWSABUFEX lpBuffers, DWORD dwBufferCount, LPVOID lpTargetBufferDescriptor,
                          DWORD dwTargetDescriptorLength, DWORD dwTargetBufferOffset, LPDWORD lpdwNumberOfBytes,
                          DWORD dwFlags, LPWSAOVERLAPPED lpOverlapped,
                          LPWSAOVERLAPPED_COMPLETION_ROUTINE lpCompletionRoutine, LPWSATHREADID, LPINT lpErrno) {
    return rdma(OperationKind::read, s, lpBuffers, dwBufferCount, lpTargetBufferDescriptor, dwTargetDescriptorLength,
                dwTargetBufferOffset, lpdwNumberOfBytes, dwFlags, lpOverlapped, lpCompletionRoutine, lpErrno);
}

BOOL Provider::WSPGetOverlappedResult(SOCKET s, LPWSAOVERLAPPED lpOverlapped, LPDWORD lpcbTransfer, BOOL fWait,
                                      LPDWORD lpdwFlags, LPINT lpErrno) {
    Socket* const socket = enter(s, lpErrno);
    if (socket == nullptr) {
        return FALSE;
    }
    int code = lpOverlapped == nullptr ? WSAEINVAL : 0;
    if (code == 0 && (lpcbTransfer == nullptr || lpdwFlags == nullptr)) {
        code = WSAEFAULT;
    }
    if (code == 0) {
        code = socket->result(*lpOverlapped, fWait != FALSE);
    }
    if (code != 0) {
        refuse(code, lpErrno);
        return FALSE;
    }
    *lpcbTransfer = static_cast<DWORD>(lpOverlapped->InternalHigh);
    *lpdwFlags = lpOverlapped->Offset;
    return TRUE;
}

}  // namespace ndsim::wsd
