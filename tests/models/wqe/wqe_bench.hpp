// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/wqe/wqe_engine.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/nic_doubles.hpp"

namespace ndsim::test {

// The requester's double: each message takes as many packets as its WQE has SGEs (at least one); it is built at once.
class Messages final : public RequesterPort, public SendGatePort {
public:
    explicit Messages(const Timeline& timeline) : timeline_(timeline) {}

    Stall may_begin(QpNum qp, const Wqe&) override {
        const auto found = held.find(qp);
        return found == held.end() ? Stall::none : found->second;
    }
    Rewound rewind(QpNum qp) override {
        rewound.push_back(qp);
        return {kept[qp] > 0, std::exchange(left_[qp], 0) > 0};
    }
    // A packet of request 0.
    Result repeat(QpNum qp) override {
        if (const auto found = blocked.find(qp); found != blocked.end()) {
            return {Turn::blocked, found->second};
        }
        if (kept[qp] > 0) {
            packets.push_back({qp, 0, timeline_.now()});
            --kept[qp];
        }
        return {kept[qp] > 0 ? Turn::packet : Turn::message_done, Stall::none};
    }
    std::optional<Picoseconds> begin(QpNum qp, const Wqe& wqe) override {
        CHECK(left_[qp] == 0);
        left_[qp] = std::max<std::size_t>(1, wqe.sges.size());
        current_[qp] = wqe.header.request;
        begun.push_back({qp, wqe.header.request, timeline_.now()});
        return {};
    }
    Result issue(QpNum qp) override {
        if (const auto found = blocked.find(qp); found != blocked.end()) {
            ++refused;
            return {Turn::blocked, found->second};
        }
        REQUIRE(left_[qp] > 0);
        packets.push_back({qp, current_[qp], timeline_.now()});
        if (--left_[qp] > 0) {
            return {Turn::packet, Stall::none};
        }
        if (build_time) {
            work->message_built(timeline_.now() + *build_time);
        }
        return {Turn::message_done, Stall::none};
    }
    void flush(QpNum qp, const Wqe& wqe) override { flushed.push_back({qp, wqe.header.request, timeline_.now()}); }
    // As the requester when its queue pair fails.
    void fail(QpNum qp) {
        if (left_[qp] > 0) {
            left_[qp] = 0;
            work->message_built(timeline_.now());
        }
    }

    struct Event {
        QpNum qp{};
        std::uint32_t request = 0;
        Picoseconds at{};
    };
    WorkPort* work = nullptr;
    std::optional<Picoseconds> build_time = Picoseconds{0};
    std::map<QpNum, Stall> blocked;
    std::map<QpNum, Stall> held;        // may not begin
    std::map<QpNum, std::size_t> kept;  // packets that are sent again without their WQEs
    std::vector<QpNum> rewound;
    int refused = 0;
    std::vector<Event> begun;
    std::vector<Event> packets;
    std::vector<Event> flushed;

private:
    const Timeline& timeline_;
    std::map<QpNum, std::size_t> left_;
    std::map<QpNum, std::uint32_t> current_;
};

// A work-queue engine between a DMA double (400 ns) and a requester double; message rates are out of the way.
struct WqeBench : Bench {
    static WqeParams fast() {
        WqeParams params;
        params.per_qp_rate = Frequency{10'000'000'000};
        params.global_rate = Frequency{10'000'000'000};
        return params;
    }
    explicit WqeBench(const WqeParams& params = fast(), std::uint32_t ring_units = 64)
        : engine("wqe", timeline, params, kHost, ledgers, payloads), units(ring_units) {
        engine.dma.bind(dma);
        engine.context.bind(contexts);
        engine.requester.bind(messages);
        engine.gate.bind(messages);
        messages.work = &engine;
        for (const QpNum qp : {kQp, kQp2}) {
            QpAttributes attributes;
            attributes.qp = qp;
            attributes.sq_ring = ring(qp);
            attributes.sq_units = units;
            engine.create_qp(attributes);
            engine.connect_qp(qp, {});
        }
    }
    [[nodiscard]] Address ring(QpNum qp) const { return Memory::kBase + qp_index(qp) * 65536ULL; }

    // Puts a WQE with `sges` entries of 64 bytes into the ring; its request number is its running number, from 1.
    void build(QpNum qp, std::uint32_t sges = 1) {
        std::array<std::byte, 2048> entry{};
        write_wqe_header(entry.data(),
                         {WqeOpcode::send, kWqeSignaled, static_cast<std::uint16_t>(sges), 0, ++requests[qp], 0});
        for (std::uint32_t i = 0; i < sges; ++i) {
            write_wqe_sge(entry.data() + kWqeHeader, i, {Memory::kBase, 64, MrKey{1}});
        }
        const std::uint32_t count = wqe_units(WqeOpcode::send, sges, 0);
        for (std::uint32_t i = 0; i < count; ++i) {
            std::memcpy(memory.bytes(ring(qp) + (producer[qp]++ % units) * 64ULL, 64), entry.data() + i * 64, 64);
        }
    }
    void ring_doorbell(QpNum qp) { engine.sq_doorbell({.qp = qp, .producer = producer[qp]}); }
    // Pushes the last `count` units along.
    void push_doorbell(QpNum qp, std::uint32_t count) {
        const PayloadRef pushed = payloads.take();
        for (std::uint32_t i = 0; i < count; ++i) {
            std::memcpy(payloads.data(pushed) + i * 64,
                        memory.bytes(ring(qp) + ((producer[qp] - count + i) % units) * 64ULL, 64), 64);
        }
        engine.sq_doorbell({qp, producer[qp], pushed, count});
    }
    void post(QpNum qp, std::uint32_t count, std::uint32_t sges = 1) {
        for (std::uint32_t i = 0; i < count; ++i) {
            build(qp, sges);
        }
        ring_doorbell(qp);
    }
    void check_done() const {
        check_at_rest(engine);
        CHECK(payloads.in_use() == 0);
    }

    Memory memory{1U << 18U};
    Dma dma{*this, memory};
    Messages messages{timeline};
    Contexts contexts;
    WqeEngine engine;
    const std::uint32_t units;
    std::map<QpNum, std::uint32_t> requests;
    std::map<QpNum, std::uint32_t> producer;
};

using Numbers = std::vector<std::uint32_t>;

// What was read of the first queue pair's ring: from which unit, and how many.
using Reads = std::vector<std::pair<std::uint64_t, std::uint32_t>>;

inline Reads reads_of(const WqeBench& bench) {
    Reads result;
    for (const auto& read : bench.dma.reads) {
        result.emplace_back((raw(read.pieces.at(0).from) - raw(bench.ring(kQp))) / 64, read.pieces[0].length / 64);
    }
    return result;
}

inline Numbers requests_of(const std::vector<Messages::Event>& events) {
    Numbers result;
    for (const auto& event : events) {
        result.push_back(event.request);
    }
    return result;
}

}  // namespace ndsim::test
