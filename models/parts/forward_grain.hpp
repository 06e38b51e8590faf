// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "models/parts/pcie_params.hpp"
#include "models/proto/packet.hpp"
#include "sim/base/exact_rate.hpp"

namespace ndsim {

// Bytes of the message that follow the packet in the same piece. A stage hands payload on in pieces of `grain` bytes of
// the message, whatever the packets; 0: packet by packet.
[[nodiscard]] constexpr std::uint32_t grain_rest(Bytes grain, const Packet& packet) {
    if (grain.count == 0 || packet.behind == 0) {
        return 0;
    }
    const std::uint64_t into = packet.reached % grain.count;
    return into == 0 ? 0 : static_cast<std::uint32_t>(std::min<std::uint64_t>(packet.behind, grain.count - into));
}

// ForwardGrain: how long a packet with payload from PCIe reads waits for the rest of its piece, which is assumed to
// follow without a gap: as completions of at most MPS, of requests of at most MRRS, packet by packet.
struct ForwardGrain {
    Bytes size;
    ExactRate rate;                  // of TLPs
    std::uint32_t most_payload = 1;  // of a completion
    std::uint32_t header_bytes = 0;  // of each

    [[nodiscard]] static constexpr ForwardGrain of_reads(Bytes size, const PcieParams& pcie) {
        return {size, pcie.tlp_rate(), static_cast<std::uint32_t>(std::min(pcie.mps, pcie.mrrs).count),
                static_cast<std::uint32_t>(pcie.completion_header.count)};
    }

    [[nodiscard]] constexpr Picoseconds rest(const Packet& packet) const {
        const std::uint32_t bytes = grain_rest(size, packet);
        if (bytes == 0) {
            return {};
        }
        const std::uint32_t each = packet.payload_bytes;  // of those that follow, the last one excepted
        const std::uint64_t completions =
            bytes / each * ceil_div(each, most_payload) + ceil_div(bytes % each, most_payload);
        return rate.time(bytes + completions * header_bytes);
    }
};

}  // namespace ndsim
