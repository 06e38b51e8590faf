// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "models/switch/switch.hpp"
#include "models/wire/cable.hpp"
#include "tests/support/bench.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/far_end.hpp"

namespace ndsim::test {

// The neighbour's sender, which is told to stop and to go on.
struct Neighbour final : PausePort {
    [[nodiscard]] bool holds_packets() const override { return false; }
    void pause(bool stop, Picoseconds at) override { told.emplace_back(stop, at); }
    std::vector<std::pair<bool, Picoseconds>> told;
};

// 100 Gbps (80 ps a byte), 10 m of cable, no MACs: 50 ns of flight.
inline LinkParams plain_link(Bandwidth rate = Bandwidth{100'000'000'000}) {
    LinkParams params;
    params.rate = rate;
    params.length = Length{10'000};
    params.mac_tx = {};
    params.mac_rx = {};
    return params;
}

inline SwitchParams with(Forwarding forwarding, Bytes buffer = 16_MiB, Bytes port_buffer = {}) {
    SwitchParams params;
    params.forwarding = forwarding;
    params.latency = std::chrono::nanoseconds{300};
    params.buffer = buffer;
    params.port_buffer = port_buffer;
    return params;
}
inline SwitchParams stored(Bytes buffer = 16_MiB, Bytes port_buffer = {}) {
    return with(Forwarding::store_and_forward, buffer, port_buffer);
}

// A switch with four ports, each with a cable in and one out; behind port i is host i.
struct SwitchBench : Bench {
    static constexpr std::size_t kPorts = 4;
    static constexpr Picoseconds kLatency = std::chrono::nanoseconds{300};

    explicit SwitchBench(const SwitchParams& params, std::array<Bandwidth, kPorts> rates = all(100_Gbps))
        : whole("s0", timeline, params, names(), ledgers, payloads) {
        for (std::size_t i = 0; i < kPorts; ++i) {
            const std::string name = names()[i];
            in.push_back(std::make_unique<Cable>((name + "_in").c_str(), timeline, plain_link(rates.at(i)), 0_B));
            out.push_back(std::make_unique<Cable>((name + "_out").c_str(), timeline, plain_link(rates.at(i)), 0_B));
            in[i]->out.bind(port(i).in);
            port(i).lane.bind(out[i]->in);
            port(i).peer.bind(neighbours.at(i));
            out[i]->out.bind(far.at(i));
            whole.add_way(HostId{static_cast<std::uint16_t>(i)}, i);
        }
    }
    static constexpr std::array<Bandwidth, kPorts> all(Bandwidth rate) { return {rate, rate, rate, rate}; }
    static std::vector<std::string> names() { return {"A", "B", "C", "D"}; }

    [[nodiscard]] SwitchPort& port(std::size_t i) { return whole.port(i); }
    // A packet of `wire` bytes on the lane, 82 of them no payload.
    [[nodiscard]] Packet packet(std::size_t to, std::uint32_t psn, std::uint32_t wire = 4178) {
        Packet packet;
        packet.opcode = Opcode::send_only;
        packet.psn = Psn{psn};
        packet.to = HostId{static_cast<std::uint16_t>(to)};
        packet.payload_bytes = wire - 82;
        packet.payload = payloads.take();
        return packet;
    }
    // Hands a packet to port `from` so that it comes into the queue of its port at `when`, by itself.
    void queue(Picoseconds when, std::size_t from, const Packet& what) {
        at(when - kLatency, [this, from, what] { port(from).arrive(what, {now(), now()}); });
    }
    void send(Picoseconds when, std::size_t from, const Packet& what) {
        at(when, [this, from, what] { (void)in[from]->put(what); });
    }
    // Runs, and takes back what has arrived.
    void finish() {
        run();
        for (FarEnd& end : far) {
            for (const FarEnd::Seen& each : end.seen) {
                payloads.give(each.packet.payload);
            }
        }
        CHECK(payloads.in_use() == 0);
        check_at_rest(whole);
        for (std::size_t i = 0; i < kPorts; ++i) {
            check_at_rest(port(i));
        }
    }

    std::array<Neighbour, kPorts> neighbours;
    std::array<FarEnd, kPorts> far;
    Switch whole;
    std::vector<std::unique_ptr<Cable>> in;
    std::vector<std::unique_ptr<Cable>> out;
};

}  // namespace ndsim::test
