// SPDX-License-Identifier: Apache-2.0
#include "ndapi/core/fast_mr.hpp"

namespace ndsim::core {

FastMr::FastMr(Pd& pd) : pd_(pd), key_(pd.driver().registry().new_key()) {
    pd_.hold();
}

void FastMr::initialize(std::uint32_t pages, bool remote_access, std::function<void(NTSTATUS)> done) {
    told_ = true;
    hold();
    pd_.driver().command(FreeKey{FreeKey::Kind::fast_register, key_, pd_.number()},
                         [this, pages, remote_access, done = std::move(done)] {
                             pages_ = pages;
                             remote_access_ = remote_access;
                             pd_.driver().callbacks().defer(pd_.driver().now(), [this, done] {
                                 done(STATUS_SUCCESS);
                                 release();
                             });
                         });
}

// The NIC executes commands one after the other, so an initialisation under way ends first.
void FastMr::begin_close() {
    if (told_) {
        hold();
        pd_.driver().command(DestroyKey{key_},
                             [this] { pd_.driver().callbacks().defer(pd_.driver().now(), [this] { release(); }); });
    }
}

}  // namespace ndsim::core
