// SPDX-License-Identifier: Apache-2.0
#include "ndapi/wsd/provider.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "ndapi/core/socket_address.hpp"
#include "ndapi/wsd/answers.hpp"

// Start and end, and how sockets are made, connect and end.
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

Provider::Provider(os::Process& process, const Options& options) : setting_(process, options) {
    process.adopt(*this);
}

Provider& open_provider(os::Process& process, const Options& options) {
    return process.driver().keep(std::make_unique<Provider>(process, options));
}

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
    ++started_;
    return 0;
}

int Provider::WSPCleanup(LPINT lpErrno) {
    if (started_ == 0) {
        return refuse(WSANOTINITIALISED, lpErrno);
    }
    if (--started_ == 0) {
        close_all();
    }
    return 0;
}

void Provider::close_all() {
    for (const auto& [descriptor, socket] : sockets_) {
        if (!socket->is_closed()) {
            socket->close();
        }
    }
}

Socket* Provider::find(SOCKET s) {
    const auto found = sockets_.find(s);
    return found == sockets_.end() || found->second->is_closed() ? nullptr : found->second.get();
}

// The first checks of every call with a socket. Before WSPStartupEx there are no sockets to find (W17).
Socket* Provider::enter(SOCKET s, LPINT lpErrno) {
    Socket* const socket = find(s);
    int code = started_ == 0 || !setting_.driver.enabled() ? WSAENETDOWN : 0;
    if (started_ > 0 && socket == nullptr) {
        code = WSAENOTSOCK;
    }
    if (code != 0) {
        refuse(code, lpErrno);
        return nullptr;
    }
    if (lpErrno == nullptr) {
        setting_.driver.consumer_error("a call without a place for its error code");
        return nullptr;
    }
    return socket;
}

int Provider::may_make_socket(LPINT lpErrno) {
    if (lpErrno == nullptr) {
        setting_.driver.consumer_error("a call without a place for its error code");
        return WSAEFAULT;
    }
    return started_ == 0 || !setting_.driver.enabled() ? WSAENETDOWN : 0;
}

Socket* Provider::make_socket(SOCKET& descriptor, int& code) {
    descriptor = next_descriptor_;
    next_descriptor_ += 4;
    const SOCKET handle = setting_.upcalls.create_handle(descriptor, code);
    if (handle == INVALID_SOCKET) {
        return nullptr;
    }
    code = 0;
    return sockets_.emplace(descriptor, std::make_unique<Socket>(setting_, handle)).first->second.get();
}

SOCKET Provider::WSPSocket(int af, int type, int protocol, LPWSAPROTOCOL_INFOW lpProtocolInfo, GROUP, DWORD dwFlags,
                           LPINT lpErrno) {
    // A connection of another process is not taken over.
    const bool takes_over = lpProtocolInfo != nullptr && lpProtocolInfo->dwProviderReserved != 0;
    const std::array checks{std::pair(af == AF_INET, WSAEAFNOSUPPORT), std::pair(type == SOCK_STREAM, WSAEPROTOTYPE),
                            std::pair(protocol == IPPROTO_TCP, WSAEPROTONOSUPPORT),
                            std::pair(dwFlags == WSA_FLAG_OVERLAPPED && !takes_over, WSAEINVAL)};
    const auto wrong = std::ranges::find(checks, false, &std::pair<bool, int>::first);
    int code = may_make_socket(lpErrno);
    if (code == 0 && wrong != checks.end()) {
        code = wrong->second;
    }
    SOCKET descriptor = INVALID_SOCKET;
    if (code == 0 && make_socket(descriptor, code) != nullptr) {
        return descriptor;
    }
    refuse(code, lpErrno);
    return INVALID_SOCKET;
}

int Provider::WSPBind(SOCKET s, const sockaddr* name, int namelen, LPINT lpErrno) {
    Socket* const socket = enter(s, lpErrno);
    core::Endpoint local;
    if (socket == nullptr) {
        return SOCKET_ERROR;
    }
    const int code = endpoint_of(name, namelen, local);
    return answer(code != 0 ? code : socket->bind(local), lpErrno);
}

int Provider::WSPListen(SOCKET s, int backlog, LPINT lpErrno) {
    Socket* const socket = enter(s, lpErrno);
    return socket == nullptr ? SOCKET_ERROR : answer(socket->listen(backlog), lpErrno);
}

int Provider::WSPConnect(SOCKET s, const sockaddr* name, int namelen, LPWSABUF lpCallerData, LPWSABUF, LPQOS, LPQOS,
                         LPINT lpErrno) {
    Socket* const socket = enter(s, lpErrno);
    core::Endpoint peer;
    if (socket == nullptr) {
        return SOCKET_ERROR;
    }
    int code = endpoint_of(name, namelen, peer);
    if (code == 0 && lpCallerData != nullptr && lpCallerData->len > 0) {
        code = WSAEINVAL;
    }
    return answer(code != 0 ? code : socket->connect(peer), lpErrno);
}

SOCKET Provider::WSPAccept(SOCKET s, sockaddr* addr, LPINT addrlen, LPCONDITIONPROC lpfnCondition,
                           DWORD_PTR dwCallbackData, LPINT lpErrno) {
    Socket* const listener = enter(s, lpErrno);
    if (listener == nullptr) {
        return INVALID_SOCKET;
    }
    const bool room = addr == nullptr || (addrlen != nullptr && *addrlen >= static_cast<int>(sizeof(sockaddr_in)));
    int code = room ? listener->next_request(lpfnCondition, dwCallbackData) : WSAEFAULT;
    SOCKET descriptor = INVALID_SOCKET;
    Socket* const accepted = code == 0 ? make_socket(descriptor, code) : nullptr;
    if (accepted != nullptr) {
        code = accepted->accept(listener->take_request());
        if (code != 0 && !accepted->is_closed()) {
            accepted->close();
        }
    }
    if (code != 0) {
        refuse(code, lpErrno);
        return INVALID_SOCKET;
    }
    if (addr != nullptr) {
        const sockaddr_in peer = core::address_of(accepted->peer());
        std::memcpy(addr, &peer, sizeof peer);
        *addrlen = sizeof peer;
    }
    return descriptor;
}

int Provider::WSPEventSelect(SOCKET s, WSAEVENT hEventObject, LONG lNetworkEvents, LPINT lpErrno) {
    Socket* const socket = enter(s, lpErrno);
    if (socket == nullptr) {
        return SOCKET_ERROR;
    }
    if ((lNetworkEvents & ~(FD_ACCEPT | FD_CONNECT)) != 0) {
        return refuse(WSAEINVAL, lpErrno);  // W96
    }
    socket->events().select(hEventObject, lNetworkEvents);
    return 0;
}

int Provider::WSPEnumNetworkEvents(SOCKET s, WSAEVENT hEventObject, LPWSANETWORKEVENTS lpNetworkEvents, LPINT lpErrno) {
    Socket* const socket = enter(s, lpErrno);
    if (socket == nullptr) {
        return SOCKET_ERROR;
    }
    if (lpNetworkEvents == nullptr) {
        return refuse(WSAEFAULT, lpErrno);
    }
    socket->events().take(hEventObject, *lpNetworkEvents);
    return 0;
}

int Provider::WSPCloseSocket(SOCKET s, LPINT lpErrno) {
    Socket* const socket = enter(s, lpErrno);
    if (socket == nullptr) {
        return SOCKET_ERROR;
    }
    socket->close();
    return 0;
}

int Provider::WSPDuplicateSocket(SOCKET s, DWORD, LPWSAPROTOCOL_INFOW lpProtocolInfo, LPINT lpErrno) {
    Socket* const socket = enter(s, lpErrno);
    if (socket == nullptr) {
        return SOCKET_ERROR;
    }
    const int code = lpProtocolInfo == nullptr ? WSAEFAULT : socket->suspend();
    if (code == 0) {
        lpProtocolInfo->dwProviderReserved = ++suspended_;
    }
    return answer(code, lpErrno);
}

}  // namespace ndsim::wsd
