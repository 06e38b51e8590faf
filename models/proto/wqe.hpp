// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/base/ids.hpp"

namespace ndsim {

// Layout of work-queue entries in host memory: docs/hw-interface.md. All numbers are little endian.
inline constexpr std::uint32_t kWqeUnit = 64;  // unit of rings, doorbells and fetches
inline constexpr std::uint32_t kWqeHeader = 16;
inline constexpr std::uint32_t kWqeSge = 16;
inline constexpr std::uint32_t kWqeRemote = 16;
inline constexpr std::uint32_t kWqeKey = 32;
inline constexpr std::uint32_t kWqePage = 8;
// The most pages of one FastRegister: they are in its entry, and every send queue has room for this many.
inline constexpr std::uint32_t kFastRegisterPages = 16;

// The kind of a work request.
enum class WqeOpcode : std::uint8_t {
    none = 0,
    send = 1,
    receive = 2,
    write = 3,
    read = 4,
    send_and_invalidate = 5,
    bind = 6,
    fast_register = 7,
    invalidate = 8,
};

// Options of a work request.
enum WqeFlags : std::uint8_t {
    kWqeSignaled = 1U << 0U,   // success writes a CQE
    kWqeReadFence = 1U << 1U,  // wait for earlier Reads
    kWqeSolicited = 1U << 2U,  // the peer's completion is solicited
    kWqeInline = 1U << 3U,     // data in the entry instead of SGEs
};

// A scatter/gather entry.
struct Sge {
    Address address{};
    std::uint32_t length = 0;
    MrKey key{};
};

// The 16-byte header of an entry. `count` is the number of SGEs, of inline bytes with kWqeInline, or of the pages of a
// FastRegister.
struct WqeHeader {
    WqeOpcode opcode = WqeOpcode::none;
    std::uint8_t flags = 0;
    std::uint16_t count = 0;
    std::uint32_t index = 0;    // running number of the entry in its queue, comes back in the CQE
    std::uint32_t request = 0;  // request number for traces
    std::uint32_t token = 0;    // key to invalidate, at the peer or here; key that becomes valid

    [[nodiscard]] bool has(WqeFlags flag) const { return (flags & flag) != 0; }
    // Whether the entry names memory of the peer.
    [[nodiscard]] bool is_remote() const { return opcode == WqeOpcode::write || opcode == WqeOpcode::read; }
    // Whether the entry changes a key of this NIC, and sends nothing.
    [[nodiscard]] bool is_local() const {
        return opcode == WqeOpcode::bind || opcode == WqeOpcode::fast_register || opcode == WqeOpcode::invalidate;
    }
    // Offset of the SGEs, inline data or pages.
    [[nodiscard]] std::uint32_t body_at() const {
        return kWqeHeader + (is_remote() ? kWqeRemote : 0) + (is_local() ? kWqeKey : 0);
    }
    // Units of kWqeUnit bytes that the whole entry takes.
    [[nodiscard]] std::uint32_t units() const {
        const std::uint32_t item = is_local() ? kWqePage : kWqeSge;
        const std::uint32_t body = has(kWqeInline) ? count : count * item;
        return (body_at() + body + kWqeUnit - 1) / kWqeUnit;
    }
};

// Memory of the peer, in the peer's addresses.
struct RemoteRange {
    Address address{};
    MrKey key{};
};

// The change of a key by a Bind, FastRegister or Invalidate. Keys with the same upper 24 bits are the same object: a
// Bind gives its window a new key.
struct KeyOperation {
    WqeOpcode opcode = WqeOpcode::none;
    MrKey key{};        // becomes valid, or becomes invalid
    Address address{};  // of a Bind: in the region, as SGEs name it; of a FastRegister: the name of its first byte
    std::uint64_t length = 0;      // bytes
    MrKey parent{};                // of a Bind: the region
    std::uint32_t first_byte = 0;  // of a FastRegister: offset in the first page
    std::uint8_t access = 0;       // rights that the key gets, of Access
    std::vector<Address> pages;    // of a FastRegister, 4 KiB each
};

// Units of the largest entry of an opcode with up to `items` SGEs or pages, or `inline_bytes` of data.
[[nodiscard]] std::uint32_t wqe_units(WqeOpcode opcode, std::uint32_t items, std::uint32_t inline_bytes);

void write_wqe_header(std::byte* entry, const WqeHeader& header);
void write_wqe_remote(std::byte* entry, const RemoteRange& remote);
// Writes all but opcode and key, which are in the header, and the number of pages, which is its count.
void write_wqe_key_operation(std::byte* entry, const KeyOperation& operation);
// The SGEs begin at `body`: the header's body_at().
void write_wqe_sge(std::byte* body, std::uint32_t index, const Sge& sge);
[[nodiscard]] WqeHeader read_wqe_header(const std::byte* entry);
[[nodiscard]] RemoteRange read_wqe_remote(const std::byte* entry);
[[nodiscard]] Sge read_wqe_sge(const std::byte* body, std::uint32_t index);

// An entry as the NIC holds it after the fetch.
struct Wqe {
    WqeHeader header;
    RemoteRange remote;
    KeyOperation operation;  // if the header is_local()
    std::vector<Sge> sges;
    std::vector<std::byte> inline_data;

    [[nodiscard]] std::uint32_t length() const;
};

// Reads an entry that is complete in `bytes` (at least header.units() units). Keeps the vectors' storage.
void decode_wqe(std::span<const std::byte> bytes, Wqe& wqe);

}  // namespace ndsim
