// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>

namespace ndsim::core {

// The life of a connector.
enum class ConnectorState : std::uint8_t {
    idle,
    connecting,  // active: the request is sent
    accepted,    // the peer has accepted
    completing,
    requested,  // passive: a request has arrived
    accepting,
    connected,
    disconnecting,
    lost,     // the connection has died; this side has not disconnected
    aborted,  // the peer gave up before there was a connection
    ended
};

[[nodiscard]] inline bool is_one_of(ConnectorState state, std::initializer_list<ConnectorState> states) {
    return std::find(states.begin(), states.end(), state) != states.end();
}
// Whether there is no connection and will be none.
[[nodiscard]] inline bool is_over(ConnectorState state) {
    return is_one_of(state, {ConnectorState::lost, ConnectorState::aborted, ConnectorState::ended});
}
// Whether the NIC knows the connection: its queue pair is connected there, or about to be.
[[nodiscard]] inline bool is_in_nic(ConnectorState state) {
    return is_one_of(state, {ConnectorState::accepted, ConnectorState::completing, ConnectorState::accepting,
                             ConnectorState::connected, ConnectorState::disconnecting});
}
// Whether both ends count the connection as active.
[[nodiscard]] inline bool is_active(ConnectorState state) {
    return is_one_of(state, {ConnectorState::connected, ConnectorState::disconnecting});
}

}  // namespace ndsim::core
