// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/models/transport/responder_bench.hpp"

namespace ndsim::test {

// A responder whose memory holds a pattern; MTU 1024, at most 4 Reads of the peer, scheduled in no time. Payload is
// there at once. Responses leave when the test says so.
struct PeerReadBench : ResponderBench {
    explicit PeerReadBench(Picoseconds schedule = {}) : PeerReadBench(unpaced_reads(schedule)) {}
    explicit PeerReadBench(const TransportParams& params) : ResponderBench({}, params) {
        dma.latency = Picoseconds{0};
        memory.data = pattern(memory.data.size());
    }
    void read(std::uint32_t psn, std::uint64_t offset, std::uint32_t length, MrKey key = MrKey{1}) {
        Packet packet;
        packet.remote = Memory::kBase + offset;
        packet.dma_length = length;
        packet.key = key;
        packet.opcode = Opcode::read_request;
        packet.psn = Psn{psn};
        packet.destination = kQp;
        packet.request = {HostId{1}, 1};
        responder.receive(packet, {now(), now()});
    }
    // The next n responses are on the lane.
    void leave(std::size_t n) {
        for (; n > 0; --n, ++gone) {
            const Packet packet = egress.sent.at(gone).packet;
            responder.acks->response_sent(packet);
            payloads.give(packet.payload);
        }
    }
    [[nodiscard]] std::vector<std::uint32_t> psns() const {
        std::vector<std::uint32_t> result;
        for (const auto& sent : egress.sent) {
            result.push_back(sent.packet.psn.value());
        }
        return result;
    }
    [[nodiscard]] std::vector<std::byte> payload(std::size_t n) {
        const Packet& packet = egress.sent.at(n).packet;
        const std::byte* const data = payloads.data(packet.payload);
        return {data, data + packet.payload_bytes};
    }
    std::size_t gone = 0;
};

}  // namespace ndsim::test
