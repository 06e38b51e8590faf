// SPDX-License-Identifier: Apache-2.0
#include "ndapi/core/shared_endpoint.hpp"

#include "ndapi/core/cm_router.hpp"

namespace ndsim::core {

NTSTATUS SharedEndpoint::open(Endpoint local) {
    const NTSTATUS status = driver_.connections().take(local);
    if (status == STATUS_SUCCESS) {
        local_ = local;
    }
    return status;
}

void SharedEndpoint::end_close() {
    driver_.connections().ports().give(local_.port);
}

}  // namespace ndsim::core
