// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "ndapi/core/shared_endpoint.hpp"

namespace ndsim::core {

// HeldPort: the local port of a connector, which is one of its users until it is given back [K188].
class HeldPort {
public:
    explicit HeldPort(Driver& driver) : driver_(driver) {}

    // Takes the port of `local`, or picks one if that is 0. STATUS_INVALID_ADDRESS, STATUS_SHARING_VIOLATION,
    // STATUS_TOO_MANY_ADDRESSES.
    [[nodiscard]] NTSTATUS take(Endpoint& local);
    // Another user has taken the port already: a listener, or an endpoint, which stays until it is let go.
    void share(std::uint16_t port);
    void share(SharedEndpoint& endpoint);

    void give();
    // As give(), without the endpoint.
    void give_port();
    // Null: the port belongs to no endpoint.
    [[nodiscard]] SharedEndpoint* endpoint() const { return endpoint_; }

private:
    Driver& driver_;
    std::optional<std::uint16_t> port_;
    SharedEndpoint* endpoint_ = nullptr;
};

}  // namespace ndsim::core
