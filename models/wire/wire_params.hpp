// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/proto/framing.hpp"
#include "sim/base/units.hpp"
#include "sim/config/field.hpp"

namespace ndsim {

// A link between two ports; both directions are alike. Defaults are preset B's.
struct LinkParams {
    Bandwidth rate{100'000'000'000};
    Framing framing = Framing::ethernet;
    Length length{2'000};
    Picoseconds delay_per_metre = std::chrono::nanoseconds{5};
    Picoseconds mac_tx = std::chrono::nanoseconds{30};
    Picoseconds mac_rx = std::chrono::nanoseconds{62};
    Picoseconds fec{};
    std::uint32_t switch_hops = 0;
    Picoseconds switch_hop = std::chrono::nanoseconds{425};

    template <class Field>
    void fields(Field&& field) {
        using std::chrono::microseconds;
        const auto delay = between(Picoseconds{0}, microseconds{100});
        const auto by_packets = counted_by("*.packets", "nothing was sent");
        field("rate", rate, between(Bandwidth{10'000'000}, Bandwidth{3'200'000'000'000}), "rate of one direction",
              Mark::documented, by_packets);
        field("framing", framing, kFramingNames, "what surrounds each packet: RoCEv2 on Ethernet, or InfiniBand",
              Mark::documented, by_packets);
        field("length", length, between(Length{0}, Length{100'000'000}), "length of the cable", Mark::estimate,
              used_if("link.delay_per_metre", "a metre takes no time"), by_packets);
        field("delay_per_metre", delay_per_metre, delay, "flight time in the cable", Mark::seen,
              used_if("link.length", "it has no length"), by_packets);
        field("mac_tx", mac_tx, delay, "MAC and PCS of the sender", Mark::seen, by_packets);
        field("mac_rx", mac_rx, delay, "MAC and PCS of the receiver", Mark::seen, by_packets);
        field("fec", fec, delay, "forward error correction, encoding and decoding", Mark::estimate, by_packets);
        field("switch_hops", switch_hops, between(0U, 64U), "idle switches on the way", Mark::documented,
              used_if("link.switch_hop", "a switch takes no time"), by_packets);
        field("switch_hop", switch_hop, delay, "time through a switch", Mark::memory,
              used_if("link.switch_hops", "there was no switch"), by_packets);
    }

    // From the lane of the sender to behind the receiver's MAC, for any bit.
    [[nodiscard]] Picoseconds flight() const {
        const auto cable = delay_per_metre.count() * static_cast<std::int64_t>(length.millimetres) / 1000;
        return mac_tx + Picoseconds{cable} + fec + switch_hops * switch_hop + mac_rx;
    }
};

// The NIC's port. Defaults are preset B's.
struct PortParams {
    Bytes tx_fifo = 64_KiB;
    Bytes rx_buffer = 256_KiB;
    bool pause = true;
    Picoseconds tx_pipe = std::chrono::nanoseconds{35};
    Picoseconds rx_pipe = std::chrono::nanoseconds{120};
    Bytes forward_grain = 4_KiB;

    template <class Field>
    void fields(Field&& field) {
        using std::chrono::microseconds;
        const auto delay = between(Picoseconds{0}, microseconds{100});
        field("tx_fifo", tx_fifo, between(8_KiB, 64_MiB), "packets on their way to the lane, including reserved room",
              Mark::estimate);
        field("rx_buffer", rx_buffer, between(16_KiB, 64_MiB), "received packets until their payload is on PCIe",
              Mark::estimate, bound_counted_by("nic.rx.pauses+nic.rx.overflows", "it was never full"));
        field("pause", pause, "pause frames stop the peer before the RX buffer overflows; if not, packets are dropped",
              Mark::estimate, bound_counted_by("nic.rx.pauses", "the RX buffer was never full", "false"));
        field("tx_pipe", tx_pipe, delay, "from the payload in the NIC to the packet at the MAC", Mark::estimate,
              counted_by("nic.tx.packets", "it sent no packet"));
        field("rx_pipe", rx_pipe, delay, "from the MAC through checks, context and translation", Mark::estimate,
              counted_by("nic.rx.packets", "no packet came in"));
        field("forward_grain", forward_grain, between(64_B, 4096_B),
              "bytes of a message that must be there before the next stage starts", Mark::estimate,
              counted_by("nic.tx.packets+nic.rx.packets", "no packet came or went"));
    }
};

}  // namespace ndsim
