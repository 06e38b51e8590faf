// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/wire/cable.hpp"
#include "models/wire/egress.hpp"
#include "models/wire/ingress.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/far_end.hpp"
#include "tests/support/nic_doubles.hpp"

namespace ndsim::test {

struct Acks final : AckSource {
    std::optional<Packet> make_ack(QpNum qp) override {
        Packet packet;
        packet.opcode = Opcode::acknowledge;
        packet.source = qp;
        return packet;
    }
    void response_sent(const Packet& packet) override { responses.push_back(packet.psn.value()); }
    std::vector<std::uint32_t> responses;
};

struct Requests final : RequestSentPort {
    void request_sent(const Packet& packet, Picoseconds at) override { sent.emplace_back(packet.psn.value(), at); }
    std::vector<std::pair<std::uint32_t, Picoseconds>> sent;
};

inline Packet request(std::uint32_t payload, std::uint32_t psn = 0, QpNum qp = kQp) {
    Packet packet;
    packet.opcode = Opcode::send_only;
    packet.psn = Psn{psn};
    packet.source = qp;
    packet.payload_bytes = payload;
    return packet;
}

// 100 Gbps (80 ps a byte), 10 m of cable, no MACs: 50 ns of flight.
inline LinkParams plain_link() {
    LinkParams params;
    params.length = Length{10'000};
    params.mac_tx = {};
    params.mac_rx = {};
    return params;
}

inline constexpr HostId kPortHost{7};

// Of preset B, with a grain that is less than a packet.
inline PortParams small_grain() {
    PortParams params;
    params.forward_grain = 512_B;
    return params;
}

// A transmitter with a lane of 100 Gbps to a far end.
struct EgressBench : Bench {
    explicit EgressBench(const PortParams& params = small_grain())
        : cable("cable", timeline, plain_link(), params.forward_grain),
          egress("tx", timeline, params, kPortHost, ledgers) {
        cable.out.bind(far);
        egress.lane.bind(cable);
        egress.acks.bind(acks);
        egress.sent.bind(requests);
        egress.waiters.bind(work);
    }
    // Whether there was room for it.
    bool reserve(Bytes room) {
        const bool fits = egress.has_room(room);
        if (fits) {
            egress.reserve(room);
        }
        return fits;
    }
    void send(const Packet& packet, Interval ready) {
        REQUIRE(reserve(wire_bytes(packet)));
        egress.send(packet, ready);
    }
    // What has been sent: PSNs of requests, negative QP numbers of acknowledgements.
    [[nodiscard]] std::vector<std::int64_t> order() const {
        std::vector<std::int64_t> result;
        for (const auto& seen : far.seen) {
            const bool ack = seen.packet.opcode == Opcode::acknowledge;
            result.push_back(ack ? -std::int64_t{raw(seen.packet.source)} : std::int64_t{seen.packet.psn.value()});
        }
        return result;
    }

    FarEnd far;
    Acks acks;
    Requests requests;
    Work work{timeline};
    Cable cable;
    Egress egress;
};

}  // namespace ndsim::test
