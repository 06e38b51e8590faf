// SPDX-License-Identifier: Apache-2.0
#include "ndapi/wsd/provider.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <string_view>
#include <utility>

#include "ndapi/core/socket_address.hpp"
#include "ndapi/wsd/data_calls.hpp"
#include "ndapi/wsd/extensions.hpp"
#include "ndapi/wsd/memory_wish.hpp"

namespace ndsim::wsd {

namespace {

constexpr WORD kVersion = 0x0202;  // 2.2: the major version is the low byte
constexpr std::wstring_view kDescription = L"ndsim Winsock Direct";

[[nodiscard]] bool is_spoken(WORD version) {
    const auto major_first = [](WORD of) { return (of & 0xFF) << 8 | of >> 8; };
    return major_first(version) >= major_first(kVersion);
}

// A code, or 0 and the endpoint.
[[nodiscard]] int endpoint_of(const sockaddr* name, int length, core::Endpoint& endpoint) {
    if (name == nullptr || length < static_cast<int>(sizeof(sockaddr_in))) {
        return WSAEFAULT;
    }
    const auto found = core::endpoint_of(name, static_cast<std::size_t>(length));
    endpoint = found.value_or(core::Endpoint{});
    return found ? 0 : WSAEAFNOSUPPORT;
}

}  // namespace

Provider::Provider(os::Process& process, const Options& options) : setting_(process, options), sockets_(setting_) {
    process.lifetime().adopt(*this);
}

Provider& open_provider(os::Process& process, const Options& options) {
    return process.driver().keep(std::make_unique<Provider>(process, options));
}

// --- start, end, and how sockets are made, connect and end

int Provider::WSPStartupEx(WORD wVersionRequested, LPWSPDATAW lpWSPData, LPWSAPROTOCOL_INFOW lpProtocolInfo,
                           LPWSPUPCALLTABLEEX UpcallTable, LPWSPPROC_TABLE) {
    if (!is_spoken(wVersionRequested)) {
        return WSAVERNOTSUPPORTED;
    }
    if (lpWSPData == nullptr || UpcallTable == nullptr) {
        return WSAEFAULT;
    }
    *lpWSPData = {kVersion, kVersion, {}};
    std::ranges::copy(kDescription, lpWSPData->szDescription);
    setting_.upcalls.use(*UpcallTable, lpProtocolInfo != nullptr ? lpProtocolInfo->dwCatalogEntryId : 0);
    sockets_.start();
    return 0;
}

SOCKET Provider::WSPSocket(int af, int type, int protocol, LPWSAPROTOCOL_INFOW lpProtocolInfo, GROUP, DWORD dwFlags,
                           LPINT lpErrno) {
    // A connection of another process is not taken over.
    const bool takes_over = lpProtocolInfo != nullptr && lpProtocolInfo->dwProviderReserved != 0;
    const std::array checks{std::pair(af == AF_INET, WSAEAFNOSUPPORT), std::pair(type == SOCK_STREAM, WSAEPROTOTYPE),
                            std::pair(protocol == IPPROTO_TCP, WSAEPROTONOSUPPORT),
                            std::pair(dwFlags == WSA_FLAG_OVERLAPPED && !takes_over, WSAEINVAL)};
    const auto wrong = std::ranges::find(checks, false, &std::pair<bool, int>::first);
    int code = sockets_.may_call(lpErrno);
    if (code == 0 && wrong != checks.end()) {
        code = wrong->second;
    }
    SOCKET descriptor = INVALID_SOCKET;
    if (code == 0 && sockets_.make(descriptor, code) != nullptr) {
        return descriptor;
    }
    refuse(code, lpErrno);
    return INVALID_SOCKET;
}

int Provider::WSPBind(SOCKET s, const sockaddr* name, int namelen, LPINT lpErrno) {
    return sockets_.with(s, lpErrno, [&](Socket& socket) {
        core::Endpoint local;
        const int code = endpoint_of(name, namelen, local);
        return code != 0 ? code : socket.bind(local);
    });
}

int Provider::WSPListen(SOCKET s, int backlog, LPINT lpErrno) {
    return sockets_.with(s, lpErrno, [&](Socket& socket) { return socket.listen(backlog); });
}

int Provider::WSPConnect(SOCKET s, const sockaddr* name, int namelen, LPWSABUF lpCallerData, LPWSABUF, LPQOS, LPQOS,
                         LPINT lpErrno) {
    return sockets_.with(s, lpErrno, [&](Socket& socket) {
        core::Endpoint peer;
        int code = endpoint_of(name, namelen, peer);
        if (code == 0 && lpCallerData != nullptr && lpCallerData->len > 0) {
            code = WSAEINVAL;
        }
        return code != 0 ? code : socket.connect(peer);
    });
}

SOCKET Provider::WSPAccept(SOCKET s, sockaddr* addr, LPINT addrlen, LPCONDITIONPROC lpfnCondition,
                           DWORD_PTR dwCallbackData, LPINT lpErrno) {
    SOCKET descriptor = INVALID_SOCKET;
    const int result = sockets_.with(s, lpErrno, [&](Socket& listener) {
        const bool room = addr == nullptr || (addrlen != nullptr && *addrlen >= static_cast<int>(sizeof(sockaddr_in)));
        std::unique_ptr<core::Connector> request;
        int code = room ? listener.take_request(lpfnCondition, dwCallbackData, request) : WSAEFAULT;
        Socket* const accepted = code == 0 ? sockets_.accept(listener, std::move(request), descriptor, code) : nullptr;
        if (accepted != nullptr && addr != nullptr) {
            const sockaddr_in peer = core::address_of(accepted->peer());
            std::memcpy(addr, &peer, sizeof peer);
            *addrlen = sizeof peer;
        }
        return code;
    });
    return result == 0 ? descriptor : INVALID_SOCKET;
}

int Provider::WSPEventSelect(SOCKET s, WSAEVENT hEventObject, LONG lNetworkEvents, LPINT lpErrno) {
    return sockets_.with(s, lpErrno, [&](Socket& socket) {
        if ((lNetworkEvents & ~(FD_ACCEPT | FD_CONNECT)) != 0) {
            return WSAEINVAL;  // W96
        }
        socket.events().select(hEventObject, lNetworkEvents);
        return 0;
    });
}

int Provider::WSPEnumNetworkEvents(SOCKET s, WSAEVENT hEventObject, LPWSANETWORKEVENTS lpNetworkEvents, LPINT lpErrno) {
    return sockets_.with(s, lpErrno, [&](Socket& socket) {
        if (lpNetworkEvents == nullptr) {
            return WSAEFAULT;
        }
        socket.events().take(hEventObject, *lpNetworkEvents);
        return 0;
    });
}

int Provider::WSPCloseSocket(SOCKET s, LPINT lpErrno) {
    return sockets_.with(s, lpErrno, [](Socket& socket) {
        socket.close();
        return 0;
    });
}

int Provider::WSPDuplicateSocket(SOCKET s, DWORD, LPWSAPROTOCOL_INFOW lpProtocolInfo, LPINT lpErrno) {
    return sockets_.with(s, lpErrno, [&](Socket& socket) {
        const int code = lpProtocolInfo == nullptr ? WSAEFAULT : socket.suspend();
        if (code == 0) {
            lpProtocolInfo->dwProviderReserved = ++suspended_;
        }
        return code;
    });
}

// --- data. An upcall never names a thread, so lpThreadId is unused (W13).

int Provider::WSPSend(SOCKET s, LPWSABUF lpBuffers, DWORD dwBufferCount, LPDWORD lpNumberOfBytesSent, DWORD dwFlags,
                      LPWSAOVERLAPPED lpOverlapped, LPWSAOVERLAPPED_COMPLETION_ROUTINE lpCompletionRoutine,
                      LPWSATHREADID, LPINT lpErrno) {
    const DataCall<WSABUF> call{OperationKind::send, lpBuffers,          dwBufferCount, lpNumberOfBytesSent, dwFlags,
                                lpOverlapped,        lpCompletionRoutine};
    return sockets_.with(s, lpErrno, [&](Socket& socket) { return transfer(setting_, socket.transfers(), call); });
}

int Provider::WSPRecv(SOCKET s, LPWSABUF lpBuffers, DWORD dwBufferCount, LPDWORD lpNumberOfBytesRecvd, LPDWORD lpFlags,
                      LPWSAOVERLAPPED lpOverlapped, LPWSAOVERLAPPED_COMPLETION_ROUTINE lpCompletionRoutine,
                      LPWSATHREADID, LPINT lpErrno) {
    const DataCall<WSABUF> call{OperationKind::receive,
                                lpBuffers,
                                dwBufferCount,
                                lpNumberOfBytesRecvd,
                                lpFlags != nullptr ? *lpFlags : 0,
                                lpOverlapped,
                                lpCompletionRoutine};
    return sockets_.with(s, lpErrno, [&](Socket& socket) { return transfer(setting_, socket.transfers(), call); });
}

int Provider::WSPRdmaWrite(SOCKET s, LPWSABUFEX lpBuffers, DWORD dwBufferCount, LPVOID lpTargetBufferDescriptor,
                           DWORD dwTargetDescriptorLength, DWORD dwTargetBufferOffset, LPDWORD lpdwNumberOfBytes,
                           DWORD dwFlags, LPWSAOVERLAPPED lpOverlapped,
                           LPWSAOVERLAPPED_COMPLETION_ROUTINE lpCompletionRoutine, LPWSATHREADID, LPINT lpErrno) {
    const DataCall<WSABUFEX> call{OperationKind::write, lpBuffers,          dwBufferCount, lpdwNumberOfBytes, dwFlags,
                                  lpOverlapped,         lpCompletionRoutine};
    const Target target{lpTargetBufferDescriptor, dwTargetDescriptorLength, dwTargetBufferOffset};
    return sockets_.with(s, lpErrno, [&](Socket& socket) { return rdma(setting_, socket.transfers(), call, target); });
}

int Provider::WSPRdmaRead(SOCKET s, LPWSABUFEX lpBuffers, DWORD dwBufferCount, LPVOID lpTargetBufferDescriptor,
                          DWORD dwTargetDescriptorLength, DWORD dwTargetBufferOffset, LPDWORD lpdwNumberOfBytes,
                          DWORD dwFlags, LPWSAOVERLAPPED lpOverlapped,
                          LPWSAOVERLAPPED_COMPLETION_ROUTINE lpCompletionRoutine, LPWSATHREADID, LPINT lpErrno) {
    const DataCall<WSABUFEX> call{OperationKind::read, lpBuffers,          dwBufferCount, lpdwNumberOfBytes, dwFlags,
                                  lpOverlapped,        lpCompletionRoutine};
    const Target target{lpTargetBufferDescriptor, dwTargetDescriptorLength, dwTargetBufferOffset};
    return sockets_.with(s, lpErrno, [&](Socket& socket) { return rdma(setting_, socket.transfers(), call, target); });
}

BOOL Provider::WSPGetOverlappedResult(SOCKET s, LPWSAOVERLAPPED lpOverlapped, LPDWORD lpcbTransfer, BOOL fWait,
                                      LPDWORD lpdwFlags, LPINT lpErrno) {
    const int result = sockets_.with(s, lpErrno, [&](Socket& socket) {
        if (lpOverlapped == nullptr || lpcbTransfer == nullptr || lpdwFlags == nullptr) {
            return lpOverlapped == nullptr ? WSAEINVAL : WSAEFAULT;
        }
        const int code = socket.transfers().result(*lpOverlapped, fWait != FALSE);
        if (code == 0) {
            *lpcbTransfer = static_cast<DWORD>(lpOverlapped->InternalHigh);
            *lpdwFlags = lpOverlapped->Offset;
        }
        return code;
    });
    return result == 0 ? TRUE : FALSE;
}

// --- memory

HANDLE Provider::WSPRegisterMemory(SOCKET s, PVOID lpBuffer, DWORD dwBufferLength, DWORD dwFlags, LPINT lpErrno) {
    HANDLE handle = nullptr;
    (void)sockets_.with(s, lpErrno, [&](Socket& socket) {
        const MemoryWish wish{dwFlags, {static_cast<std::byte*>(lpBuffer), dwBufferLength}};
        const int code = wish.check(socket, setting_.options.max_message);
        return code != 0 ? code : socket.registrations().add(wish.range, wish.local_rights(), handle);
    });
    return handle;
}

int Provider::WSPDeregisterMemory(SOCKET s, HANDLE Handle, LPINT lpErrno) {
    return sockets_.with(s, lpErrno, [&](Socket& socket) { return socket.registrations().remove(Handle); });
}

int Provider::WSPRegisterRdmaMemory(SOCKET s, PVOID lpBuffer, DWORD dwBufferLength, DWORD dwFlags,
                                    LPVOID lpRdmaBufferDescriptor, LPDWORD lpdwDescriptorLength, LPINT lpErrno) {
    return sockets_.with(s, lpErrno, [&](Socket& socket) {
        if (lpdwDescriptorLength == nullptr) {
            return WSAEFAULT;
        }
        const DWORD room = lpRdmaBufferDescriptor == nullptr ? 0 : *lpdwDescriptorLength;
        *lpdwDescriptorLength = sizeof(Descriptor);
        if (room < sizeof(Descriptor)) {
            return WSAEFAULT;  // the switch asks for the length this way
        }
        const MemoryWish wish{dwFlags, {static_cast<std::byte*>(lpBuffer), dwBufferLength}};
        Descriptor descriptor;
        int code = wish.check(socket, setting_.options.max_message);
        if (code == 0) {
            code = socket.registrations().open(wish.range, wish.peer_rights(), descriptor);
        }
        if (code == 0) {
            std::memcpy(lpRdmaBufferDescriptor, &descriptor, sizeof descriptor);
        }
        return code;
    });
}

int Provider::WSPDeregisterRdmaMemory(SOCKET s, LPVOID lpRdmaBufferDescriptor, DWORD dwDescriptorLength,
                                      LPINT lpErrno) {
    return sockets_.with(s, lpErrno, [&](Socket& socket) {
        const auto descriptor = descriptor_of(lpRdmaBufferDescriptor, dwDescriptorLength);
        return descriptor ? socket.registrations().shut(*descriptor) : WSAEINVAL;
    });
}

// For all sockets: the call names none.
int Provider::WSPMemoryRegistrationCacheCallback(PVOID lpvAddress, SIZE_T Size, LPINT lpErrno) {
    int code = sockets_.may_call(lpErrno);
    if (code == 0) {
        code = setting_.options.cache_callback ? sockets_.drop_cached({static_cast<std::byte*>(lpvAddress), Size})
                                               : WSAEOPNOTSUPP;
    }
    return answer(code, lpErrno);
}

// --- options and extension functions

int Provider::WSPGetSockOpt(SOCKET s, int level, int optname, CHAR* optval, LPINT optlen, LPINT lpErrno) {
    return sockets_.with(s, lpErrno,
                         [&](Socket& socket) { return socket.options().get(level, optname, optval, optlen); });
}

int Provider::WSPSetSockOpt(SOCKET s, int level, int optname, const CHAR* optval, int optlen, LPINT lpErrno) {
    return sockets_.with(s, lpErrno,
                         [&](Socket& socket) { return socket.options().set(level, optname, optval, optlen); });
}

int Provider::WSPIoctl(SOCKET s, DWORD dwIoControlCode, LPVOID lpvInBuffer, DWORD cbInBuffer, LPVOID lpvOutBuffer,
                       DWORD cbOutBuffer, LPDWORD lpcbBytesReturned, LPWSAOVERLAPPED,
                       LPWSAOVERLAPPED_COMPLETION_ROUTINE, LPWSATHREADID, LPINT lpErrno) {
    return sockets_.with(s, lpErrno, [&](Socket&) {
        if (dwIoControlCode != SIO_GET_EXTENSION_FUNCTION_POINTER) {
            return WSAEOPNOTSUPP;
        }
        GUID id{};
        if (lpvInBuffer == nullptr || cbInBuffer < sizeof id || lpvOutBuffer == nullptr ||
            cbOutBuffer < sizeof(VOID*) || lpcbBytesReturned == nullptr) {
            return WSAEFAULT;
        }
        std::memcpy(&id, lpvInBuffer, sizeof id);
        if (!has_extension(setting_.options, id)) {
            return WSAEOPNOTSUPP;  // W81
        }
        *lpcbBytesReturned = sizeof(VOID*);
        return 0;
    });
}

}  // namespace ndsim::wsd
