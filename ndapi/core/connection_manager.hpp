// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <vector>

#include "ndapi/core/listener.hpp"

namespace ndsim::core {

// ConnectionManager: finds the connector or listener that a message is for, and keeps the host's ports.
class ConnectionManager {
public:
    explicit ConnectionManager(Driver& driver) : driver_(driver) {}

    void handle(const CmMessage& message);
    [[nodiscard]] std::uint32_t add(Connector& connector);
    void remove(std::uint32_t id) { connectors_.erase(id); }
    [[nodiscard]] NTSTATUS add(Listener& listener, std::uint16_t& port);
    void remove(const Listener& listener);
    // A free port for the active side; 0 if there is none.
    [[nodiscard]] std::uint16_t ephemeral_port();

private:
    Driver& driver_;
    std::map<std::uint32_t, Connector*> connectors_;
    std::vector<Listener*> listeners_;
    std::uint32_t next_id_ = 1;
    std::uint16_t next_port_ = 49152;
};

}  // namespace ndsim::core
