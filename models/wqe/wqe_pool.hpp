// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <vector>

#include "models/proto/wqe.hpp"

namespace ndsim {

// Decoded WQEs, reused so that a steady state allocates nothing.
class WqePool {
public:
    [[nodiscard]] Wqe* take();
    void give(Wqe* wqe) { free_.push_back(wqe); }

private:
    std::deque<Wqe> wqes_;
    std::vector<Wqe*> free_;
};

}  // namespace ndsim
