// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <vector>

#include "models/proto/wqe.hpp"

namespace ndsim {

// Decoded WQEs, reused so that a steady state allocates nothing.
class WqePool {
public:
    [[nodiscard]] Wqe* take() {
        if (free_.empty()) {
            return &wqes_.emplace_back();
        }
        Wqe* const wqe = free_.back();
        free_.pop_back();
        return wqe;
    }
    void give(Wqe* wqe) { free_.push_back(wqe); }

private:
    std::deque<Wqe> wqes_;
    std::vector<Wqe*> free_;
};

}  // namespace ndsim
