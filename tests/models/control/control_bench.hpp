// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/control/control_unit.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/nic_doubles.hpp"

namespace ndsim::test {

// Writes down what the control unit tells the others, and when.
struct Others final : QpLifecycle, CqLifecycle, SrqLifecycle, ProtectionAdmin, HostEvents {
    explicit Others(const Timeline& its_timeline) : timeline(its_timeline) {}
    void create_qp(const QpAttributes& attributes) override { note("create_qp", raw(attributes.qp)); }
    void connect_qp(QpNum qp, const QpConnection&) override { note("connect_qp", raw(qp)); }
    void fail_qp(QpNum qp) override { note("fail_qp", raw(qp)); }
    void destroy_qp(QpNum qp) override { note("destroy_qp", raw(qp)); }
    [[nodiscard]] bool is_quiet(QpNum) const override { return timeline.now() >= quiet_from; }
    [[nodiscard]] bool has_told_peer(QpNum) const override { return timeline.now() >= told_from; }
    void create_cq(const CqAttributes& attributes) override { note("create_cq", raw(attributes.cq)); }
    bool resize_cq(const CqResize& resize) override {
        note("resize_cq", raw(resize.cq));
        return takes_resize;
    }
    void moderate_cq(CqNum cq, const Moderation&) override { note("moderate_cq", raw(cq)); }
    void destroy_cq(CqNum cq) override { note("destroy_cq", raw(cq)); }
    [[nodiscard]] bool holds_back() const override { return holding; }
    void write_gathered() override { on_gathered(); }
    bool holding = false;
    std::function<void()> on_gathered = [] {};
    void create_srq(const SrqAttributes& attributes) override { note("create_srq", raw(attributes.srq)); }
    void modify_srq(const ModifySrq& change) override { note("modify_srq", change.limit); }
    void destroy_srq(SrqNum srq) override { note("destroy_srq", raw(srq)); }
    void add(const MemoryRegion& region) override { note("add", raw(region.key)); }
    void add(const FreeKey& key) override { note("add_free", raw(key.key)); }
    void remove(MrKey key) override { note("remove", raw(key)); }
    void qp_error(QpNum qp, WcStatus) override { note("qp_error", raw(qp)); }
    void cq_error(CqNum cq) override { note("cq_error", raw(cq)); }
    void srq_limit(SrqNum srq) override { note("srq_limit", raw(srq)); }
    void datagram(std::span<const std::byte> bytes) override {
        note("datagram", std::to_integer<std::uint32_t>(bytes.front()));
    }
    void note(const char* what, std::uint32_t number) { seen.push_back({what, number, timeline.now()}); }

    struct Seen {
        std::string what;
        std::uint32_t number = 0;
        Picoseconds at{};
        bool operator==(const Seen&) const = default;
    };
    const Timeline& timeline;
    std::vector<Seen> seen;
    Picoseconds quiet_from{};
    Picoseconds told_from{};
    bool takes_resize = true;
};
using Story = std::vector<Others::Seen>;

// Commands take 2 us, connecting 200 us, events 3 us; registration 1 us and 20 ns a page; building a packet 35 ns.
struct ControlBench : Bench {
    static ControlParams params() {
        ControlParams params;
        params.command_latency = 2us;
        params.connect_latency = 200us;
        params.event_latency = 3us;
        params.registration = 1us;
        params.registration_per_page = 20ns;
        return params;
    }
    ControlBench() : control("control", timeline, params(), 35ns, payloads) {
        control.queue_pairs.bind(others);
        control.completion_queues.bind(others);
        control.shared_receive_queues.bind(others);
        control.protection.bind(others);
        control.egress.bind(egress);
        control.dma.bind(dma);
        control.host.bind(others);
    }
    void submit(Picoseconds when, Command command) {
        at(when, [this, when, command = std::move(command)] {
            control.submit(when, command, [this] { answered.push_back(now()); });
        });
    }

    Others others{timeline};
    Egresses egress{timeline};
    Memory memory{8192};
    Dma dma{*this, memory};
    ControlUnit control;
    std::vector<Picoseconds> answered;
};

inline QpAttributes qp(std::uint32_t index, CqNum send_cq = {}) {
    QpAttributes attributes;
    attributes.qp = QpNum{kFirstQp + index};
    attributes.send_cq = send_cq;
    return attributes;
}

}  // namespace ndsim::test
