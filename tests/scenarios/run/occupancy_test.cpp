// SPDX-License-Identifier: Apache-2.0

#include "tests/support/catch.hpp"
#include "tests/support/child.hpp"

namespace ndsim::test::occupancy_test {

ChildResult stream(const std::vector<std::string>& overrides) {
    const ChildResult run = run_text(R"({"hosts": {"A": {}, "B": {}}, "traffic": {"t": {"from": "A", "to": "B",
        "size": "64 B", "count": 4000, "window": 5, "receives": 40}}, "measure": {"warmup": 1000}})",
                                     overrides);
    INFO(run.why);
    REQUIRE(run.ended);
    CHECK(run.outcome == RunOutcome::finished);
    return run;
}

TEST_CASE("occupancy: the SQ holds the window, the RQ what is posted ahead, within their depths") {
    const ChildResult run = stream({"hosts.A.qps.q0.sq.depth=16", "hosts.B.qps.q0.rq.depth=64"});
    CHECK(run.metric("A.qps.q0.sq.capacity") == 16);
    CHECK(run.metric("A.qps.q0.sq.high_water") == 5);
    CHECK(run.metric("A.qps.q0.sq.full") == 0);
    CHECK(run.metric("B.qps.q0.rq.capacity") == 64);
    CHECK(run.metric("B.qps.q0.rq.high_water") == 40);
    // One packet a message, so no more of them than messages.
    CHECK(run.metric("A.qps.q0.psn_window.high_water") <= 5);
    CHECK(run.metric("A.qps.q0.psn_window.high_water") >= 1);
    // What is in one stage is in the queue.
    CHECK(run.metric("A.qps.q0.sq_doorbelled.mean_milli") + run.metric("A.qps.q0.sq_fetched.mean_milli") +
              run.metric("A.qps.q0.sq_unacknowledged.mean_milli") + run.metric("A.qps.q0.sq_completed.mean_milli") <=
          run.metric("A.qps.q0.sq.mean_milli") + 4);
}

TEST_CASE("occupancy: the mean of the SQ is the message rate times the life of a request") {
    // Little's law over the measured window, which begins and ends with at most five requests of 3,000 under way.
    const ChildResult run = stream({});
    const auto rate = static_cast<double>(run.metric("traffic.t.message_rate"));
    const auto life = static_cast<double>(run.metric("ledger.A.send.mean")) * 1e-12;
    CHECK(static_cast<double>(run.metric("A.qps.q0.sq.mean_milli")) / 1000 ==
          Catch::Approx(rate * life).epsilon(5.0 / 3000));
}

// The core posts all hundred ahead of the simulation, and the statistics begin with the first of them. Every slot is
// taken and given back within the run, so Little's law holds without a limit, but for the rounding of the two means.
TEST_CASE("occupancy: the SQ of a program that posts a burst is counted from its first post") {
    const ChildResult run = finish_text(R"({"hosts": {"A": {"buffers": {"b": {}}}, "B": {"buffers": {"b": {}}}},
        "programs": {"A": [{"sleep": "50 us"}, {"post": "write", "buffer": "b", "size": "64 B", "to": "B.b", "count": 100},
                           {"poll": "q0.send", "count": 100}]}})");
    const auto lives = 100.0 * static_cast<double>(run.metric("ledger.A.write.mean"));
    const auto measured = static_cast<double>(run.metric("run.measured"));
    CHECK(static_cast<double>(run.metric("A.qps.q0.sq.mean_milli")) ==
          Catch::Approx(1000 * lives / measured).margin(1));
}

TEST_CASE("occupancy: an SQ that is shallower than the window is full") {
    const ChildResult run = stream({"hosts.A.qps.q0.sq.depth=2"});
    CHECK(run.metric("A.qps.q0.sq.high_water") == 2);
    CHECK(run.metric("A.qps.q0.sq.full") > 900'000);
    CHECK(run.metric("traffic.t.queue_full") > 0);
}

TEST_CASE("occupancy: a CQ holds what is made until the NIC hears of the poll") {
    // The NIC hears of every 16th poll (cq_update_every), so up to 15 polled entries and those not yet polled count.
    const ChildResult run = stream({});
    CHECK(run.metric("A.cqs.q0_send.entries.high_water") >= 15);
    CHECK(run.metric("A.cqs.q0_send.entries.high_water") <= 15 + 5 + 5);
    CHECK(run.metric("A.cqs.q0_send.unpolled.high_water") <= 5);
    CHECK(run.metric("B.cqs.q0_receive.unpolled.high_water") >= 1);
}

TEST_CASE("occupancy: the queues of a host with many queue pairs are counted together") {
    std::string qps;
    for (int i = 0; i < 65; ++i) {
        const std::string name = "x" + std::to_string(i);
        qps += (i > 0 ? ", \"" : "\"") + name + R"(": {"connect": "B.)" + name + "\"}";
    }
    std::string peers = qps;
    for (std::size_t at = 0; (at = peers.find(R"("connect": "B.)", at)) != std::string::npos;) {
        peers.erase(at, peers.find('"', at + 13) + 1 - at);
    }
    const ChildResult run =
        run_text(R"({"hosts": {"A": {"qps": {)" + qps + R"(}}, "B": {"qps": {)" + peers +
                 R"(}}}, "traffic": {"t": {"from": "A.x0", "to": "B.x0", "count": 100, "window": 4}}})");
    INFO(run.why);
    REQUIRE(run.ended);
    CHECK(run.metric("A.qps.others.sq.high_water") == 4);
    CHECK(run.metrics.count("A.qps.x0.sq.high_water") == 0);
    CHECK(run.metrics.count("A.qps.others.sq.capacity") == 0);
}

TEST_CASE("occupancy: Reads are counted at both ends, up to what was agreed") {
    // The reader may have four outstanding, its peer allows three; the window never lets it rest.
    const std::string text = R"({"hosts": {"A": {"qps": {"q": {"connect": "B.q", "outbound_reads": 4}}},
        "B": {"qps": {"q": {"inbound_reads": 3, "outbound_reads": 4}}}}, "traffic": {"t": {"from": "A.q", "to": "B.q", "operation": "read",
        "size": "4 KiB", "count": 400, "window": 8}}})";
    const ChildResult run = finish_text(text, {"measure.warmup=50", "measure.window=200"});
    CHECK(run.metric("A.qps.q.outbound_reads.capacity") == 3);
    CHECK(run.metric("A.qps.q.outbound_reads.high_water") == 3);
    CHECK(run.metric("A.qps.q.outbound_reads.now") == 3);
    CHECK(run.metric("A.qps.q.outbound_reads.empty") == 0);
    CHECK(run.metric("B.qps.q.inbound_reads.capacity") == 3);
    CHECK(run.metric("B.qps.q.inbound_reads.high_water") >= 1);
    // It is a part of the time for which the reader counts it.
    CHECK(run.metric("B.qps.q.inbound_reads.mean_milli") < run.metric("A.qps.q.outbound_reads.mean_milli"));
    CHECK(run.metric("A.qps.q.inbound_reads.high_water") == 0);
    CHECK(run.metric("A.qps.q.inbound_reads.capacity") == 4);  // of those that B might send
    CHECK(run.metric("A.qps.q.inbound_reads.empty") == 1'000'000);
}

TEST_CASE("occupancy: no more receives are fetched than may be, and those taken make room") {
    const ChildResult run = stream({"nic.rq_prefetch=12"});
    CHECK(run.metric("B.qps.q0.rq_fetched.capacity") == 12);
    CHECK(run.metric("B.qps.q0.rq_fetched.high_water") == 12);
    CHECK(run.metric("B.qps.q0.rq_fetched.mean_milli") < run.metric("B.qps.q0.rq_ready.mean_milli"));
}

TEST_CASE("occupancy: the distribution of one transfer a microsecond") {
    // A read of 64 B on an idle link takes 24 B up, 84 B down, the cache and two ways: 1.604 + 5.613 + 120 + 270 ns.
    const ChildResult run = run_dma(R"("size": "64 B", "in_flight": 1, "issue": "1 us", "count": 100)");
    const std::uint64_t latency = 1'604 + 5'613 + 120'000 + 270'000;
    // Measured from the end of the 10th, a tenth is the warm-up, to the end of the 100th: 90 periods.
    REQUIRE(run.metric("run.measured") == 90'000'000);
    CHECK(run.metric("A.dma_t.in_flight.empty") == 1'000'000 - latency);  // ppm: of each microsecond, in ps
    CHECK(run.metric("A.dma_t.in_flight.full") == latency);
    CHECK(run.metric("A.dma_t.in_flight.p50") == 0);
    CHECK(run.metric("A.dma_t.in_flight.p90") == 1);
    CHECK(run.metric("A.dma_t.in_flight.p99") == 1);
    CHECK(run.metric("A.dma_t.in_flight.now") == 0);  // the last one has just ended
    // The generator is paced by its distance, and DMA rests between two reads.
    CHECK(run.metric("A.dma_t.blocked") == 0);
    CHECK(run.metric("A.nic.dma.reads.busy") == 90 * latency);
    CHECK(run.metric("A.nic.dma.reads.blocked") == 0);
}

TEST_CASE("occupancy: programs are measured from the first request of a send queue on") {
    // B's receive is posted at the start, and A's Send 100 us later, with the next run of A's core.
    const ChildResult run = finish_text(R"({
        "hosts": {
            "A": {"buffers": {"tx": {"size": "64 B"}}},
            "B": {"buffers": {"rx": {"size": "64 B"}}}},
        "programs": {
            "A": [{"sleep": "100 us"}, {"post": "send", "buffer": "tx"}, {"poll": "q0.send"}],
            "B": [{"post": "receive", "buffer": "rx"}, {"poll": "q0.receive"}]}})");
    CHECK(run.metric("run.ended") - run.metric("run.started") == 100'000'000 + run.metric("run.measured"));
    // The receive was there before, and is taken within that time.
    CHECK(run.metric("B.qps.q0.rq.high_water") == 1);
    CHECK(run.metric("B.qps.q0.rq.now") == 0);
}

TEST_CASE("back-pressure: a full doorbell FIFO stalls the posting core") {
    // One doorbell a microsecond is decoded; behind a FIFO of 1 the link holds 4 stores and each core 2 more. The
    // sender stores once a message and, for the consumer index, every 16th; the receiver's own receives go at the same
    // rate.
    const ChildResult run = stream({"traffic.t.window=64", "nic.doorbell_decode=1 us", "nic.doorbell_fifo=1",
                                    "pcie.bar_posted_headers=4", "cpu.store_buffer=2"});
    CHECK(static_cast<double>(run.metric("traffic.t.message_rate")) ==
          Catch::Approx(1e6 / (1 + 1.0 / 16)).epsilon(0.01));
    CHECK(run.metric("A.cpu_t.store_buffer.high_water") == 2);
    CHECK(run.metric("A.cpu_t.stalled") > 0);
    // A message is wanted as soon as its predecessor is posted, and waits for the doorbells in front.
    CHECK(run.metric("A.nic.doorbell.fifo.full") > 900'000);
}

// Four tags are fewer than the eight reads of a packet: while one packet is on the lane the next one is being read, and
// the one behind it waits for tags without room. A packet of a Write takes 4096 + 16 + 82 bytes.
TEST_CASE("occupancy: a TX FIFO as large as its high-water mark changes nothing, and one less is slower") {
    const auto ended = [](const std::string& fifo) {
        return finish_text(R"({"hosts": {"A": {}, "B": {}}, "traffic": {"t": {"from": "A", "to": "B",
                               "operation": "write", "size": "4 KiB", "window": 16, "count": 100}}})",
                           {"hosts.A.pcie.tags=4", "hosts.A.nic.tx_fifo=" + fifo});
    };
    const ChildResult free = ended("64 KiB");
    CHECK(free.metric("A.nic.tx.tx_fifo.high_water") == 2 * 4194);
    CHECK(ended("8388 B").metric("run.ended") == free.metric("run.ended"));
    CHECK(ended("8387 B").metric("run.ended") > free.metric("run.ended"));
}

}  // namespace ndsim::test::occupancy_test
