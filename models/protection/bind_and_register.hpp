// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/protection/key_entry.hpp"
#include "models/proto/wc_status.hpp"
#include "models/proto/wqe.hpp"

namespace ndsim {

// What a Bind and a FastRegister do to the entry of their key. A refused operation changes nothing.

// Binds `window` to a part of `region`. Either is null if the protection table has none. The window must be invalid and
// of the queue pair's protection domain; the region must allow a local access of the range.
[[nodiscard]] WcStatus bind(KeyEntry* window, const KeyEntry* region, const KeyOperation& operation, PdNum pd,
                            QpNum qp);

// Gives a free fast-register region its pages. `region` is null if the protection table has none.
[[nodiscard]] WcStatus fast_register(KeyEntry* region, const KeyOperation& operation, PdNum pd);

}  // namespace ndsim
