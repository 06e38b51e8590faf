// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <optional>

#include "ndapi/wsd/answers.hpp"
#include "ndapi/wsd/provider.hpp"

// Socket options, and the extension functions.
namespace ndsim::wsd {

namespace {

// The value of an option; nothing if there is no such option. Groups need QoS, which does not exist here.
[[nodiscard]] std::optional<DWORD> option(const Socket& socket, const Options& options, int name) {
    switch (name) {
        case SO_MAX_MSG_SIZE:
        case SO_MAX_RDMA_SIZE:
            return options.max_message;
        case SO_RDMA_THRESHOLD_SIZE:
            return kRdmaThreshold;
        case SO_DEBUG:
            return socket.stored.debug;
        case SO_GROUP_PRIORITY:
            return socket.stored.group_priority;
        default:
            return std::nullopt;
    }
}

// The place of an option's value, if it can be set.
[[nodiscard]] DWORD* stored(Socket& socket, int name) {
    switch (name) {
        case SO_DEBUG:
            return &socket.stored.debug;
        case SO_GROUP_PRIORITY:
            return &socket.stored.group_priority;
        default:
            return nullptr;
    }
}

// An extension function and its GUID.
struct Extension {
    GUID id;
    bool is_there;
};

[[nodiscard]] bool has_extension(const Options& options, const GUID& id) {
    const std::array extensions{Extension{WSAID_REGISTERMEMORY, true},
                                Extension{WSAID_DEREGISTERMEMORY, true},
                                Extension{WSAID_REGISTERRDMAMEMORY, true},
                                Extension{WSAID_DEREGISTERRDMAMEMORY, true},
                                Extension{WSAID_RDMAWRITE, true},
                                Extension{WSAID_RDMAREAD, options.rdma_read},
                                Extension{WSAID_MEMORYREGISTRATIONCACHECALLBACK, options.cache_callback}};
    const auto found = std::ranges::find(extensions, id, &Extension::id);
    return found != extensions.end() && found->is_there;
}

}  // namespace

int Provider::WSPGetSockOpt(SOCKET s, int level, int optname, CHAR* optval, LPINT optlen, LPINT lpErrno) {
    Socket* const socket = enter(s, lpErrno);
    if (socket == nullptr) {
        return SOCKET_ERROR;
    }
    if (level != SOL_SOCKET) {
        return refuse(WSAEINVAL, lpErrno);  // C10
    }
    const auto value = option(*socket, setting_.options, optname);
    if (!value) {
        return refuse(WSAENOPROTOOPT, lpErrno);
    }
    if (optlen == nullptr) {
        return refuse(WSAEFAULT, lpErrno);
    }
    const bool room = optval != nullptr && *optlen >= static_cast<int>(sizeof(DWORD));
    *optlen = sizeof(DWORD);
    if (!room) {
        return refuse(WSAEFAULT, lpErrno);
    }
    std::memcpy(optval, &*value, sizeof(DWORD));
    return 0;
}

int Provider::WSPSetSockOpt(SOCKET s, int level, int optname, const CHAR* optval, int optlen, LPINT lpErrno) {
    Socket* const socket = enter(s, lpErrno);
    if (socket == nullptr) {
        return SOCKET_ERROR;
    }
    if (level != SOL_SOCKET) {
        return refuse(WSAEINVAL, lpErrno);
    }
    DWORD* const value = stored(*socket, optname);
    if (value == nullptr) {
        return refuse(WSAENOPROTOOPT, lpErrno);
    }
    if (optval == nullptr || optlen < static_cast<int>(sizeof(DWORD))) {
        return refuse(WSAEFAULT, lpErrno);
    }
    std::memcpy(value, optval, sizeof(DWORD));
    return 0;
}

int Provider::WSPIoctl(SOCKET s, DWORD dwIoControlCode, LPVOID lpvInBuffer, DWORD cbInBuffer, LPVOID lpvOutBuffer,
                       DWORD cbOutBuffer, LPDWORD lpcbBytesReturned, LPWSAOVERLAPPED,
                       LPWSAOVERLAPPED_COMPLETION_ROUTINE, LPWSATHREADID, LPINT lpErrno) {
    if (enter(s, lpErrno) == nullptr) {
        return SOCKET_ERROR;
    }
    if (dwIoControlCode != SIO_GET_EXTENSION_FUNCTION_POINTER) {
        return refuse(WSAEOPNOTSUPP, lpErrno);
    }
    GUID id{};
    if (lpvInBuffer == nullptr || cbInBuffer < sizeof id || lpvOutBuffer == nullptr || cbOutBuffer < sizeof(VOID*) ||
        lpcbBytesReturned == nullptr) {
        return refuse(WSAEFAULT, lpErrno);
    }
    std::memcpy(&id, lpvInBuffer, sizeof id);
    if (!has_extension(setting_.options, id)) {
        return refuse(WSAEOPNOTSUPP, lpErrno);  // W81
    }
    *lpcbBytesReturned = sizeof(VOID*);
    return 0;
}

}  // namespace ndsim::wsd
