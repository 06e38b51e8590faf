// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/base/ids.hpp"

namespace ndsim {

// Layout of work-queue entries in host memory: docs/hw-interface.md. All numbers are little endian.
inline constexpr std::uint32_t kWqeUnit = 64;  // rings, doorbells and fetches count in these
inline constexpr std::uint32_t kWqeHeader = 16;
inline constexpr std::uint32_t kWqeSge = 16;

enum class WqeOpcode : std::uint8_t { none = 0, send = 1, receive = 2 };

enum WqeFlags : std::uint8_t {
    kWqeSignaled = 1U << 0U,   // success writes a CQE
    kWqeReadFence = 1U << 1U,  // wait for earlier Reads
    kWqeSolicited = 1U << 2U,  // the peer's completion is solicited
    kWqeInline = 1U << 3U,     // data stands in the entry instead of SGEs
};

// A scatter/gather entry.
struct Sge {
    Address address{};
    std::uint32_t length = 0;
    MrKey key{};
};

// The 16-byte header of an entry. `count` is the number of SGEs or, with kWqeInline, of inline bytes.
struct WqeHeader {
    WqeOpcode opcode = WqeOpcode::none;
    std::uint8_t flags = 0;
    std::uint16_t count = 0;
    std::uint32_t index = 0;    // running number of the entry in its queue, comes back in the CQE
    std::uint32_t request = 0;  // request number for traces
    std::uint32_t token = 0;    // key to invalidate at the peer

    [[nodiscard]] bool has(WqeFlags flag) const { return (flags & flag) != 0; }
    // Units of kWqeUnit bytes that the whole entry takes.
    [[nodiscard]] std::uint32_t units() const {
        const std::uint32_t body = has(kWqeInline) ? count : count * kWqeSge;
        return (kWqeHeader + body + kWqeUnit - 1) / kWqeUnit;
    }
};

// Units of the largest entry with up to `sges` SGEs or `inline_bytes` of data.
[[nodiscard]] std::uint32_t wqe_units(std::uint32_t sges, std::uint32_t inline_bytes);

void write_wqe_header(std::byte* entry, const WqeHeader& header);
void write_wqe_sge(std::byte* entry, std::uint32_t index, const Sge& sge);
[[nodiscard]] WqeHeader read_wqe_header(const std::byte* entry);
[[nodiscard]] Sge read_wqe_sge(const std::byte* entry, std::uint32_t index);

// An entry as the NIC holds it once it is fetched.
struct Wqe {
    WqeHeader header;
    std::vector<Sge> sges;
    std::vector<std::byte> inline_data;

    [[nodiscard]] std::uint32_t length() const;
};

// Reads an entry that is complete in `bytes` (at least header.units() units). Keeps the vectors' storage.
void decode_wqe(std::span<const std::byte> bytes, Wqe& wqe);

}  // namespace ndsim
