// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ndapi/core/cq.hpp"
#include "ndapi/ndspi/com.hpp"

// Functions of completion queues of both versions.
namespace ndsim::nd {

// The status of a result. The numbers are the core's, except where the interface's own documents differ (ndspi.md 6):
// for a Bind that the NIC refuses (R111), and for a timeout in version 1.
[[nodiscard]] HRESULT code_of(const core::Driver& driver, Version version, const core::Completion& completion);
// Call before create(): sets whether results with errors also end a Notify for errors (R85).
void count_failures(core::Cq& cq);
// Changes the queue's depth while the caller waits (R89).
[[nodiscard]] HRESULT resize(core::Cq& cq, std::uint64_t depth);

}  // namespace ndsim::nd
