// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>

#include "ndapi/sockets/wsd_stream.hpp"
#include "ndapi/sockets/wsd_upcalls.hpp"
#include "ndapi/windows/os/process.hpp"

namespace ndsim {

// WsdSwitch: a switch for Winsock Direct. It models Windows' part between a program's sockets and the provider, as far
// as that is known: sockets are created, bound, connected and accepted through the provider, and carry streams. Calls
// block. Call close() before destruction.
class WsdSwitch {
public:
    WsdSwitch(os::Process& process, wsd::Wsp& provider, WsdSettings settings = {});

    // The result of a call: a stream, or the code why there is none. The socket may be closed.
    struct Connected {
        int error = 0;
        std::unique_ptr<WsdStream> stream;
        SOCKET socket = INVALID_SOCKET;
    };
    [[nodiscard]] int listen(USHORT port, int backlog = 8);
    // The next peer that connects to a port on which it listens.
    [[nodiscard]] Connected accept(USHORT port);
    void stop_listening(USHORT port);
    [[nodiscard]] Connected connect(const sockaddr_in& peer);
    // Ends the provider's work, and waits for the end of the last upcall.
    void close();

    [[nodiscard]] const WsdUpcalls& upcalls() const { return upcalls_; }

private:
    [[nodiscard]] SOCKET new_socket(USHORT port, int& code);
    [[nodiscard]] Connected opened(SOCKET socket, bool active);
    // Waits for one event of a socket; returns its outcome.
    [[nodiscard]] int wait_for(SOCKET socket, int bit);
    void give_up(SOCKET socket);

    WsdUpcalls upcalls_;
    const WsdContext context_;
    HANDLE network_event_;
    std::map<USHORT, SOCKET> listeners_;  // by port
};

}  // namespace ndsim
