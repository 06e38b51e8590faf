// SPDX-License-Identifier: Apache-2.0
#include "sim/base/payload_pool.hpp"

namespace ndsim {

PayloadPool::PayloadPool(PayloadMode mode) {
    if (mode == PayloadMode::timing) {
        zeros_ = take();
        zeros_at_ = reinterpret_cast<std::uintptr_t>(data(zeros_));
    }
}

PayloadRef PayloadPool::take() {
    if (free_.empty()) {
        buffers_.push_back(std::make_unique<Buffer>());
        others_.push_back(0);
        return PayloadRef{static_cast<std::uint32_t>(buffers_.size())};
    }
    const PayloadRef buffer = free_.back();
    free_.pop_back();
    return buffer;
}

}  // namespace ndsim
