// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <numeric>
#include <span>

#include "ndapi/core/fast_mr.hpp"
#include "ndapi/core/mr.hpp"
#include "ndapi/core/mw.hpp"

namespace ndsim::core {

// The parts of a request to a queue pair.

// A piece of memory in a request: the program's own memory, or an address under the key of a FastMr or the privileged
// key.
struct LocalPiece {
    std::byte* data = nullptr;
    std::uint64_t length = 0;
    MrKey key{};
};

// The most that one request moves (RoCE allows 2^31).
inline constexpr std::uint64_t kMaxTransfer = 1ULL << 30U;
// Sum over all pieces. A sum above kMaxTransfer is not exact, but stays above it.
[[nodiscard]] inline std::uint64_t total_length(std::span<const LocalPiece> pieces) {
    return std::accumulate(
        pieces.begin(), pieces.end(), std::uint64_t{0},
        [](std::uint64_t sum, const LocalPiece& piece) { return sum + std::min(piece.length, kMaxTransfer + 1); });
}
// The driver knows the place of regions of the program's memory. Other keys have their own addresses, and the NIC
// refuses unknown keys.
[[nodiscard]] inline Sge sge_of(const Driver& driver, const LocalPiece& piece) {
    const Mr* const mr = driver.registry().find(piece.key);
    const Address address =
        mr != nullptr ? mr->address_of(piece.data) : Address{reinterpret_cast<std::uintptr_t>(piece.data)};
    return {address, static_cast<std::uint32_t>(piece.length), piece.key};  // at most kMaxTransfer
}

// Options of an initiator request.
struct RequestOptions {
    bool silent = false;
    bool read_fence = false;
    bool solicit = false;
    bool inlined = false;
    bool defer = false;
};

// Whether the NIC is told of a receive when it is posted, or later, with others of a list.
enum class Tells : std::uint8_t { at_once, with_list };

// When a Bind's range is checked against its region.
enum class RangeCheck : std::uint8_t { at_post, by_nic };
// A Bind: a window onto part of a region, with rights (of Access) for peers.
struct Binding {
    Mr& mr;
    Mw& mw;
    std::byte* data = nullptr;
    std::uint64_t length = 0;
    std::uint8_t access = 0;
    RangeCheck check = RangeCheck::at_post;  // what refuses a range outside the region
};

// A FastRegister: `length` bytes of these pages, from `first_byte` of the first on, addressed from `base` on.
struct FastRegistration {
    FastMr& mr;
    std::span<const Address> pages;
    std::uint32_t first_byte = 0;
    std::uint64_t length = 0;
    Address base{};
    std::uint8_t access = 0;
};

}  // namespace ndsim::core
