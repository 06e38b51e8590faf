// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <systemc>

#include "sim/base/ids.hpp"

namespace ndsim {

enum Access : std::uint8_t {
    kLocalRead = 0,  // always granted
    kLocalWrite = 1U << 0U,
    kRemoteRead = 1U << 1U,
    kRemoteWrite = 1U << 2U,
};

struct MemoryRegion {
    MrKey key{};
    PdNum pd{};
    Address base{};
    std::uint64_t length = 0;
    std::uint8_t access = kLocalRead;
    Address remote_base{};  // what peers call its first byte
};

// The protection table.
class ProtectionPort : public virtual sc_core::sc_interface {
public:
    // Whether `key` is valid, belongs to `pd`, covers the range and grants `access`. A length of 0 is not checked.
    [[nodiscard]] virtual bool allows(MrKey key, PdNum pd, Address address, std::uint64_t length,
                                      std::uint8_t access) const = 0;
    // Where in host memory a peer's [remote, remote + length) is, if it may be accessed so.
    [[nodiscard]] virtual std::optional<Address> translate(MrKey key, PdNum pd, Address remote, std::uint64_t length,
                                                           std::uint8_t access) const = 0;
};
class ProtectionAdmin : public virtual sc_core::sc_interface {
public:
    virtual void add(const MemoryRegion& region) = 0;
    virtual void remove(MrKey key) = 0;
};

}  // namespace ndsim
