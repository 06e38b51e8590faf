// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "models/host/host_memory.hpp"
#include "models/proto/wqe.hpp"
#include "ndapi/core/posting.hpp"

namespace ndsim::core {

// WqeEntry: a WQE while software builds it. Its header is written last, when the request has its numbers.
class WqeEntry {
public:
    explicit WqeEntry(WqeOpcode opcode) { header.opcode = opcode; }

    void put_options(const RequestOptions& options);
    void put_inline(std::span<const LocalPiece> pieces);
    void put_sges(const Driver& driver, std::span<const LocalPiece> pieces);
    void put_remote(const RemoteRange& remote) { write_wqe_remote(bytes_.data(), remote); }
    void put_operation(const KeyOperation& operation);
    // Writes the WQE to a ring, from unit `at` on; it may wrap at the ring's end, between two units.
    void store(HostMemory& memory, const HostMemory::Region& ring, std::uint32_t ring_units, std::uint32_t at);

    WqeHeader header;

private:
    // The largest WQE: header, remote range, and 63 SGEs or 1000 bytes inline.
    static constexpr std::size_t kLargest = 1040;

    [[nodiscard]] std::byte* body() { return bytes_.data() + header.body_at(); }

    std::array<std::byte, kLargest + kWqeUnit> bytes_;  // NOLINT: every byte that counts is written
};

}  // namespace ndsim::core
