// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>
#include <vector>

#include "ndapi/core/mr.hpp"

namespace ndsim::core {

// Mw: a memory window. Each Bind gives it a new key [K129], and ties it to a region until it is known that the Bind has
// failed or that its key is dead: the region is neither deregistered nor closed before [K200, X45].
class Mw final : public Object {
public:
    explicit Mw(Pd& pd);

    void create(std::function<void(NTSTATUS)> done);
    // A Bind is posted; the key that it is for.
    [[nodiscard]] MrKey bind(Mr& mr);
    // That Bind has failed, or its key has been invalidated.
    void unbind(MrKey key);

    // An Invalidate of its key is posted: from its place in the queue on it can be bound again.
    void invalidation_posted() { open_ = false; }
    // Whether what has been posted, and what is known of the NIC, leaves it bound.
    [[nodiscard]] bool is_bound() const;

    [[nodiscard]] const Pd& pd() const { return pd_; }
    // Of the Bind that was posted last.
    [[nodiscard]] MrKey key() const { return key_; }

private:
    void begin_close() override;
    void end_close() override;
    [[nodiscard]] std::vector<Object*> antecedents() override { return {&pd_}; }

    Pd& pd_;
    MrKey key_;
    bool open_ = false;  // bound by the last post about it
    std::vector<std::pair<MrKey, Mr*>> bound_;
};

}  // namespace ndsim::core
