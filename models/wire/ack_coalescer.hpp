// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "models/ports/qp.hpp"
#include "sim/base/ring.hpp"
#include "sim/base/slots.hpp"

namespace ndsim {

// AckCoalescer: queue pairs with an acknowledgement to send, in order. Acknowledgements are coalesced: one that still
// waits says all that a second one of its queue pair would, so the two become one.
class AckCoalescer {
public:
    // False if an acknowledgement of this queue pair waits already.
    bool push(QpNum qp) {
        const std::uint32_t index = qp_index(qp);
        if (grown(waits_, index)) {
            ++merged_;
            return false;
        }
        waits_[index] = true;
        due_.push(qp);
        return true;
    }
    [[nodiscard]] QpNum pop() {
        const QpNum qp = due_.pop();
        waits_[qp_index(qp)] = false;
        return qp;
    }
    [[nodiscard]] bool empty() const { return due_.empty(); }
    // Acknowledgements that became part of a waiting one.
    [[nodiscard]] std::uint64_t merged() const { return merged_; }

private:
    Ring<QpNum> due_;
    std::vector<bool> waits_;  // by QP index
    std::uint64_t merged_ = 0;
};

}  // namespace ndsim
