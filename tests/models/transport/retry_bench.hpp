// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/models/transport/queue_bench.hpp"

namespace ndsim::test {

// Timeout code 4: 4.096 us x 16.
inline constexpr Picoseconds kTimeout = std::chrono::nanoseconds{65'536};

inline TransportParams fast_timeout(std::uint32_t retries = 7) {
    TransportParams params;
    params.timeout_code = 4;
    params.retry_count = retries;
    return params;
}

// Payload is there at once, so that a packet leaves when it is issued.
struct RetryBench : QueueBench {
    explicit RetryBench(const TransportParams& params = fast_timeout(),
                        const QpConnection& connection = plain_connection())
        : QueueBench(params, connection) {
        dma.latency = Picoseconds{};
    }
};

}  // namespace ndsim::test
