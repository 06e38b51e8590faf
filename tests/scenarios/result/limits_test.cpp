// SPDX-License-Identifier: Apache-2.0
#include "scenarios/result/limits.hpp"

#include "scenarios/format/load.hpp"
#include "tests/scenarios/result/limits_runs.hpp"

namespace ndsim::test::limits_test {

// A message is under way for about 2 us. Of these the sender's core is at work for 185 ns (50 build, 75 store, 60
// poll), and everything else for less; for the rest of the time the core could send, and may not.
TEST_CASE("limits: with one message outstanding it is the application's window") {
    const ChildResult run = run_bound(R"("size": "64 B", "count": 400, "window": 1)", {"nic.rq.depth=64"});
    shows(run);
    const SeenLimit& top = run.limits.at(0);
    CHECK(top.kind == "window");
    CHECK(top.what == "traffic t");
    CHECK(top.binds);
    CHECK(top.share_ppm > 850'000);
    CHECK(top.parameter == "traffic.t.window");
    CHECK(top.value == "1");
    CHECK(top.basis == "chosen");
    // The receiver keeps its queue full of receives; nobody waits for that.
    CHECK(run.metric("B.qps.q0.rq.full") > 500'000);
    CHECK_FALSE(has(run, "B.qps.q0.rq"));
}

// To post 16 takes 16 x 125 ns = 2 us, about as long as one of them is under way. So when the queue is full the first
// of them is done, but the only completion is that of the last, which is 15 messages later.
TEST_CASE("limits: with one completion for a whole queue it is the signalling interval") {
    const ChildResult run = run_bound(kWrites + R"("window": 64, "signal_every": 16)", {"hosts.A.nic.sq.depth=16"});
    shows(run);
    const SeenLimit& top = run.limits.at(0);
    CHECK(top.kind == "signalling");
    CHECK(top.what == "A.qps.q0.sq");
    CHECK(top.binds);
    CHECK(top.parameter == "traffic.t.signal_every");
    CHECK(top.value == "16");
    // With a completion for each of them the window of 64 finds the queue full, and all slots in use.
    const ChildResult each = run_bound(kWrites + R"("window": 64)", {"hosts.A.nic.sq.depth=16"});
    CHECK(each.metric("A.cpu_t.unsignaled") == 0);
    CHECK(each.metric("traffic.t.message_rate") > run.metric("traffic.t.message_rate"));
}

// Once 32 are posted, the first of them is done long before the only completion, that of the last: 31 x 334 ns on the
// wire. With a completion for every sixteenth the wire never rests.
TEST_CASE("limits: with one completion for a whole window it is the signalling interval, too") {
    const std::string writes =
        R"("operation": "write", "size": "4 KiB", "count": 2000, "window": 32, "signal_every": )";
    const ChildResult run = run_bound(writes + "32");
    shows(run);
    const SeenLimit& top = run.limits.at(0);
    CHECK(top.kind == "signalling");
    CHECK(top.binds);
    CHECK(top.parameter == "traffic.t.signal_every");
    CHECK(run_bound(writes + "16").limits.at(0).kind == "wire");
    // More outstanding would help, too: the window was full all that time.
    REQUIRE(has(run, "traffic t"));
    CHECK(run.limits.at(1).parameter == "traffic.t.window");
    CHECK(run.limits.at(1).share_ppm == top.share_ppm);
}

// Neither more window nor a longer queue would help alone. The way of 100 m there and back is a part of the wait, for
// which the window is full of requests that are not done.
TEST_CASE("limits: with one completion for a window as large as the queue it is the signalling interval") {
    const ChildResult run =
        run_bound(R"("operation": "write", "size": "4 KiB", "count": 2000, "window": 16, "signal_every": 16)",
                  {"hosts.A.nic.sq.depth=16", "link.length=100 m"});
    shows(run);
    CHECK(run.limits.at(0).kind == "signalling");
    CHECK(run.metric("A.cpu_t.window_full") > 0);
}

// A pair is posted within 0.4 us, and done 5 us later, the way of 500 m there and back: for most of that time the
// window is full of requests that are not done.
TEST_CASE("limits: a window that is full for longer than its completions are late is the limit") {
    const ChildResult run = run_bound(kWrites + R"("window": 4, "signal_every": 2)", {"link.length=500 m"});
    shows(run);
    CHECK(run.limits.at(0).kind == "window");
    CHECK(run.limits.at(0).binds);
    CHECK(run.metric("A.cpu_t.unsignaled") > 0);
    CHECK(run.metric("A.cpu_t.unsignaled") < run.metric("A.cpu_t.window_full") / 5);
}

// Two slots, each for about 2 us: two messages in that time, which cost the core 2 x 185 ns, and the NIC less.
TEST_CASE("limits: with a ring of two it is its depth") {
    const ChildResult run = run_bound(kWrites + R"("window": 16)", {"hosts.A.nic.sq.depth=2"});
    shows(run);
    const SeenLimit& top = run.limits.at(0);
    CHECK(top.kind == "ring");
    CHECK(top.share_ppm > 700'000);
    CHECK(top.parameter == "hosts.A.qps.q0.sq.depth");
    CHECK(top.value == "2");
    CHECK(top.basis == "chosen");
}

// One message at a time is in work, from its start until its last packet is in the TX FIFO: that is a read of 4 KiB
// from host memory, 390 ns of latency and 330 ns of data. The wire needs 334 ns for it, so it is idle for half of the
// time.
TEST_CASE("limits: with one slot for work in process it is that pool") {
    const ChildResult run = run_bound(R"("operation": "write", "size": "4 KiB", "count": 1000, "window": 16)",
                                      {"hosts.A.nic.sq_in_flight=1"});
    shows(run);
    const SeenLimit& top = run.limits.at(0);
    CHECK(top.kind == "pool");
    CHECK(top.what == "A.nic.wqe.sq_in_flight");
    CHECK(top.share_ppm > 900'000);
    CHECK(top.parameter == "hosts.A.nic.sq_in_flight");
    CHECK(top.basis == "chosen");
}

// Eight packets in a round trip of 2 x 4 us of fibre, while 100 would fit into it. A Write that has started and waits
// for the window keeps the only place for work in process, which is full because of that.
TEST_CASE("limits: the PSN window is inside the place that a request keeps in the NIC") {
    const ChildResult run = run_bound(R"("operation": "write", "size": "64 B", "count": 1000, "window": 64)",
                                      {"hosts.A.nic.psn_window=8", "link.length=800 m", "hosts.A.nic.sq_in_flight=1"});
    shows(run);
    const SeenLimit& top = run.limits.at(0);
    CHECK(top.parameter == "hosts.A.nic.psn_window");
    CHECK(top.binds);
}

// PCIe 3.0 x4 carries 31.5 Gb/s, less 5 %, and of 280 bytes 256 are payload: 27.4 Gb/s at most, of a wire of 100.
TEST_CASE("limits: with four PCIe lanes it is the link") {
    const ChildResult run =
        run_bound(R"("operation": "write", "size": "64 KiB", "count": 300, "window": 16)", {"pcie.width=4"});
    shows(run);
    const SeenLimit& top = run.limits.at(0);
    CHECK(top.kind == "pcie");
    CHECK(top.what == "B.pcie up");
    CHECK(top.share_ppm > 950'000);
    CHECK(top.parameter == "hosts.B.pcie.width");
    CHECK(top.value == "4");
}

// A packet of 4096 bytes takes 4178 on the lane, 334 ns, and PCIe 3.0 x16 needs 299 ns for its 16 TLPs of 280 bytes.
TEST_CASE("limits: with messages of 1 MiB it is the wire") {
    const ChildResult run =
        run_bound(R"("operation": "write", "size": "1 MiB", "count": 60, "window": 16)", {"measure.warmup=20"});
    shows(run);
    const SeenLimit& top = run.limits.at(0);
    CHECK(top.kind == "wire");
    CHECK(top.what == "l0_A_to_B");
    CHECK(top.share_ppm > 990'000);
    CHECK(top.parameter == "links.l0.rate");
    CHECK(top.value == "100 Gbps");
    CHECK(top.basis == "chosen");
}

TEST_CASE("limits: a DMA generator with one transfer at a time is bound by itself") {
    const ChildResult run = finish_text(R"({"hosts": {"A": {}}, "dma": {"r": {"host": "A", "count": 200}}})");
    shows(run);
    CHECK(run.limits.at(0).kind == "window");
    CHECK(run.limits.at(0).parameter == "dma.r.in_flight");
}

// A write takes 221 ns, so five are under way of the 64 that may be: one each 50 ns, 20 M/s.
TEST_CASE("limits: a DMA generator that rests between two issues is bound by that") {
    const ChildResult run = finish_text(R"({"hosts": {"A": {}}, "dma": {"w": {"host": "A", "operation": "write",
        "size": "64 B", "in_flight": 64, "issue": "50 ns", "count": 2000}}})");
    shows(run);
    CHECK(run.limits.at(0).kind == "rate");
    CHECK(run.limits.at(0).what == "A.dma_w");
    CHECK(run.limits.at(0).parameter == "dma.w.issue");
    CHECK(run.limits.at(0).binds);
    CHECK(run.metric("dma.w.transfer_rate") == Catch::Approx(20e6).epsilon(0.001));
}

// Of 16 tags four other classes of reads keep two each, so payload waits with eight free, and the pool is never full.
TEST_CASE("limits: tags bind although some are kept for other reads, and so do reads in flight if they are fewer") {
    const std::string stream = R"("size": "64 KiB", "count": 100, "window": 8)";
    const ChildResult tags = run_bound(stream, {"hosts.A.preset=D", "hosts.A.pcie.tags=16", "link.rate=400 Gbps"});
    shows(tags);
    CHECK(tags.limits.at(0).what == "A.nic.dma.tags");
    CHECK(tags.limits.at(0).parameter == "hosts.A.pcie.tags");
    CHECK(tags.limits.at(0).binds);
    const ChildResult reads =
        run_bound(stream, {"hosts.A.preset=D", "hosts.A.nic.dma_reads_in_flight=16", "link.rate=400 Gbps"});
    shows(reads);
    CHECK(reads.limits.at(0).what == "A.nic.dma.reads_in_flight");
    CHECK(reads.limits.at(0).parameter == "hosts.A.nic.dma_reads_in_flight");
    CHECK(reads.limits.at(0).binds);
}

// Sixteen messages take 5 us, and then the sender waits for 640 us.
TEST_CASE("limits: a sender that waits after RNR NAKs is bound by the receives of its peer") {
    const ChildResult run = run_bound(
        R"("size": "4 KiB", "count": 160, "window": 64, "credits": false, "receives": 16, "repost_batch": 16)",
        {"profile=infiniband"});
    shows(run);
    CHECK(run.limits.at(0).kind == "ring");
    CHECK(run.limits.at(0).what == "B.qps.q0.rq");
    CHECK(run.limits.at(0).parameter == "traffic.t.receives");
    CHECK(run.limits.at(0).binds);
    CHECK(run.limits.at(0).share_ppm > 980'000);
}

// One Write at a time, of which about 2 % are lost: no later packet reveals that, only the timeout of 4.096 us * 2^8.
// With half of it, the run takes half of that time less.
TEST_CASE("limits: with one Write outstanding it is the timeout, once packets are lost") {
    const std::string text = R"({"hosts": {"A": {}, "B": {}}, "faults": [{"drop": "A", "rate": "2 %"}], "traffic": {
        "t": {"from": "A", "to": "B", "operation": "write", "size": "4 KiB", "count": 2000, "window": 1}}})";
    const ChildResult run = finish_text(text, {"nic.timeout_code=8"});
    shows(run);
    const SeenLimit& top = run.limits.at(0);
    CHECK(top.what == "A.nic.completer");
    CHECK(top.parameter == "hosts.A.nic.timeout_code");
    const std::uint64_t timeouts = run.metric("A.nic.completer.timeouts") * 4'096'000 * 256;
    const std::uint64_t time = run.metric("run.ended") - run.metric("run.started");
    CHECK(top.share_ppm == Catch::Approx(timeouts / (time / 1'000'000)).epsilon(0.05));
    const ChildResult half = finish_text(text, {"nic.timeout_code=7"});
    CHECK(half.metric("run.ended") - half.metric("run.started") == Catch::Approx(time - timeouts / 2).epsilon(0.01));
}

TEST_CASE("limits: servers that never rest come before what is full because of them") {
    const Scenario scenario =
        load_scenario("f", R"({"hosts": {"A": {}, "B": {}}, "traffic": {"t": {"from": "A", "to": "B"}}})", {});
    Metrics metrics;
    metrics.add("run.measured", 1000, Quantity::time, "");
    metrics.add("l0_A_to_B.busy", 950, Quantity::time, "");
    metrics.add("l0_B_to_A.busy", 20, Quantity::time, "");
    metrics.add("A.nic.wqe.sq_in_flight.full", 980'000, Quantity::fraction, "");
    metrics.add("A.nic.dma.tags.full", 300'000, Quantity::fraction, "");
    metrics.add("A.cpu_t.window_full", 1000, Quantity::time, "");
    const std::vector<Limit> limits = limits_of(scenario, metrics);
    REQUIRE(limits.size() == 5);
    CHECK(limits[0].what == "l0_A_to_B");
    CHECK(limits[0].binds);
    CHECK(limits[1].what == "A.nic.wqe.sq_in_flight");
    CHECK_FALSE(limits[1].binds);
    CHECK(limits[1].parameter.basis == LimitBasis::assumed);  // an estimate
    CHECK(limits[2].what == "A.nic.dma.tags");
    CHECK(limits[2].parameter.basis == LimitBasis::measured);
    CHECK(limits[3].what == "traffic t");
    // All but the 95 % in which the wire was busy: the slots were full for 98 %, but for 30 % of that for want of tags.
    CHECK(limits[3].share_ppm == 50'000);
    CHECK(limits[4].what == "l0_B_to_A");
}

TEST_CASE("limits: what is full for about as long is named from where the data ends") {
    const Scenario scenario =
        load_scenario("f", R"({"hosts": {"A": {}, "B": {}}, "traffic": {"t": {"from": "A", "to": "B"}}})", {});
    Metrics metrics;
    metrics.add("run.measured", 1000, Quantity::time, "");
    metrics.add("A.nic.dma.tags.full", 990'000, Quantity::fraction, "");
    metrics.add("B.pcie.posted_data.full", 960'000, Quantity::fraction, "");
    metrics.add("A.cpu_t.queue_full", 500, Quantity::time, "");
    const std::vector<Limit> limits = limits_of(scenario, metrics);
    REQUIRE(limits.size() == 2);  // the queue's share is half of 1 %
    CHECK(limits[0].what == "B.pcie.posted_data");
    CHECK(limits[1].what == "A.nic.dma.tags");
    CHECK(limits[1].binds);
}

TEST_CASE("limits: the buffer of a switch, and with a bound of their own its queues, are between receiver and sender") {
    const std::string text = R"({"hosts": {"A": {}, "B": {"preset": "D"}, "C": {}},
        "switches": {"s0": {"port_buffer": "64 KiB"}, "s1": {"buffer": "1 MiB"}},
        "links": {"a": {"between": ["A", "s0"]}, "b": {"between": ["s1", "B"]}, "c": {"between": ["C", "s1"]},
                  "x": {"between": ["s0", "s1"]}},
        "traffic": {"t": {"from": "A", "to": "C"}}})";
    const Scenario scenario = load_scenario("f", text, {});
    Metrics metrics;
    metrics.add("run.measured", 1000, Quantity::time, "");
    metrics.add("x_s0_to_s1.busy", 500, Quantity::time, "");
    metrics.add("b_s1_to_B.busy", 400, Quantity::time, "");
    for (const char* const pool :
         {"A.nic.tx.tx_fifo", "s0.buffer", "s0.s1.queue", "s1.buffer", "s1.C.queue", "C.nic.rx.rx_buffer"}) {
        metrics.add(std::string(pool) + ".full", 700'000, Quantity::fraction, "");
    }
    std::vector<std::string> seen;
    for (const Limit& limit : limits_of(scenario, metrics)) {
        seen.push_back(limit.what + ": " + limit.parameter.path + " = " + limit.parameter.value + ", " +
                       std::string(kLimitBasisNames.at(static_cast<std::size_t>(limit.parameter.basis))) +
                       (limit.binds ? ", binds" : ""));
    }
    CHECK(seen == std::vector<std::string>{
                      "C.nic.rx.rx_buffer: hosts.C.nic.rx_buffer = 256 KiB, assumed, binds",
                      "s0.buffer: switches.s0.buffer = 16 MiB, assumed, binds",
                      "s0.s1.queue: switches.s0.port_buffer = 64 KiB, chosen, binds",
                      "s1.buffer: switches.s1.buffer = 1 MiB, chosen, binds",  // its queues have no bound of their own
                      "A.nic.tx.tx_fifo: hosts.A.nic.tx_fifo = 64 KiB, assumed, binds",
                      "x_s0_to_s1: links.x.rate = 100 Gbps, chosen",
                      "b_s1_to_B: links.b.rate = 400 Gbps, chosen",
                  });
}

}  // namespace ndsim::test::limits_test
