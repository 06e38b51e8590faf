// SPDX-License-Identifier: Apache-2.0
#include "ndapi/sockets/wsd_switch.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <string>

#include "ndapi/windows/abi/byteorder.h"

namespace ndsim {

namespace {

constexpr WORD kVersion = 0x0202;

const sockaddr* generic(const sockaddr_in& address) {
    return reinterpret_cast<const sockaddr*>(&address);
}

WsdSettings checked(WsdSettings settings) {
    if (settings.buffers < WsdSettings::kFewestBuffers) {
        throw std::invalid_argument(fmt::format("WsdSettings::buffers is {}: a switch needs at least {}",
                                                settings.buffers, WsdSettings::kFewestBuffers));
    }
    return settings;
}

}  // namespace

WsdSwitch::WsdSwitch(os::Process& process, wsd::Wsp& provider, WsdSettings settings)
    : upcalls_(process.driver()),
      context_{process, process.driver(), provider, checked(std::move(settings)), process.create_event(false, false)},
      network_event_(process.create_event(true, false)) {
    upcalls_.on_complete([this](const WsdUpcalls::Completion&) { (void)context_.os.set_event(context_.done); });
    WSPUPCALLTABLEEX table = upcalls_.table();
    WSPDATAW data{};
    WSAPROTOCOL_INFOW protocol{};
    protocol.ProviderId = wsd::kProviderId;
    if (const int code = provider.WSPStartupEx(kVersion, &data, &protocol, &table, nullptr); code != 0) {
        throw std::runtime_error("the provider does not start: " + std::to_string(code));
    }
}

// A bound socket, or INVALID_SOCKET.
SOCKET WsdSwitch::new_socket(USHORT port, int& code) {
    const SOCKET socket =
        context_.provider.WSPSocket(AF_INET, SOCK_STREAM, IPPROTO_TCP, nullptr, 0, WSA_FLAG_OVERLAPPED, &code);
    if (socket == INVALID_SOCKET) {
        return INVALID_SOCKET;
    }
    sockaddr_in local{};
    local.sin_family = AF_INET;
    local.sin_port = htons(port);
    if (context_.provider.WSPBind(socket, generic(local), sizeof local, &code) != 0) {
        give_up(socket);
        return INVALID_SOCKET;
    }
    return socket;
}

void WsdSwitch::give_up(SOCKET socket) {
    int ignored = 0;
    (void)context_.provider.WSPCloseSocket(socket, &ignored);
}

int WsdSwitch::wait_for(SOCKET socket, int bit) {
    WSANETWORKEVENTS events{};
    int code = 0;
    do {
        (void)context_.os.wait(&network_event_, 1, false, INFINITE);
        if (context_.provider.WSPEnumNetworkEvents(socket, network_event_, &events, &code) != 0) {
            return code;
        }
    } while ((events.lNetworkEvents & LONG{1} << bit) == 0);
    return events.iErrorCode[bit];
}

int WsdSwitch::listen(USHORT port, int backlog) {
    int code = 0;
    const SOCKET listener = new_socket(port, code);
    if (listener == INVALID_SOCKET) {
        return code;
    }
    (void)context_.provider.WSPEventSelect(listener, network_event_, FD_ACCEPT, &code);
    if (context_.provider.WSPListen(listener, backlog, &code) != 0) {
        give_up(listener);
        return code;
    }
    listeners_[port] = listener;
    return 0;
}

void WsdSwitch::stop_listening(USHORT port) {
    give_up(listeners_.at(port));
    listeners_.erase(port);
}

WsdSwitch::Connected WsdSwitch::accept(USHORT port) {
    const SOCKET listener = listeners_.at(port);
    for (;;) {
        int code = 0;
        const SOCKET socket = context_.provider.WSPAccept(listener, nullptr, nullptr, nullptr, 0, &code);
        if (socket != INVALID_SOCKET) {
            return opened(socket, false);
        }
        if (code == WSAEWOULDBLOCK) {
            code = wait_for(listener, FD_ACCEPT_BIT);
        }
        if (code != 0) {
            return {code, nullptr};
        }
    }
}

WsdSwitch::Connected WsdSwitch::connect(const sockaddr_in& peer) {
    int code = 0;
    const SOCKET socket = new_socket(0, code);
    if (socket == INVALID_SOCKET) {
        return {code, nullptr};
    }
    (void)context_.provider.WSPEventSelect(socket, network_event_, FD_CONNECT, &code);
    code = 0;
    (void)context_.provider.WSPConnect(socket, generic(peer), sizeof peer, nullptr, nullptr, nullptr, nullptr, &code);
    if (code == WSAEWOULDBLOCK) {
        code = wait_for(socket, FD_CONNECT_BIT);
    }
    if (code != 0) {
        give_up(socket);
        return {code, nullptr, socket};
    }
    return opened(socket, true);
}

WsdSwitch::Connected WsdSwitch::opened(SOCKET socket, bool active) {
    auto stream = std::make_unique<WsdStream>(context_, socket);
    const int code = stream->start(active);
    if (code != 0) {
        give_up(socket);
        stream->channel().wait_for_release();
        return {code, nullptr, socket};
    }
    return {0, std::move(stream), socket};
}

void WsdSwitch::close() {
    int ignored = 0;
    (void)context_.provider.WSPCleanup(&ignored);
    while (upcalls_.open_handles() > 0) {
        context_.os.sleep(0);
    }
}

}  // namespace ndsim
