// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ndapi/core/cq.hpp"
#include "ndapi/ndspi/com.hpp"

// Functions of completion queues of both versions.
namespace ndsim::nd {

// Call before create(): a Notify ends only for results that it asks for, also if they are already there (R78, R81), and
// sets whether one for errors asks for results with errors (R85).
void set_arms(core::Cq& cq);
// The depth of a queue for which a program asks for `depth`, 1 to kMaxCqDepth (B4). `by_interface` is the default of
// the interface in use.
[[nodiscard]] std::uint32_t rounded_cq_depth(const core::Driver& driver, std::uint64_t depth, Rounding by_interface);
// Changes the queue's depth, rounded in the same way, while the caller waits (R89).
[[nodiscard]] HRESULT resize(core::Cq& cq, std::uint64_t depth, Rounding by_interface);

}  // namespace ndsim::nd
