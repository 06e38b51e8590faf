// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "ndapi/core/cm_terms.hpp"

namespace ndsim::core {

class Connector;

// HeldQp: the queue pair of a connector, from the connect or accept that names it until the connector's end. Null
// before, and after a failed connect.
class HeldQp {
public:
    HeldQp(Connector& connector, Driver& driver) : connector_(connector), driver_(driver) {}

    [[nodiscard]] Qp* get() const { return qp_; }
    [[nodiscard]] Qp* operator->() const { return qp_; }

    void attach(Qp& qp);
    // It is as it was before, and may be connected by another connector.
    void detach();
    // The NIC connects it to the queue pair of the peer; then `joined` is called, by its interrupt.
    void join(const QpConnection& connection, std::function<void()> joined);
    // It is used up: what it still holds is flushed.
    void use_up();

private:
    Connector& connector_;
    Driver& driver_;
    Qp* qp_ = nullptr;
};

}  // namespace ndsim::core
