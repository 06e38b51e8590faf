// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

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
};

}  // namespace ndsim::test
