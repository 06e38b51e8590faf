// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>
#include <vector>

#include "ndapi/core/mr.hpp"

namespace ndsim::core {

// Mw: a memory window. Each Bind gives it a new key [K129] and ties it to a region until the Bind is known to have
// failed or its key to be over. Until then the region cannot be deregistered or closed [K200, X45].
class Mw final : public Object {
public:
    explicit Mw(Pd& pd);

    void create(std::function<void(NTSTATUS)> done);
    // A Bind is posted; returns its key.
    [[nodiscard]] MrKey bind(Mr& mr);
    // The Bind has failed, or its key has been invalidated.
    void unbind(MrKey key);
    // The same for all keys that are over in the NIC.
    void forget_dead_keys();

    // An Invalidate of its key is posted: behind it in the queue the window can be bound again.
    void invalidation_posted() { open_ = false; }
    // The window stays bound, unless its key has died in another way.
    void invalidation_failed() { open_ = true; }
    // Whether it is bound after all posts, as far as the NIC has told.
    [[nodiscard]] bool is_bound() const { return open_ && !bound_.empty(); }

    [[nodiscard]] const Pd& pd() const { return pd_; }
    // The key of the last posted Bind.
    [[nodiscard]] MrKey key() const { return key_; }

private:
    void begin_close() override;
    void end_close() override { pd_.driver().registry().remove(*this); }
    [[nodiscard]] std::vector<Object*> antecedents() override { return {&pd_}; }

    Pd& pd_;
    MrKey key_;
    bool open_ = false;  // bound by its last post that has not failed
    std::vector<std::pair<MrKey, Mr*>> bound_;
};

}  // namespace ndsim::core
