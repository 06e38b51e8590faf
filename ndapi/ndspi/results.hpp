// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ndapi/core/cq.hpp"
#include "ndapi/ndspi/com.hpp"

// What both versions do with a completion queue.
namespace ndsim::nd {

// The status of a result. The numbers are those of the core, but for what the interface's own documents say (ndspi.md
// 6): a Bind that the NIC refuses (R111), and how version 1 calls a timeout.
[[nodiscard]] HRESULT code_of(const core::Driver& driver, Version version, const core::Completion& completion);
// Before it is created: whether results that are errors end a Notify for errors, too (R85).
void count_failures(core::Cq& cq);
// Gives the queue another depth while the caller waits (R89).
[[nodiscard]] HRESULT resize(core::Cq& cq, std::uint64_t depth);

}  // namespace ndsim::nd
