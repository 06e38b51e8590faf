// SPDX-License-Identifier: Apache-2.0
#include "ndapi/core/held_port.hpp"

#include <utility>

#include "ndapi/core/cm_router.hpp"

namespace ndsim::core {

NTSTATUS HeldPort::take(Endpoint& local) {
    const NTSTATUS status = driver_.connections().take(local);
    if (status == STATUS_SUCCESS) {
        port_ = local.port;
    }
    return status;
}

void HeldPort::share(std::uint16_t port) {
    driver_.connections().ports().share(port);
    port_ = port;
}

void HeldPort::share(SharedEndpoint& endpoint) {
    share(endpoint.local().port);
    endpoint_ = &endpoint;
    endpoint_->hold();
}

void HeldPort::give_port() {
    if (port_) {
        driver_.connections().ports().give(*std::exchange(port_, std::nullopt));
    }
}

void HeldPort::give() {
    give_port();
    if (endpoint_ != nullptr) {
        std::exchange(endpoint_, nullptr)->release();
    }
}

}  // namespace ndsim::core
