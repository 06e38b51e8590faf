// SPDX-License-Identifier: Apache-2.0
#include "models/parts/forward_grain.hpp"

#include "tests/support/catch.hpp"
#include "tests/support/picoseconds.hpp"

namespace ndsim::test::forward_grain_test {

// The first packet of a message of 4 KiB.
Picoseconds rest_of_first(std::uint32_t mtu, Bytes mps, Bytes mrrs, std::uint32_t message = 4096) {
    PcieParams pcie;
    pcie.mps = mps;
    pcie.mrrs = mrrs;
    Packet packet;
    packet.payload_bytes = mtu;
    packet.reached = mtu;
    packet.behind = message - mtu;
    const ForwardGrain grain = ForwardGrain::of_reads(4096_B, pcie);
    return grain.rest(packet);
}

Picoseconds on_pcie(std::uint64_t bytes) {
    return PcieParams{}.tlp_rate().time(bytes);
}

// A header of 20 bytes for each completion.
TEST_CASE("forward grain: the rest of a piece comes in completions of MPS, cut by MRRS and by packets") {
    // 3072 B are 12 x 256.
    CHECK(rest_of_first(1024, 256_B, 512_B) == on_pcie(3072 + 12 * 20));
    // Requests of 128 B: 24 completions, whatever MPS.
    CHECK(rest_of_first(1024, 512_B, 128_B) == on_pcie(3072 + 24 * 20));
    // 15 packets of 256 B each have a request of their own.
    CHECK(rest_of_first(256, 512_B, 512_B) == on_pcie(3840 + 15 * 20));
    // 976 B behind 1024: 512 and 464.
    CHECK(rest_of_first(1024, 512_B, 512_B, 2000) == on_pcie(976 + 2 * 20));
    CHECK(rest_of_first(4096, 256_B, 512_B, 8192) == 0_ps);
}

}  // namespace ndsim::test::forward_grain_test
