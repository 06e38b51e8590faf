// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <systemc>
#include <vector>

#include "models/proto/wc_status.hpp"
#include "models/proto/wqe.hpp"
#include "sim/base/ids.hpp"

namespace ndsim {

// Rights of a key, and those that an access needs.
enum Access : std::uint8_t {
    kLocalRead = 0,  // always granted
    kLocalWrite = 1U << 0U,
    kRemoteRead = 1U << 1U,
    kRemoteWrite = 1U << 2U,
};
inline constexpr std::uint8_t kRemoteAccess = kRemoteRead | kRemoteWrite;

// The upper 24 bits of a key identify the object; the lower 8 distinguish the keys that the object has one after the
// other.
[[nodiscard]] constexpr std::uint32_t key_index(MrKey key) {
    return raw(key) >> 8U;
}
[[nodiscard]] constexpr MrKey next_key(MrKey key) {
    return MrKey{(raw(key) & ~0xFFU) | ((raw(key) + 1) & 0xFFU)};
}
// Local accesses with this key name logical addresses of the whole host memory. It never grants access to a peer.
inline constexpr MrKey kPrivilegedKey{0x100};

// A registered region and its key.
struct MemoryRegion {
    MrKey key{};
    PdNum pd{};
    Address base{};
    std::uint64_t length = 0;
    std::uint8_t access = kLocalRead;
    Address remote_base{};  // address of its first byte for peers
};

// A key without memory: a FastRegister or a Bind gives it some.
struct FreeKey {
    enum class Kind : std::uint8_t { fast_register, window };
    Kind kind{};
    MrKey key{};
    PdNum pd{};
};

// The life of one of a window's keys, which begins with its Bind.
enum class WindowKey : std::uint8_t { to_come, bound, over };

// An access to be checked. If it needs a remote right, it is a peer's, and `address` is the peer's name for the place.
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
    // Whether the key is valid, belongs to the protection domain, covers the range and grants the access. If so,
    // appends its place in host memory to `ranges` unless that is nullptr. A length of 0 is not checked.
    [[nodiscard]] virtual bool allows(const KeyUse& use, std::vector<HostRange>* ranges = nullptr) const = 0;
    // The number of changes of keys so far: without one, what was allowed still is.
    [[nodiscard]] virtual std::uint64_t changes() const = 0;
};

// What invalidates a key besides an Invalidate request.
enum class InvalidatedBy : std::uint8_t { peer, read };

// Changes of keys by requests and messages, at the time of the call.
class KeyPort : public virtual sc_core::sc_interface {
public:
    // Carries out a Bind, FastRegister or Invalidate of a queue pair; success, or the status of its completion.
    virtual WcStatus carry_out(const KeyOperation& operation, PdNum pd, QpNum qp) = 0;
    // A message of the peer, or a finished Read, invalidates `key`; false if that key cannot be invalidated this way.
    virtual bool invalidate(MrKey key, PdNum pd, QpNum qp, InvalidatedBy by) = 0;
};

// Changes of keys by commands.
class ProtectionAdmin : public virtual sc_core::sc_interface {
public:
    virtual void add(const MemoryRegion& region) = 0;
    virtual void add(const FreeKey& key) = 0;
    virtual void remove(MrKey key) = 0;
};

}  // namespace ndsim
