// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/models/transport/queue_bench.hpp"

namespace ndsim::test {

// Payload is there at once; MTU 1024. The data of a response is visible 200 ns after its last byte.
struct ReadBench : QueueBench {
    explicit ReadBench(const TransportParams& params = no_timeout(),
                       const QpConnection& connection = plain_connection())
        : QueueBench(params, connection) {
        dma.latency = Picoseconds{};
        std::fill(memory.data.begin(), memory.data.end(), std::byte{0});
    }
    [[nodiscard]] const Packet& packet(std::size_t n) const { return egress.sent.at(n).packet; }
    // What is missing of two Reads, of 2048 and 1024 bytes, and of one of 2048 bytes on the other queue pair.
    void respond_to_the_rest() {
        respond(Opcode::read_response_last, 101, 1024);
        respond(Opcode::read_response_only, 102, 1024);
        respond(Opcode::read_response_first, 100, 1024, 0, kQp2);
        respond(Opcode::read_response_last, 101, 1024, 0, kQp2);
    }
};

}  // namespace ndsim::test
