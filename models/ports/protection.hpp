// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <systemc>
#include <vector>

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

// What an access says of itself. With a remote right it is a peer's, and `address` is what peers call it.
struct KeyUse {
    MrKey key{};
    PdNum pd{};
    QpNum qp{};
    Address address{};
    std::uint64_t length = 0;
    std::uint8_t access = kLocalRead;
};

// One contiguous part of host memory.
struct HostRange {
    Address at{};
    std::uint32_t length = 0;
};

// The protection table.
class ProtectionPort : public virtual sc_core::sc_interface {
public:
    // Whether the key is valid, belongs to the protection domain, covers the range and grants the access; then where
    // in host memory that is, appended to `ranges` unless it is nullptr. A length of 0 is not checked.
    [[nodiscard]] virtual bool allows(const KeyUse& use, std::vector<HostRange>* ranges = nullptr) const = 0;
};
class ProtectionAdmin : public virtual sc_core::sc_interface {
public:
    virtual void add(const MemoryRegion& region) = 0;
    virtual void remove(MrKey key) = 0;
};

}  // namespace ndsim
