// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <numeric>
#include <span>

#include "ndapi/core/fast_mr.hpp"
#include "ndapi/core/mr.hpp"
#include "ndapi/core/mw.hpp"

namespace ndsim::core {

// What requests to a queue pair consist of.

// A piece of memory in a request: the program's own, or with the key of a FastMr or the privileged one what these call
// it.
struct LocalPiece {
    std::byte* data = nullptr;
    std::uint64_t length = 0;
    MrKey key{};
};

// One request moves at most this much (RoCE allows 2^31).
inline constexpr std::uint64_t kMaxTransfer = 1ULL << 30U;
// Of all pieces; beyond the most that a request moves it is only known to be more.
[[nodiscard]] inline std::uint64_t total_length(std::span<const LocalPiece> pieces) {
    return std::accumulate(
        pieces.begin(), pieces.end(), std::uint64_t{0},
        [](std::uint64_t sum, const LocalPiece& piece) { return sum + std::min(piece.length, kMaxTransfer + 1); });
}
// The driver knows where regions of the program's memory are. Other keys have addresses of their own, and what nobody
// knows is the NIC's to refuse.
[[nodiscard]] inline Sge sge_of(const Driver& driver, const LocalPiece& piece) {
    const Mr* const mr = driver.find(piece.key);
    const Address address =
        mr != nullptr ? mr->address_of(piece.data) : Address{reinterpret_cast<std::uintptr_t>(piece.data)};
    return {address, static_cast<std::uint32_t>(piece.length), piece.key};  // at most kMaxTransfer
}

// How a request of the initiator queue is to be done.
struct RequestOptions {
    bool silent = false;
    bool read_fence = false;
    bool solicit = false;
    bool inlined = false;
    bool defer = false;
};

// Whether the NIC is told of a receive when it is posted, or later, with others of a list.
enum class Tells : std::uint8_t { at_once, with_list };

// A Bind: a window onto a part of a region, with rights (of Access) for peers.
enum class RangeCheck : std::uint8_t { at_post, by_nic };
struct Binding {
    Mr& mr;
    Mw& mw;
    std::byte* data = nullptr;
    std::uint64_t length = 0;
    std::uint8_t access = 0;
    RangeCheck check = RangeCheck::at_post;  // who refuses what is not in the region
};

// A FastRegister: `length` bytes of these pages, from a byte of the first on, which is to be called `base`.
struct FastRegistration {
    FastMr& mr;
    std::span<const Address> pages;
    std::uint32_t first_byte = 0;
    std::uint64_t length = 0;
    Address base{};
    std::uint8_t access = 0;
};

}  // namespace ndsim::core
