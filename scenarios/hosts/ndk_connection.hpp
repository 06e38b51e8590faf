// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <memory>
#include <string>

#include "scenarios/hosts/host_side.hpp"
#include "scenarios/hosts/pending.hpp"

namespace ndsim {

// NdkConnection: the connection of a queue pair of a host that uses NDKPI: its connector, its listener while it is the
// passive end, and the word of the peer's departure. Calls block until they are done.
class NdkConnection {
public:
    NdkConnection(HostSide& side, const QueuePair& declared) : side_(side), declared_(declared), peer_left_(side) {}

    NTSTATUS connect(NDK_ADAPTER& adapter, NDK_QP* qp, const sockaddr_in& peer);
    // The port is in network byte order. Does nothing if it listens already.
    NTSTATUS listen(NDK_ADAPTER& adapter, USHORT port);
    NTSTATUS accept(NDK_QP* qp);
    NTSTATUS reject();
    void stop_listening();
    NTSTATUS disconnect();
    // Waits until the peer has disconnected, or the connection has died.
    void wait_for_disconnect();

private:
    // A listener, and the connectors that it has offered and no accept or reject has taken yet.
    struct Listening {
        explicit Listening(HostContext& host) : event(host) {}

        NDK_LISTENER* listener = nullptr;
        HostEvent event;
        std::deque<NDK_CONNECTOR*> offered;
    };

    [[nodiscard]] NDK_CONNECTOR* next_offered();
    [[nodiscard]] NTSTATUS keep_or_close(NDK_CONNECTOR* connector, NTSTATUS status);
    static void peer_left(void* connection);

    HostSide& side_;
    const QueuePair& declared_;
    NDK_CONNECTOR* connector_ = nullptr;
    std::unique_ptr<Listening> listening_;
    HostEvent peer_left_;
    bool is_over_ = false;  // the connection
    // A run may be stopped while a call waits, and then its stack is not unwound: owners of memory are members.
    std::string awaited_;
};

}  // namespace ndsim
