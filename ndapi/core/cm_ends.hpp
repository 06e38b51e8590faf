// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ndapi/core/cm_message.hpp"
#include "ndapi/core/endpoint.hpp"

namespace ndsim::core {

// Where messages between connection managers end.

// One end of a connection.
class CmConnection {
public:
    [[nodiscard]] virtual Endpoint peer() const = 0;
    [[nodiscard]] virtual std::uint32_t peer_id() const = 0;
    // Whether this connection joins, or will join, these addresses.
    [[nodiscard]] virtual bool joins(const Endpoint& local, const Endpoint& peer) const = 0;
    virtual void handle(const CmMessage& message) = 0;

protected:
    ~CmConnection() = default;
};

// A listener for connect requests.
class CmListener {
public:
    [[nodiscard]] virtual bool takes(std::uint16_t port) const = 0;
    virtual void incoming(const CmMessage& request) = 0;

protected:
    ~CmListener() = default;
};

}  // namespace ndsim::core
