// SPDX-License-Identifier: Apache-2.0
#include "ndapi/core/fast_mr.hpp"

#include "ndapi/core/object_command.hpp"

namespace ndsim::core {

FastMr::FastMr(Pd& pd) : pd_(pd), key_(pd.driver().registry().new_key()) {
    pd_.hold();
}

void FastMr::initialize(std::uint32_t pages, bool remote_access, std::function<void(NTSTATUS)> done) {
    told_ = true;
    command_for(*this, pd_.driver(), FreeKey{FreeKey::Kind::fast_register, key_, pd_.number()}, std::move(done),
                [this, pages, remote_access] {
                    pages_ = pages;
                    remote_access_ = remote_access;
                });
}

// The NIC executes commands one after the other, so an initialisation under way ends first.
void FastMr::begin_close() {
    if (told_) {
        command_for(*this, pd_.driver(), DestroyKey{key_});
    }
}

}  // namespace ndsim::core
