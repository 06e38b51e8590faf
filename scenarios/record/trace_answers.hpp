// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "models/proto/packet.hpp"
#include "sim/files/trace_stream.hpp"

namespace ndsim {

// TraceAnswers: request packets that have come to a queue pair, and which of them an answer of this queue pair answers:
// the arrow of the answer begins there.
class TraceAnswers {
public:
    // A request packet has come to a host.
    void came(std::size_t host, const Packet& packet, const TracePoint& here);
    // What a packet of the host, made at `made`, answers: the first response to a Read the last request that has asked
    // for it, with the same PSN; an acknowledgement the last packet that it covers; a NAK of a missing packet the one
    // that revealed the gap. Nothing for any other packet.
    [[nodiscard]] std::optional<TracePoint> take(std::size_t host, const Packet& packet, Picoseconds made);
    // When the earliest of those came that may still be answered.
    [[nodiscard]] Picoseconds earliest() const;

private:
    // The most of a queue pair that are remembered.
    static constexpr std::size_t kMost = 64;

    // A packet that may still be answered.
    struct Waiting {
        Psn psn;
        bool is_read = false;
        TracePoint point;
    };
    using Queue = std::vector<Waiting>;

    [[nodiscard]] static std::uint64_t key(std::size_t host, QpNum qp) {
        return (std::uint64_t{host} << 32U) | raw(qp);
    }
    [[nodiscard]] static std::optional<TracePoint> asked(Queue& queue, Psn psn, Picoseconds made);
    [[nodiscard]] static std::optional<TracePoint> covered(Queue& queue, Psn psn, Picoseconds made);

    std::unordered_map<std::uint64_t, Queue> queues_;  // in the order of their coming
};

}  // namespace ndsim
