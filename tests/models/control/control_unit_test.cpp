// SPDX-License-Identifier: Apache-2.0
#include "tests/models/control/control_bench.hpp"

namespace ndsim::test::unit_test {

TEST_CASE("control: a command takes effect half-way and is answered at the end", "[formula]") {
    ControlBench bench;
    bench.submit(100ns, qp(0));
    bench.run();
    CHECK(bench.others.seen == Story{{"create_qp", kFirstQp, 1100ns}});
    CHECK(bench.answered == std::vector<Picoseconds>{2100ns});
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
