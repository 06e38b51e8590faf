// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "models/ports/lane.hpp"

namespace ndsim::test {

// The far end of a lane.
struct FarEnd final : PacketSink {
    void arrive(const Packet& packet, Interval at) override { seen.push_back({packet, at}); }
    struct Seen {
        Packet packet;
        Interval at;
    };
    [[nodiscard]] std::vector<std::uint32_t> psns() const {
        std::vector<std::uint32_t> result;
        for (const Seen& each : seen) {
            result.push_back(each.packet.psn.value());
        }
        return result;
    }
    std::vector<Seen> seen;
};

}  // namespace ndsim::test
