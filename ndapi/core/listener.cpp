// SPDX-License-Identifier: Apache-2.0
#include "ndapi/core/listener.hpp"

#include "ndapi/core/connection_manager.hpp"

namespace ndsim::core {

NTSTATUS Listener::listen(Endpoint local) {
    if (local.ip != 0 && local.ip != driver_.ip_address()) {
        return STATUS_INVALID_ADDRESS;
    }
    local_ = {driver_.ip_address(), local.port};
    const NTSTATUS status = driver_.connections().add(*this, local_.port);
    listening_ = status == STATUS_SUCCESS;
    return status;
}

void Listener::incoming(const CmMessage& request) {
    auto connector = std::make_unique<Connector>(driver_);
    connector->requested(request, *this);
    incoming_(std::move(connector));
}

void Listener::end_close() {
    driver_.connections().remove(*this);
}

}  // namespace ndsim::core
