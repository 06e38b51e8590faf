// SPDX-License-Identifier: Apache-2.0

#include "tests/scenarios/result/listed_limits.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/child.hpp"

// Limits that are waits for WQEs, what is no limit though it is full, and which generators a limit is in the way of.
namespace ndsim::test::limits_ways_test {

using namespace std::chrono_literals;

using SeenLimit = ChildResult::SeenLimit;

const std::string kHosts = R"({"hosts": {"A": {}, "B": {}}, "traffic": {"t": {"from": "A", "to": "B", )";
const std::string kSends = kHosts + R"("size": "64 B", "count": 1000, "window": 64}}})";
const std::string kWrites = kHosts + R"("operation": "write", "size": "64 B", "count": 2000, "signal_every": 16)";

// The limit of this pool beside a wire, with these shares of the time.
std::string beside_wire(std::uint64_t busy, const std::string& pool, std::uint64_t full) {
    return listed(kSends, measured({{"l0_A_to_B.busy", busy}}, {{pool + ".full", full}})).at(1);
}

// Data that has passed the wire waits for credits of the receiver's link. A wire that rests for 8 % of the time cannot
// have filled them; one that rests for 2 % leaves nothing to gain. The sender's tags are in front of the wire, and A's
// credits are not on the data's way.
TEST_CASE("limits: a wire with a rest does not explain what is full behind it") {
    CHECK(beside_wire(920, "B.pcie.posted_headers", 900'000) == "pool B.pcie.posted_headers 900000 binds");
    CHECK(beside_wire(980, "B.pcie.posted_headers", 900'000) == "pool B.pcie.posted_headers 900000");
    CHECK(beside_wire(920, "A.nic.dma.tags", 900'000) == "pool A.nic.dma.tags 900000");
    CHECK(beside_wire(920, "A.pcie.posted_headers", 900'000) == "pool A.pcie.posted_headers 900000");
}

// Tags that are full for 96 % of the time are so for half of the 8 % in which the wire rests, whatever they wait for in
// the rest of the time.
TEST_CASE("limits: a wire with a rest does not explain what is full in this rest") {
    CHECK(beside_wire(920, "A.nic.dma.tags", 960'000) == "pool A.nic.dma.tags 960000 binds");
    CHECK(beside_wire(960, "A.nic.dma.tags", 960'000) == "pool A.nic.dma.tags 960000");
}

// A generator that knows of no receive at the peer waits behind the wire, too. Of 69 % of the time, a wire that is busy
// for 98 % leaves 1.38 %.
TEST_CASE("limits: a wire with a rest does not explain that receives are missing behind it") {
    const auto beside = [](std::uint64_t busy) {
        return listed(kSends, measured({{"l0_A_to_B.busy", busy}, {"A.cpu_t.no_receive", 690}})).at(1);
    };
    CHECK(beside(950) == "ring B.qps.q0.rq 690000 binds");
    CHECK(beside(980) == "ring B.qps.q0.rq 13800");
}

// Writes that wait for a page walk keep their credits, and their data fills the buffer behind the wire. The sender's
// credits wait for no walk of the receiver's. For a tenth of the time a walk is free, so nine tenths of the shares go.
TEST_CASE("limits: what is full while all page walks are under way is full because of them") {
    const auto with_walks = [](const std::string& host, const std::string& pool) {
        return listed(kSends, measured({}, {{host + ".root.walks.full", 900'000}, {pool + ".full", 1'000'000}}));
    };
    for (const std::string pool :
         {"B.pcie.posted_data", "B.pcie.posted_headers", "B.nic.dma.writes_in_flight", "B.nic.rx.rx_buffer"}) {
        CHECK(with_walks("B", pool) == Lines{"pool B.root.walks 900000 binds", "pool " + pool + " 100000 binds"});
    }
    CHECK(with_walks("A", "A.nic.dma.tags") ==
          Lines{"pool A.root.walks 900000 binds", "pool A.nic.dma.tags 100000 binds"});
    CHECK(with_walks("B", "A.pcie.posted_data") ==
          Lines{"pool A.pcie.posted_data 1000000 binds", "pool B.root.walks 900000 binds"});
}

// The window is full all the time, and its requests wait for nine tenths of their time until packets are sent again.
// The timeout of 67 ms is longer than what is measured.
TEST_CASE("limits: time in which packets had to be sent again is not the window's") {
    const Scenario scenario = load_scenario("f", kHosts + R"("operation": "write"}}})", {});
    const std::vector<MeanLedger> ledgers{{"A", "write", 50, 10ns, {{"wire", 1ns}, {"retransmit", 9ns}}}};
    Metrics metrics = measured({{"A.cpu_t.window_full", 1000}});
    SECTION("after a timeout, which has a parameter") {
        metrics.add("A.nic.completer.timeouts", 1, std::nullopt, "");
        const std::vector<Limit> limits = limits_of(scenario, metrics, ledgers);
        REQUIRE(limits.size() == 2);
        CHECK(limits[0].what == "A.nic.completer");
        CHECK(limits[0].share_ppm == 900'000);
        CHECK(limits[0].parameter.path == "hosts.A.nic.timeout_code");
        CHECK(limits[0].generators == Lines{"traffic t"});
        CHECK(limits[1].share_ppm == 100'000);
    }
    SECTION("after NAKs") {
        const std::vector<Limit> limits = limits_of(scenario, metrics, ledgers);
        REQUIRE(limits.size() == 1);
        CHECK(limits[0].what == "traffic t");
        CHECK(limits[0].share_ppm == 100'000);
    }
}

TEST_CASE("limits: no share is more than all of the time") {
    Metrics metrics = measured({});
    metrics.add("traffic.t.message_rate", 6'000'024, std::nullopt, "");  // of 6 M/s
    CHECK(listed(kHosts + R"("operation": "write"}}})", metrics) == Lines{"rate A.nic.wqe 1000000 binds"});
}

// Of 8 M messages a second the first queue pair gets 6 of 8, and 6 M/s are all that it can start. In turns each of the
// three would start 2.67 M/s.
TEST_CASE("limits: the busiest of weighted queue pairs uses up its message rate") {
    const std::string traffic = kHosts + R"("operation": "write", "queue_pairs": 3, "choose": )";
    Metrics metrics = measured({});
    metrics.add("traffic.t.message_rate", 8'000'000, Quantity::frequency, "");
    CHECK(listed(traffic + R"("weighted", "weights": [6, 1, 1]}}})", metrics) == Lines{"rate A.nic.wqe 1000000 binds"});
    CHECK(listed(traffic + R"("round_robin"}}})", metrics) == Lines{"rate A.nic.wqe 444444"});
}

// Eight receives cannot keep sixteen of them in the NIC, so more prefetch brings nothing.
TEST_CASE("limits: receives that are fewer than the NIC may fetch ahead are named themselves") {
    const ChildResult run = finish_text(R"({
        "hosts": {"A": {}, "C": {}, "B": {"srqs": {"s": {"depth": 8}}, "qps": {"q1": {"srq": "s"}, "q2": {"srq": "s"}}}},
        "switches": {"sw": {}},
        "traffic": {"t1": {"from": "A", "to": "B.q1", "size": "1 KiB", "count": 1000, "window": 16},
                    "t2": {"from": "C", "to": "B.q2", "size": "1 KiB", "count": 1000, "window": 16}}})",
                                        {"hosts.B.nic.rq_prefetch=16"});
    shows(run);
    const auto fetched =
        std::ranges::find_if(run.limits, [](const SeenLimit& limit) { return limit.what == "B.nic.rq"; });
    REQUIRE(fetched != run.limits.end());
    CHECK(fetched->parameter == "hosts.B.srqs.s.depth");
    CHECK(fetched->value == "8");
}

// With two switches on the way a receive WQE is there 857 ns after its read has begun, and with one ahead the next read
// begins when a message has taken it: 1.17 M/s. The receiver's core needs 216 ns for a message.
TEST_CASE("limits: messages that wait for their receive WQEs are bound by how many are fetched ahead") {
    const std::vector<std::string> one{"hosts.B.pcie.switch_hops=2", "hosts.B.nic.rq_prefetch=1"};
    const ChildResult run = finish_text(kSends, one);
    const SeenLimit& top = run.limits.at(0);
    CHECK(top.kind == "pool");
    CHECK(top.what == "B.nic.rq");
    CHECK(top.share_ppm > 950'000);
    CHECK(top.binds);
    CHECK(top.parameter == "hosts.B.nic.rq_prefetch");
    CHECK(top.value == "1");
    CHECK_FALSE(run.limits.at(1).binds);
    CHECK(run.metric("traffic.t.message_rate") == Catch::Approx(1e9 / 857).epsilon(0.02));
    const auto with = [&](const std::string& more) {
        std::vector<std::string> overrides = one;
        overrides.push_back(more);
        return finish_text(kSends, overrides);
    };
    const double rate = static_cast<double>(run.metric("traffic.t.message_rate"));
    CHECK(with("hosts.B.nic.rq_prefetch=2").metric("traffic.t.message_rate") == Catch::Approx(2 * rate).epsilon(0.02));
    CHECK(with("traffic.t.window=96").metric("traffic.t.message_rate") == Catch::Approx(rate).epsilon(0.001));
    CHECK(with("hosts.B.nic.rq_fetch_batch=12").metric("traffic.t.message_rate") ==
          run.metric("traffic.t.message_rate"));
    // Set aside, they wait all the same.
    const ChildResult parked = with("hosts.B.nic.rq_park=1");
    CHECK(parked.limits.at(0).parameter == "hosts.B.nic.rq_prefetch");
    CHECK(parked.limits.at(0).binds);
}

// 64 bytes are read in 397 ns, so one WQE at a time makes 2.52 M/s. The core could do 5.4 M/s: 50 + 75 + 60 ns.
TEST_CASE("limits: with one WQE to a read it is the batch, as long as a read leaves others behind") {
    const ChildResult run = finish_text(kWrites + R"(, "window": 64}}})", {"nic.wqe_fetch_batch=1"});
    const SeenLimit& top = run.limits.at(0);
    CHECK(top.what == "A.nic.wqe");
    CHECK(top.share_ppm > 950'000);
    CHECK(top.parameter == "hosts.A.nic.wqe_fetch_batch");
    CHECK_FALSE(run.limits.at(1).binds);
    CHECK(run.metric("traffic.t.message_rate") == Catch::Approx(1e9 / 397).epsilon(0.01));
    // With one message outstanding each read leaves nothing behind.
    const ChildResult one =
        finish_text(kHosts + R"("operation": "write", "size": "64 B", "count": 400, "window": 1}}})",
                    {"nic.wqe_fetch_batch=1", "nic.wqe_push_max=0"});
    CHECK(one.metric("A.nic.wqe.wqe_fetch") > 0);
    CHECK(one.metric("A.nic.wqe.cut_fetches") == 0);
    CHECK(one.limits.at(0).parameter == "traffic.t.window");
}

TEST_CASE("limits: a TX FIFO that is full while the lane works is none") {
    const auto with_lane_busy = [](std::uint64_t busy) {
        return listed(kSends, measured({{"A.nic.tx.busy", busy}}, {{"A.nic.tx.tx_fifo.full", 145'000}}));
    };
    CHECK(with_lane_busy(150).empty());
    CHECK(with_lane_busy(40) == Lines{"pool A.nic.tx.tx_fifo 105000 binds"});  // full for 14.5 %, busy for 4 %
    // The peer holds the lane.
    CHECK(listed(kSends, measured({{"A.nic.tx.pause", 140}}, {{"A.nic.tx.tx_fifo.full", 145'000}})).empty());
}

// The lane works for 95 % of the time, in which the FIFO is as full as in the rest. It is for want of what that rest
// would bring that the lane rests, whatever it does otherwise.
TEST_CASE("limits: a TX FIFO that is full while its own lane rests binds beside it") {
    const auto with_lane_busy = [](std::uint64_t busy, const std::string& lane = "l0_A_to_B") {
        return listed(kSends, measured({{lane + ".busy", busy}, {"A.nic.tx.busy", busy}},
                                       {{"A.nic.tx.tx_fifo.full", 1'000'000}}));
    };
    CHECK(with_lane_busy(950) == Lines{"wire l0_A_to_B 950000 binds", "pool A.nic.tx.tx_fifo 50000 binds"});
    // 2.5 % of the time are less than a proof asks for.
    CHECK(with_lane_busy(975) == Lines{"wire l0_A_to_B 975000 binds", "pool A.nic.tx.tx_fifo 25000"});
    // What is behind the lane explains a rest of it.
    CHECK(listed(kSends, measured({{"l0_A_to_B.busy", 950}, {"A.nic.tx.busy", 950}, {"B.pcie.up_busy", 990}},
                                  {{"A.nic.tx.tx_fifo.full", 1'000'000}})) ==
          Lines{"pcie B.pcie up 990000 binds", "wire l0_A_to_B 950000 binds", "pool A.nic.tx.tx_fifo 50000"});
}

// A slot is taken until the message's payload is read, for which there is no tag: the slots are full because of that.
TEST_CASE("limits: a pool that holds what waits for another one counts as far as that one is not full") {
    CHECK(
        listed(kSends, measured({}, {{"A.nic.dma.tags.full", 800'000}, {"A.nic.wqe.sq_in_flight.full", 1'000'000}})) ==
        Lines{"pool A.nic.dma.tags 800000 binds", "pool A.nic.wqe.sq_in_flight 200000 binds"});
    // The read buffer is kept for data that the peer has yet to read.
    const std::string reads = kHosts + R"("operation": "read", "size": "64 B", "count": 9}}})";
    CHECK(listed(reads, measured({{"A.nic.wqe.read_buffer", 950}}, {{"B.nic.dma.tags.full", 900'000}})) ==
          Lines{"pool B.nic.dma.tags 900000 binds", "pool A.nic.read_responses.read_buffer 95000"});
    // It is full for nobody else's tags.
    const std::string third = R"({"hosts": {"A": {}, "B": {}, "C": {}, "D": {}}, "links": {"l": {"between": ["A", "B"]},
        "k": {"between": ["C", "D"]}}, "traffic": {"t": {"from": "A", "to": "B"}, "u": {"from": "C", "to": "D"}}})";
    CHECK(listed(third, measured({}, {{"C.nic.dma.tags.full", 900'000}, {"A.nic.wqe.sq_in_flight.full", 600'000}})) ==
          Lines{"pool C.nic.dma.tags 900000 binds", "pool A.nic.wqe.sq_in_flight 600000 binds"});
}

// Doorbells are decoded one after another, each message has one: 2 M/s, where the core does 5.4 M/s.
TEST_CASE("limits: the decoder of doorbells") {
    const ChildResult run =
        finish_text(kHosts + R"("operation": "write", "size": "64 B", "count": 1000, "window": 64}}})",
                    {"hosts.A.nic.doorbell_decode=500 ns"});
    CHECK(run.limits.at(0).kind == "rate");
    CHECK(run.limits.at(0).what == "A.nic.doorbell");
    CHECK(run.limits.at(0).parameter == "hosts.A.nic.doorbell_decode");
    CHECK(run.limits.at(0).binds);
    CHECK(run.metric("traffic.t.message_rate") < 2'000'000);
}

TEST_CASE("limits: a read buffer counts while a Read waits for room in it") {
    const std::string reads = kHosts + R"("operation": "read", "size": "64 B", "count": 9}}})";
    CHECK(listed(reads, measured({}, {{"A.nic.read_responses.read_buffer.full", 900'000}})).empty());
    CHECK(listed(reads, measured({{"A.nic.wqe.read_buffer", 300}})) ==
          Lines{"pool A.nic.read_responses.read_buffer 300000 binds"});
}

// The engine waits for one thing at a time: for 85 % of the time for what the peer asked for, and for 14.5 % for room.
// So it had nothing to do for half a percent at most.
TEST_CASE("limits: a window is explained by all that the sender's engine waited for, one after another") {
    const Metrics metrics =
        measured({{"A.nic.wqe.rnr", 850}, {"A.nic.wqe.tx_fifo", 145}, {"A.cpu_t.window_full", 1000}});
    CHECK(listed(kSends, metrics).empty());
    // Half of the reads left WQEs behind, so half of the time that the engine waited for them was for want of larger
    // ones.
    Metrics fetches = measured({{"A.nic.wqe.wqe_fetch", 600}, {"A.cpu_t.window_full", 1000}});
    fetches.add("A.nic.wqe.fetches", 100, {}, "");
    fetches.add("A.nic.wqe.cut_fetches", 50, {}, "");
    CHECK(listed(kSends, fetches) == Lines{"window traffic t 700000 binds", "pool A.nic.wqe 300000 binds"});
    // A third of the packets was sent again, so a third of the waits was in vain. The engine waited all the same.
    fetches.add("A.nic.requester.packets", 300, {}, "");
    fetches.add("A.nic.requester.repeated", 100, {}, "");
    CHECK(listed(kSends, fetches) == Lines{"window traffic t 700000 binds", "pool A.nic.wqe 200000 binds"});
    // What one queue pair waits for does not say that the other one did.
    const std::string two = R"({"hosts": {"A": {}, "B": {}}, "traffic": {"t": {"from": "A", "to": "B"},
                                "u": {"from": "A.q1", "to": "B.q1"}}})";
    CHECK(listed(two, metrics) == Lines{"window traffic t 855000 binds"});  // all but the 14.5 %
}

TEST_CASE("limits: what saturates on another host does not explain a window, and leaves it binding") {
    const std::string loads = R"({"hosts": {"A": {}, "B": {}}, "dma": {"a": {"host": "A"}, "b": {"host": "B"}}})";
    const Metrics metrics = measured({{"B.pcie.down_busy", 1000}},
                                     {{"A.dma_a.in_flight.full", 1'000'000}, {"B.dma_b.in_flight.full", 1'000'000}});
    CHECK(listed(loads, metrics) == Lines{"pcie B.pcie down 1000000 binds", "window dma a 1000000 binds"});
}

TEST_CASE("limits: a direction that only programs fill leaves what is full for a generator binding") {
    const std::string mixed =
        R"({"hosts": {"A": {"buffers": {"m": {"size": "64 B"}}}, "B": {"buffers": {"m": {"size": "64 B"}}}},
        "programs": {"A": [{"post": "read", "buffer": "m", "from": "B.m"}, {"poll": "q0.send"}]},
        "traffic": {"t": {"from": "A.q1", "to": "B.q1", "operation": "write"}}})";
    CHECK(listed(mixed, measured({{"l0_B_to_A.busy", 950}, {"A.nic.wqe.wqe_cache", 900}})) ==
          Lines{"wire l0_B_to_A 950000 binds", "pool A.nic.wqe 900000 binds"});
    // The direction that the generator's data takes stands for it.
    CHECK(listed(mixed, measured({{"l0_A_to_B.busy", 950}, {"A.nic.wqe.wqe_cache", 900}})) ==
          Lines{"wire l0_A_to_B 950000 binds", "pool A.nic.wqe 900000"});
}

// A server that lets half as much again through does nothing behind one that never rests.
TEST_CASE("limits: of servers in a row those bind that rest about as little as the busiest") {
    const auto with_core = [](std::uint64_t busy) {
        return listed(kSends,
                      measured({{"l0_A_to_B.busy", 990}, {"B.cpu_t.poll", busy}, {"A.nic.wqe.psn_window", 500}}));
    };
    CHECK(with_core(945) == Lines{"wire l0_A_to_B 990000 binds", "core B.cpu_t 945000 binds", "pool A.nic.wqe 500000"});
    CHECK(with_core(935) == Lines{"wire l0_A_to_B 990000 binds", "core B.cpu_t 935000", "pool A.nic.wqe 500000"});
    // Another generator's wire is no reason to rest.
    const std::string apart = R"({"hosts": {"A": {}, "B": {}, "C": {}, "D": {}}, "links": {"l": {"between": ["A", "B"]},
        "k": {"between": ["C", "D"]}}, "traffic": {"t": {"from": "A", "to": "B"}, "u": {"from": "C", "to": "D"}}})";
    CHECK(listed(apart, measured({{"l_A_to_B.busy", 1000}, {"k_C_to_D.busy", 920}})) ==
          Lines{"wire l_A_to_B 1000000 binds", "wire k_C_to_D 920000 binds"});
}

TEST_CASE("limits: of a PCIe link with all lanes it is the generation") {
    const Metrics metrics = measured({{"A.pcie.down_busy", 950}});
    const auto parameter = [&](const std::vector<std::string>& overrides) {
        return limits_of(load_scenario("f", kSends, overrides), metrics).at(0).parameter.path;
    };
    CHECK(parameter({}) == "hosts.A.pcie.generation");
    CHECK(parameter({"pcie.width=8"}) == "hosts.A.pcie.width");
}

}  // namespace ndsim::test::limits_ways_test
