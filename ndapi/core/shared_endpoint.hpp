// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ndapi/core/driver.hpp"
#include "ndapi/core/endpoint.hpp"
#include "ndapi/core/object.hpp"

namespace ndsim::core {

// SharedEndpoint: a local address from which several connectors may connect, each to another peer [K183].
class SharedEndpoint final : public Object {
public:
    explicit SharedEndpoint(Driver& driver) : driver_(driver) {}

    // Takes the address; call it first. STATUS_INVALID_ADDRESS, STATUS_SHARING_VIOLATION, STATUS_TOO_MANY_ADDRESSES.
    [[nodiscard]] NTSTATUS open(Endpoint local);
    [[nodiscard]] Endpoint local() const { return local_; }

private:
    void end_close() override;

    Driver& driver_;
    Endpoint local_;
};

}  // namespace ndsim::core
