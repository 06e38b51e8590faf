// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "sim/base/ids.hpp"
#include "sim/base/ring.hpp"

namespace ndsim {

// AckCoalescer: queue pairs with an acknowledgement to send, in order. Acknowledgements are coalesced: one that still
// waits says all that a second one of its queue pair would, so the two become one.
class AckCoalescer {
public:
    // False if an acknowledgement of this queue pair waits already.
    bool push(QpNum qp);
    [[nodiscard]] QpNum pop();
    [[nodiscard]] bool empty() const { return due_.empty(); }
    // Acknowledgements that became part of a waiting one.
    [[nodiscard]] std::uint64_t merged() const { return merged_; }

private:
    Ring<QpNum> due_;
    std::vector<bool> waits_;  // by QP index
    std::uint64_t merged_ = 0;
};

}  // namespace ndsim
