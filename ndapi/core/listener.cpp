// SPDX-License-Identifier: Apache-2.0
#include "ndapi/core/listener.hpp"

#include <algorithm>

#include "ndapi/core/closing.hpp"
#include "ndapi/core/cm_router.hpp"

namespace ndsim::core {

NTSTATUS Listener::listen(Endpoint local) {
    if (listening_) {
        return STATUS_ADDRESS_ALREADY_ASSOCIATED;
    }
    const NTSTATUS status = driver_.connections().take(local);
    if (status == STATUS_SUCCESS) {
        local_ = local;
        listening_ = true;
        driver_.connections().add(*this);
    }
    return status;
}

void Listener::incoming(const CmMessage& request) {
    auto connector = std::make_unique<Connector>(driver_);
    connector->requested(request, *this);
    hold();
    incoming_(std::move(connector));
    release();
}

void Listener::end_close() {
    if (listening_) {
        driver_.connections().remove(*this);
        driver_.connections().ports().give(local_.port);
    }
}

void drop_given_up(Driver& driver, std::deque<std::unique_ptr<Connector>>& offered) {
    const auto gone =
        std::stable_partition(offered.begin(), offered.end(), [](const auto& each) { return !each->given_up(); });
    std::for_each(gone, offered.end(), [&driver](auto& each) { close_and_forget(driver, std::move(each)); });
    offered.erase(gone, offered.end());
}

}  // namespace ndsim::core
