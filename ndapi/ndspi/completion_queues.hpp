// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ndapi/core/cq.hpp"
#include "ndapi/ndspi/com.hpp"

// Functions of completion queues of both versions.
namespace ndsim::nd {

// Call before create(): a Notify ends only for results that it asks for, also if they are already there (R78, R81), and
// sets whether one for errors asks for results with errors (R85).
void set_arms(core::Cq& cq);
// Changes the queue's depth while the caller waits (R89).
[[nodiscard]] HRESULT resize(core::Cq& cq, std::uint64_t depth);

}  // namespace ndsim::nd
