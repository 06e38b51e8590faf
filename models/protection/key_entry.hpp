// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "models/ports/protection.hpp"

namespace ndsim {

// KeyEntry: a row of the protection table. A region is valid while it is registered. A fast-register region or a
// window is free until a FastRegister or a Bind makes it valid, and again after its invalidation.
struct KeyEntry {
    static constexpr std::uint64_t kPage = 4096;
    enum class Kind : std::uint8_t { region, fast_register, window };

    Kind kind{};
    bool valid = false;
    MrKey key{};
    PdNum pd{};
    QpNum qp{};  // of a window: the queue pair that it was bound on
    std::uint8_t access = kLocalRead;
    std::uint64_t length = 0;
    Address local_base{};   // SGEs' address of its first byte; a window has none
    Address remote_base{};  // peers' address of it
    MrKey parent{};         // of a window: its region
    Address host_base{};    // place of the first byte, unless there are pages
    std::uint32_t first_byte = 0;
    std::vector<Address> pages;  // of a fast-register region

    // Whether the entry itself allows the access. For a window, its region must also be valid.
    [[nodiscard]] bool allows(const KeyUse& use) const;
    // The place in host memory of an access that is allowed.
    void translate(const KeyUse& use, std::vector<HostRange>& ranges) const;
    // Whether the queue pair may invalidate the key.
    [[nodiscard]] bool may_invalidate(PdNum by_pd, QpNum by_qp) const;
};

}  // namespace ndsim
