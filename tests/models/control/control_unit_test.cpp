// SPDX-License-Identifier: Apache-2.0
#include "models/control/control_unit.hpp"

#include <catch2/catch.hpp>

#include "tests/support/nic_doubles.hpp"

namespace ndsim::test::unit_test {

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
    bool holding = false;
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

QpAttributes qp(std::uint32_t index, CqNum send_cq = {}) {
    QpAttributes attributes;
    attributes.qp = QpNum{kFirstQp + index};
    attributes.send_cq = send_cq;
    return attributes;
}

TEST_CASE("control: a command takes effect half-way and is answered at the end", "[formula]") {
    ControlBench bench;
    bench.submit(100ns, qp(0));
    bench.run();
    CHECK(bench.others.seen == Story{{"create_qp", kFirstQp, 1100ns}});
    CHECK(bench.answered == std::vector<Picoseconds>{2100ns});
}

// The double of DMA has a write visible 200 ns after it is ready; an event takes 3 us.
TEST_CASE("control: quiescing a queue pair that is quiet is answered behind a write to host memory",
          "[K151][formula]") {
    ControlBench bench;
    bench.at(100ns, [&] {
        bench.control.quiesce(100ns, QpNum{kFirstQp}, Address{0x1000}, [&] { bench.answered.push_back(bench.now()); });
    });
    bench.run();
    // Effect after half of 2 us, at 1100 ns; visible 200 ns later; event 3 us.
    CHECK(bench.answered == std::vector<Picoseconds>{1100ns + 200ns + 3us});
    REQUIRE(bench.dma.writes.size() == 1);
    CHECK(bench.dma.writes[0].train.to == Address{0x1000});
    CHECK_FALSE(bench.dma.writes[0].train.express);  // so that it passes nothing
}

// Completions are held back until 1500 ns: it looks at 1 and at 2 us.
TEST_CASE("control: quiescing waits for completions that are held back", "[K155]") {
    ControlBench bench;
    bench.others.holding = true;
    bench.at(0ns, [&] {
        bench.control.quiesce(0ns, QpNum{kFirstQp}, Address{0x1000}, [&] { bench.answered.push_back(bench.now()); });
    });
    bench.at(1500ns, [&] { bench.others.holding = false; });
    bench.run();
    CHECK(bench.answered == std::vector<Picoseconds>{2us + 200ns + 3us});
}

TEST_CASE("control: quiescing waits until every unit has nothing left, and holds up no other command",
          "[K151][formula]") {
    ControlBench bench;
    bench.others.quiet_from = 3500ns;
    bench.at(0ns, [&] {
        bench.control.quiesce(0ns, QpNum{kFirstQp}, Address{0x1000}, [&] { bench.answered.push_back(bench.now()); });
    });
    bench.submit(0ns, DestroyCq{CqNum{4}});
    bench.run();
    // It looks at 1, 2, 3 and 4 us, the first time at which all is quiet. The other command begins at 2 us, behind it.
    CHECK(bench.answered == std::vector<Picoseconds>{4us, 4us + 200ns + 3us});
    CHECK(bench.others.seen == Story{{"destroy_cq", 4, 3us}});
}

TEST_CASE("control: commands are carried out one after the other", "[formula][limit]") {
    ControlBench bench;
    bench.submit(0ns, CqAttributes{.cq = CqNum{3}});
    bench.submit(500ns, qp(1));  // begins when the first is answered, at 2 us
    bench.at(5us, [] {});
    bench.run();
    check_engines(bench.control);
    CHECK(Picoseconds(statistic(bench.control, "busy")) == 4us);
    CHECK(Picoseconds(statistic(bench.control, "idle")) == 1us);
    CHECK(bench.others.seen == Story{{"create_cq", 3, 1us}, {"create_qp", kFirstQp + 1, 3us}});
    CHECK(bench.answered == std::vector<Picoseconds>{2us, 4us});
    CHECK(statistic(bench.control, "commands") == 2);
}

ConnectQp connect(std::uint32_t index, bool before_run = false) {
    return {QpNum{kFirstQp + index}, {}, before_run};
}

TEST_CASE("control: connecting a queue pair takes connect_latency, and before the run command_latency", "[formula]") {
    ControlBench bench;
    bench.submit(0ns, connect(0, true));
    bench.submit(10us, connect(1));
    bench.run();
    CHECK(bench.others.seen == Story{{"connect_qp", kFirstQp, 1us}, {"connect_qp", kFirstQp + 1, 10us + 100us}});
    CHECK(bench.answered == std::vector<Picoseconds>{2us, 10us + 200us});
    CHECK(statistic(bench.control, "connects") == 1);
}

// The other command waits for the first connect, and the second connect for that.
TEST_CASE("control: queue pairs are connected one after the other", "[limit]") {
    ControlBench bench;
    bench.submit(0ns, connect(0));
    bench.submit(1us, CqAttributes{.cq = CqNum{3}});
    bench.submit(2us, connect(1));
    bench.submit(3us, connect(2));
    bench.run();
    CHECK(bench.answered == std::vector<Picoseconds>{200us, 202us, 402us, 602us});
    CHECK(bench.others.seen == Story{{"connect_qp", kFirstQp, 100us},
                                     {"create_cq", 3, 201us},
                                     {"connect_qp", kFirstQp + 1, 302us},
                                     {"connect_qp", kFirstQp + 2, 502us}});
}

TEST_CASE("control: the answer to a resize says whether the queue took it") {
    ControlBench bench;
    bool taken = false;
    bool taken_again = true;
    bench.submit(0ns, ResizeCq{{.cq = CqNum{3}}, &taken});
    bench.at(1500ns, [&] { bench.others.takes_resize = false; });
    bench.submit(0ns, ResizeCq{{.cq = CqNum{3}}, &taken_again});
    bench.submit(0ns, ModerateCq{CqNum{4}, {}});
    bench.run();
    CHECK(bench.others.seen == Story{{"resize_cq", 3, 1us}, {"resize_cq", 3, 3us}, {"moderate_cq", 4, 5us}});
    CHECK(taken);
    CHECK_FALSE(taken_again);
}

TEST_CASE("control: registering memory costs its pages, those that it only touches included", "[formula]") {
    ControlBench bench;
    MemoryRegion region;
    region.key = MrKey{0x700};
    region.base = Address{0x1000'0FFF};  // the last byte of a page, a whole page, the first byte of a third
    region.length = 4098;
    bench.submit(0ns, region);
    bench.run();
    // 1 us + 3 x 20 ns; in effect half-way.
    CHECK(bench.answered == std::vector<Picoseconds>{1060ns});
    CHECK(bench.others.seen == Story{{"add", 0x700, 530ns}});
}

TEST_CASE("control: a window or a fast-register region is a command's latency in the making, and in the going") {
    ControlBench bench;
    bench.submit(0ns, FreeKey{FreeKey::Kind::window, MrKey{0x700}, PdNum{1}});
    bench.submit(0ns, DestroyKey{MrKey{0x700}});
    bench.run();
    // 2 us, and behind it 1 us.
    CHECK(bench.others.seen == Story{{"add_free", 0x700, 1us}, {"remove", 0x700, 2500ns}});
    CHECK(bench.answered == std::vector<Picoseconds>{2us, 3us});
}

TEST_CASE("control: the end of a key is answered when no transfer uses its memory any more", "[R29][R30]") {
    ControlBench bench;
    bench.submit(0ns, DestroyKey{MrKey{0x700}});
    bench.dma.settled_at.reset();
    bench.at(4500ns, [&] { bench.dma.settled_at = 5200ns; });
    bench.at(5100ns, [&] { bench.dma.settled_at = 6000ns; });  // others go on writing
    bench.run();
    CHECK(bench.others.seen == Story{{"remove", 0x700, 500ns}});
    // It looks at 1 us, 2 us ..., every half of a command's latency; at 5 us the time is known.
    CHECK(bench.answered == std::vector<Picoseconds>{5200ns});
}

TEST_CASE("control: software hears of a failure when the peer has been told why", "[X25][X26]") {
    ControlBench bench;
    bench.submit(0ns, qp(0));
    bench.others.told_from = 14200ns;
    bench.at(10us, [&] { bench.control.qp_failed(QpNum{kFirstQp}, WcStatus::rem_op); });
    bench.run();
    // 3 us of the event, and then looks at 13 us, 14 us and 15 us, every half of a command's latency.
    CHECK(bench.others.seen.back() == Others::Seen{"qp_error", kFirstQp, 15us});
}

TEST_CASE("control: a failed queue pair is failed everywhere at once, and software hears of it once") {
    ControlBench bench;
    bench.submit(0ns, qp(0, CqNum{7}));
    bench.at(10us, [&] {
        bench.control.qp_failed(QpNum{kFirstQp}, WcStatus::rem_op);
        bench.control.qp_failed(QpNum{kFirstQp}, WcStatus::rem_op);
    });
    bench.run();
    const Story story(bench.others.seen.begin() + 1, bench.others.seen.end());
    CHECK(story == Story{{"fail_qp", kFirstQp, 10us}, {"qp_error", kFirstQp, 13us}});
}

TEST_CASE("control: a completion queue that overran takes its queue pairs with it", "[X58]") {
    ControlBench bench;
    bench.submit(0ns, qp(0, CqNum{7}));
    bench.submit(0ns, qp(1, CqNum{8}));
    bench.at(10us, [&] { bench.control.cq_failed(CqNum{7}); });
    bench.run();
    const Story story(bench.others.seen.begin() + 2, bench.others.seen.end());
    CHECK(story == Story{{"fail_qp", kFirstQp, 10us}, {"cq_error", 7, 13us}, {"qp_error", kFirstQp, 13us}});
}

TEST_CASE("control: commands of a shared receive queue, and its event, which software hears of later", "[X59]") {
    ControlBench bench;
    bench.submit(0ns, SrqAttributes{.srq = SrqNum{4}});
    bench.submit(0ns, ModifySrq{.srq = SrqNum{4}, .limit = 9});
    bench.submit(0ns, DestroySrq{SrqNum{4}});
    bench.at(10us, [&] { bench.control.srq_limit_reached(SrqNum{4}); });
    bench.run();
    // 2 us each, one after the other, in effect half-way; the event takes 3 us.
    CHECK(bench.others.seen ==
          Story{{"create_srq", 4, 1us}, {"modify_srq", 9, 3us}, {"destroy_srq", 4, 5us}, {"srq_limit", 4, 13us}});
}

TEST_CASE("control: management datagrams go to the transmitter, and those that arrive to software", "[formula]") {
    ControlBench bench;
    SendDatagram datagram;
    datagram.to = HostId{5};
    datagram.bytes[0] = std::byte{42};
    bench.submit(0ns, datagram);
    bench.run();
    REQUIRE(bench.egress.sent.size() == 1);
    const Packet& packet = bench.egress.sent[0].packet;
    CHECK(bench.egress.sent[0].ready.end == 1us + 35ns);  // from the command's effect on
    CHECK(packet.opcode == Opcode::ud_send_only);
    CHECK(packet.to == HostId{5});
    CHECK(packet.payload_bytes == SendDatagram::kBytes);
    CHECK(bench.payloads.data(packet.payload)[0] == std::byte{42});
}

TEST_CASE("control: a datagram from the wire reaches software after the event's latency", "[formula]") {
    ControlBench bench;
    bench.at(10ns, [&] {
        Packet packet;
        packet.opcode = Opcode::ud_send_only;
        packet.payload = bench.payloads.take();
        packet.payload_bytes = SendDatagram::kBytes;
        bench.payloads.data(packet.payload)[0] = std::byte{9};
        bench.control.datagram_arrived(packet);
    });
    bench.run();
    CHECK(bench.others.seen == Story{{"datagram", 9, 3010ns}});
    CHECK(bench.payloads.in_use() == 0);
}

}  // namespace ndsim::test::unit_test
