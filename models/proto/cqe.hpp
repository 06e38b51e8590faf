// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "models/proto/wc_status.hpp"
#include "models/proto/wqe.hpp"
#include "sim/base/ids.hpp"
#include "sim/base/units.hpp"

namespace ndsim {

inline constexpr std::uint32_t kCqeSize = 64;
inline constexpr std::uint32_t kMostCompressed = 8;  // completions in one entry

// A completion-queue entry. Layout in host memory: docs/hw-interface.md. The ownership bit, in the last byte, flips
// with every turn of the ring; it is written last. A `moved` entry completes nothing: the queue continues in its next
// ring. An `invalidation` only tells the key that a message has invalidated; the receive's entry follows. A compressed
// entry stands for several completions, and for as many places of the ring.
struct Cqe {
    QpNum qp{};
    std::uint32_t wqe_index = 0;
    std::uint32_t bytes = 0;  // of a receive's message
    std::uint32_t token = 0;  // the key that the message invalidated
    WqeOpcode opcode = WqeOpcode::none;
    WcStatus status = WcStatus::success;
    bool solicited = false;
    bool moved = false;
    bool invalidation = false;
    std::uint32_t request = 0;  // request number for traces
    Picoseconds written{};      // the NIC's clock when it made the entry
};

void write_cqe(std::byte* entry, const Cqe& cqe, bool owner);
[[nodiscard]] bool cqe_owner(const std::byte* entry);
[[nodiscard]] bool cqe_moved(const std::byte* entry);
[[nodiscard]] Cqe read_cqe(const std::byte* entry);

// Completions that succeeded and have nothing special. Those of one entry are of one queue of a queue pair.
[[nodiscard]] bool can_be_compressed(const Cqe& cqe);
[[nodiscard]] bool can_share_entry(const Cqe& first, const Cqe& next);
// Adds a completion to the entry of `first`, which loses its fields for traces.
void add_to_cqe(std::byte* entry, const Cqe& next);
// The number of completions in an entry.
[[nodiscard]] std::uint32_t completions_of_cqe(const std::byte* entry);
// The n-th completion of an entry.
[[nodiscard]] Cqe read_compressed_cqe(const std::byte* entry, std::uint32_t n);

// The ownership bit of the n-th entry ever written to a ring of `entries`: 1 in the first turn.
[[nodiscard]] constexpr bool cqe_owner_of(std::uint32_t n, std::uint32_t entries) {
    return (n / entries) % 2 == 0;
}

}  // namespace ndsim
