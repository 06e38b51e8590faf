// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/proto/wqe.hpp"
#include "ndapi/core/posting.hpp"

namespace ndsim::core {

// Requests that change a key of this NIC. Each has a check of what software asks for, apart from its queue: the status
// to refuse it with, or STATUS_SUCCESS; and the operation that goes into the WQE.
[[nodiscard]] NTSTATUS error_of(const Binding& what);
[[nodiscard]] KeyOperation operation_of(const Binding& what);  // the window has its new key from now on
[[nodiscard]] NTSTATUS error_of(const FastRegistration& what);
[[nodiscard]] KeyOperation operation_of(const FastRegistration& what);
[[nodiscard]] KeyOperation invalidation_of(MrKey key);

}  // namespace ndsim::core
