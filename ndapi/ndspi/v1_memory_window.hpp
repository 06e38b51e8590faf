// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ndapi/core/mw.hpp"
#include "ndapi/ndspi/v1_part.hpp"

namespace ndsim::nd {

// INDMemoryWindow of this provider. Until its release its owner hears of invalidations by the peer.
class MemoryWindow1 final : public Part1<INDMemoryWindow> {
public:
    MemoryWindow1(Shared1& owner, ND_RESULT* invalidated)
        : Part1(owner, {IID_INDMemoryWindow}), core_(owner.adapter()->pd) {
        owner.add_window(core_.key(), invalidated);
    }

    [[nodiscard]] core::Mw& core() { return core_; }

private:
    void take_down() override {
        owner().remove_window(core_.key());
        close(core_);
    }

    core::Mw core_;
};

}  // namespace ndsim::nd
