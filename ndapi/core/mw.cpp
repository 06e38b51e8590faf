// SPDX-License-Identifier: Apache-2.0
#include "ndapi/core/mw.hpp"

#include <algorithm>

#include "ndapi/core/object_command.hpp"

namespace ndsim::core {

Mw::Mw(Pd& pd) : pd_(pd), key_(pd.driver().registry().new_key()) {
    pd_.hold();
    pd_.driver().registry().add(*this);
}

void Mw::create(std::function<void(NTSTATUS)> done) {
    command_for(*this, pd_.driver(), FreeKey{FreeKey::Kind::window, key_, pd_.number()}, std::move(done));
}

MrKey Mw::bind(Mr& mr) {
    key_ = next_key(key_);
    bound_.emplace_back(key_, &mr);
    open_ = true;
    mr.window_opened(*this);
    return key_;
}

void Mw::unbind(MrKey key) {
    const auto found =
        std::find_if(bound_.begin(), bound_.end(), [key](const auto& each) { return each.first == key; });
    if (found != bound_.end()) {
        Mr* const mr = found->second;
        bound_.erase(found);
        mr->window_closed(*this);
    }
}

void Mw::forget_dead_keys() {
    for (const auto& [key, mr] : std::vector(bound_)) {
        if (pd_.driver().device().state_of(key) == WindowKey::over) {
            unbind(key);
        }
    }
}

// Later commands for a region reach the NIC behind the end of the window, so it is not busy any more (R116).
void Mw::begin_close() {
    command_for(*this, pd_.driver(), DestroyKey{key_});
    for (const auto& [key, mr] : std::exchange(bound_, {})) {
        mr->window_closed(*this);
    }
}

}  // namespace ndsim::core
