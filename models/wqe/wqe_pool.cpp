// SPDX-License-Identifier: Apache-2.0
#include "models/wqe/wqe_pool.hpp"

namespace ndsim {

Wqe* WqePool::take() {
    if (free_.empty()) {
        return &wqes_.emplace_back();
    }
    Wqe* const wqe = free_.back();
    free_.pop_back();
    return wqe;
}

}  // namespace ndsim
