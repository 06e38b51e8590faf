// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ndapi/core/status.hpp"
#include "ndapi/windows/abi/ntstatus.h"

namespace ndsim::core {

// The completion of one request, as a poll returns it.
struct Completion {
    NTSTATUS status = STATUS_SUCCESS;
    OperationKind kind{};
    std::uint32_t bytes = 0;
    std::uint32_t token = 0;
    void* qp_context = nullptr;
    void* request_context = nullptr;
    bool by_peer = false;  // no request: the peer has invalidated `token`; that receive follows
};

}  // namespace ndsim::core
