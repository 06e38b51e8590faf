// SPDX-License-Identifier: Apache-2.0
#include "models/wire/ack_coalescer.hpp"

#include "models/ports/qp.hpp"
#include "sim/base/slots.hpp"

namespace ndsim {

bool AckCoalescer::push(QpNum qp) {
    const std::uint32_t index = qp_index(qp);
    if (grown(waits_, index)) {
        ++merged_;
        return false;
    }
    waits_[index] = true;
    due_.push(qp);
    return true;
}

QpNum AckCoalescer::pop() {
    const QpNum qp = due_.pop();
    waits_[qp_index(qp)] = false;
    return qp;
}

}  // namespace ndsim
