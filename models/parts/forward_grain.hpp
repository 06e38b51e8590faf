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
// follow without a gap.
struct ForwardGrain {
    Bytes size;
    ExactRate rate;  // of payload

    [[nodiscard]] constexpr Picoseconds rest(const Packet& packet) const { return rate.time(grain_rest(size, packet)); }
};

// The rate of payload in completions of PCIe reads: TLPs of MPS and their headers.
[[nodiscard]] constexpr ExactRate read_payload_rate(const PcieParams& pcie) {
    const ExactRate tlp = pcie.tlp_rate();
    return ExactRate::of(tlp.num * (pcie.mps.count + pcie.completion_header.count), tlp.den * pcie.mps.count);
}

}  // namespace ndsim
