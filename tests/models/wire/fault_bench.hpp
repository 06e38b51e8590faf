// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/wire/lane_faults.hpp"
#include "tests/models/wire/wire_bench.hpp"

namespace ndsim::test {

using Psns = std::vector<std::uint32_t>;

inline FaultRule rule(LinkFault fault, std::uint64_t packet = 0, std::uint64_t count = 1) {
    FaultRule result;
    result.fault = fault;
    result.packet = packet;
    result.count = count;
    return result;
}

// Packets pass the fault one after the other. Packet n (its PSN) leaves at n us and arrives 500 ns later, during 20 ns.
struct FaultBench : Bench {
    static constexpr Bandwidth kRate{36'000'000'000};  // 20 ns for a packet of 8 bytes, 90 with what is around them

    explicit FaultBench(std::vector<FaultRule> rules)
        : faults("faults", timeline, kRate, std::move(rules), 1, payloads) {
        faults.out.bind(far);
    }
    void pass(std::uint32_t psn, Opcode opcode = Opcode::send_only, std::uint32_t bytes = 8) {
        Packet packet = request(bytes, psn);
        packet.opcode = opcode;
        if (bytes > 0) {
            packet.payload = payloads.take();
            const auto data = pattern(bytes, psn);
            std::memcpy(payloads.data(packet.payload), data.data(), bytes);
        }
        faults.arrive(packet, {now() + 500ns, now() + 520ns});
    }
    void pass_at_its_time(std::uint32_t first, std::uint32_t last, Opcode opcode = Opcode::send_only) {
        for (std::uint32_t psn = first; psn <= last; ++psn) {
            at(psn * 1us, [this, psn, opcode] { pass(psn, opcode); });
        }
    }
    // In the order in which they reach the receiver.
    [[nodiscard]] Psns arrived() const {
        std::vector<FarEnd::Seen> seen = far.seen;
        std::stable_sort(seen.begin(), seen.end(),
                         [](const auto& a, const auto& b) { return a.at.start < b.at.start; });
        Psns result;
        for (const auto& each : seen) {
            result.push_back(each.packet.psn.value());
        }
        return result;
    }
    [[nodiscard]] Interval arrival(std::uint32_t psn) const {
        for (const auto& each : far.seen) {
            if (each.packet.psn == Psn{psn}) {
                return each.at;
            }
        }
        FAIL("packet " << psn << " did not arrive");
        return {};
    }
    // Each payload that has arrived is whole, and no other is in use.
    void check_payloads() {
        for (const auto& each : far.seen) {
            if (each.packet.payload_bytes > 0) {
                const std::byte* const data = payloads.data(each.packet.payload);
                CHECK(std::vector<std::byte>(data, data + each.packet.payload_bytes) ==
                      pattern(each.packet.payload_bytes, each.packet.psn.value()));
            }
            payloads.give(each.packet.payload);
        }
        CHECK(payloads.in_use() == 0);
    }

    FarEnd far;
    LaneFaults faults;
};

}  // namespace ndsim::test
