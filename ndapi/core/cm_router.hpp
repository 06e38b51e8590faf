// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "ndapi/core/cm_ends.hpp"
#include "ndapi/core/driver.hpp"
#include "ndapi/core/local_ports.hpp"

namespace ndsim::core {

// CmRouter: finds the connector or listener of each message, and keeps the host's endpoints.
class CmRouter {
public:
    explicit CmRouter(Driver& driver) : driver_(driver) {}

    // The hosts that this one's packets reach, by their IP addresses.
    void add_neighbour(std::uint32_t ip_address, HostId host) { neighbours_[ip_address] = host; }
    [[nodiscard]] std::optional<HostId> neighbour(std::uint32_t ip_address) const;
    // `sent` is called when the NIC has taken the message. A message to an address without a host is lost.
    void send(
        const CmMessage& message, std::function<void()> sent = [] {});
    void handle(const CmMessage& message);
    [[nodiscard]] std::uint32_t add(CmConnection& connector);
    // Gives the connector a new number: messages still on their way to the old one find no connector.
    [[nodiscard]] std::uint32_t renew(std::uint32_t id, CmConnection& connector);
    void remove(std::uint32_t id) { connectors_.erase(id); }
    void add(CmListener& listener) { listeners_.push_back(&listener); }
    void remove(const CmListener& listener) { std::erase(listeners_, &listener); }

    [[nodiscard]] LocalPorts& ports() { return ports_; }
    // Takes an address of this host for one user, and fills in the parts left open. STATUS_INVALID_ADDRESS,
    // STATUS_SHARING_VIOLATION, STATUS_TOO_MANY_ADDRESSES [K181, K182].
    [[nodiscard]] NTSTATUS take(Endpoint& local);
    // Whether a peer can be reached: STATUS_NETWORK_UNREACHABLE outside the network, and STATUS_CONNECTION_REFUSED for
    // this host itself, since the adapter has no loopback [K189].
    [[nodiscard]] NTSTATUS route_to(const Endpoint& peer) const;
    // Whether these two addresses have a connection, or are about to.
    [[nodiscard]] bool joined(const Endpoint& local, const Endpoint& peer) const;

private:
    [[nodiscard]] CmConnection* find(const CmMessage& message) const;
    void offer(const CmMessage& request);

    Driver& driver_;
    std::map<std::uint32_t, HostId> neighbours_;
    LocalPorts ports_;
    std::map<std::uint32_t, CmConnection*> connectors_;
    std::vector<CmListener*> listeners_;
    std::uint32_t next_id_ = 1;
};

}  // namespace ndsim::core
