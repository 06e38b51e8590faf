// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ndapi/core/mr.hpp"

namespace ndsim::core {

// FastMr: a region that FastRegister requests lay over pages, and invalidations free again. Its key stays the same
// [K127].
class FastMr final : public Object {
public:
    explicit FastMr(Pd& pd);

    // For registrations of up to `pages`, with or without rights for peers. May be called again.
    void initialize(std::uint32_t pages, bool remote_access, std::function<void(NTSTATUS)> done);

    [[nodiscard]] const Pd& pd() const { return pd_; }
    [[nodiscard]] MrKey key() const { return key_; }
    [[nodiscard]] std::uint32_t pages() const { return pages_; }  // 0 until it is initialised
    [[nodiscard]] bool remote_access() const { return remote_access_; }

private:
    void begin_close() override;
    [[nodiscard]] std::vector<Object*> antecedents() override { return {&pd_}; }

    Pd& pd_;
    const MrKey key_;
    std::uint32_t pages_ = 0;
    bool remote_access_ = false;
    bool told_ = false;  // the NIC knows the key
};

}  // namespace ndsim::core
