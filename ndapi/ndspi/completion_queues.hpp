// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ndapi/core/cq.hpp"
#include "ndapi/ndspi/com.hpp"

// Functions of completion queues of both versions.
namespace ndsim::nd {

// Call before create(): sets whether results with errors also end a Notify for errors (R85).
void count_failures(core::Cq& cq);
// Changes the queue's depth while the caller waits (R89).
[[nodiscard]] HRESULT resize(core::Cq& cq, std::uint64_t depth);

}  // namespace ndsim::nd
