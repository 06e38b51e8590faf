// SPDX-License-Identifier: Apache-2.0
#include "tests/scenarios/result/limits_runs.hpp"

// Limits that are servers: message rates, the pace of Reads, the cap of strict writes, cores.
namespace ndsim::test::limits_servers_test {

// With doorbells of 50 ns the core posts one each 50 + 50 + 60 / 16 ns, 9.6 M/s; the preset allows one queue pair 6
// M/s, from memory.
TEST_CASE("limits: a message rate of the preset is an assumed one") {
    const ChildResult run = run_bound(kWrites + R"("window": 64, "signal_every": 16)", {"cpu.mmio_uc=50 ns"});
    shows(run);
    const SeenLimit& top = run.limits.at(0);
    CHECK(top.kind == "rate");
    CHECK(top.parameter == "hosts.A.nic.per_qp_rate");
    CHECK(top.value == "6 M/s");
    CHECK(top.basis == "assumed");
    CHECK(run.metric("traffic.t.message_rate") == Catch::Approx(6e6).epsilon(0.01));
}

// A core that posts 9.6 M/s, a queue pair of 6 M/s and a NIC of 1 M/s: the NIC is what binds, all of the time.
TEST_CASE("limits: the NIC's message rate binds, and not the queue pair's that is higher") {
    const ChildResult run =
        run_bound(kWrites + R"("window": 64, "signal_every": 16)", {"cpu.mmio_uc=50 ns", "nic.global_rate=1 M/s"});
    shows(run);
    const SeenLimit& top = run.limits.at(0);
    CHECK(top.parameter == "hosts.A.nic.global_rate");
    CHECK(top.binds);
    CHECK(top.share_ppm > 990'000);
    CHECK(run.metric("traffic.t.message_rate") == Catch::Approx(1e6).epsilon(0.01));
}

// 16 Reads in 1.9 us would be 8 M/s, and the core posts one each 50 + 50 + 60 / 16 ns; the responder starts one of the
// queue pair each 500 ns.
TEST_CASE("limits: the interval of a queue pair's Reads at the responder") {
    const ChildResult run =
        run_bound(R"("operation": "read", "size": "8 B", "count": 2000, "window": 64, "signal_every": 16)",
                  {"cpu.mmio_uc=50 ns", "nic.read_interval=500 ns"});
    shows(run);
    const SeenLimit& top = run.limits.at(0);
    CHECK(top.kind == "rate");
    CHECK(top.parameter == "hosts.B.nic.read_interval");
    CHECK(run.metric("traffic.t.message_rate") == Catch::Approx(2e6).epsilon(0.01));
}

// The response to 4 KiB takes 4182 B x 80 ps = 334.56 ns of the lane, and 500 ns later the next Read of the queue pair
// starts: 1.198 M/s. Sixteen Reads outstanding would be far more.
TEST_CASE("limits: the gap behind the responses to a Read is what binds, and not the Reads outstanding") {
    const std::string reads = R"("operation": "read", "size": "4 KiB", "count": 1000, "window": 64)";
    const ChildResult run = run_bound(reads, {"nic.read_gap=500 ns"});
    shows(run);
    const SeenLimit& top = run.limits.at(0);
    CHECK(top.kind == "rate");
    CHECK(top.what == "B.nic.read_responder");
    CHECK(top.parameter == "hosts.B.nic.read_gap");
    CHECK(top.binds);
    CHECK(top.share_ppm > 990'000);
    CHECK_FALSE(run.limits.at(1).binds);
    CHECK(run.metric("traffic.t.message_rate") == Catch::Approx(1e12 / 834'560).epsilon(0.01));
    // Preset B's 20 ns are 6 % of the time: the wire is the limit.
    CHECK(run_bound(reads).limits.at(0).parameter == "links.l0.rate");
}

// 100 Gb/s arrive, and 20 Gb/s become visible; so the credits of posted writes do not come back in time.
TEST_CASE("limits: the cap of strict writes is what binds, and not the credits that wait for it") {
    const std::string writes = R"("operation": "write", "size": "16 KiB", "count": 300, "window": 16)";
    const ChildResult run = run_bound(writes, {"hosts.B.root.strict_write_cap=20 Gbps"});
    shows(run);
    const SeenLimit& top = run.limits.at(0);
    CHECK(top.kind == "rate");
    CHECK(top.what == "B.root");
    CHECK(top.parameter == "hosts.B.root.strict_write_cap");
    CHECK(top.binds);
    CHECK_FALSE(run.limits.at(1).binds);
    CHECK(run.metric("traffic.t.goodput") == Catch::Approx(20e9).epsilon(0.02));
}

// Other software takes the core for 15 us of each 25 on average; in the rest it posts without a pause. Together that is
// all the time, and neither part is nine tenths of it.
TEST_CASE("limits: a core that other software holds is busy, and the preemption is the largest part of it") {
    const ChildResult run = run_bound(R"("operation": "write", "size": "64 B", "count": 20000, "window": 64)",
                                      {"cpu.preempt_every=10 us", "cpu.preempt_time=15 us"});
    shows(run);
    const SeenLimit& top = run.limits.at(0);
    CHECK(top.kind == "core");
    CHECK(top.what == "A.cpu_t");
    CHECK(top.binds);
    CHECK(top.share_ppm > 950'000);
    CHECK(top.parameter == "hosts.A.cpu.preempt_time");
}

// A Read of 4 KiB is outstanding for more than 2 us: two flights of 500 ns less switches, reading and writing at 390 ns
// and more each. With one for each queue pair its rate, one in a microsecond, is used for less than half of the time.
// That one of three then nearly always waits for it says nothing.
TEST_CASE(
    "limits: queue pairs that share an engine are bound by their Reads, not by the rate that one of them waits for") {
    const auto reads = [](const std::string& n) {
        return R"("r)" + n + R"(": {"from": "A.q)" + n + R"(", "to": "B.q)" + n +
               R"(", "operation": "read", "size": "4 KiB", "count": 300, "window": 8})";
    };
    const ChildResult run =
        finish_text(R"({"hosts": {"A": {"nic": {"per_qp_rate": "1 M/s"}, "qps": {"q0": {"outbound_reads": 1},
        "q1": {"outbound_reads": 1}, "q2": {"outbound_reads": 1}}}, "B": {}}, "links": {"l": {"length": "100 m"}}, "traffic": {)" +
                    reads("0") + "," + reads("1") + "," + reads("2") + "}}");
    shows(run);
    CHECK(run.limits.at(0).parameter == "hosts.A.qps.q0.outbound_reads");
    CHECK(run.limits.at(0).binds);
    for (const SeenLimit& limit : run.limits) {
        CHECK((limit.kind != "rate" || limit.share_ppm < 500'000));
    }
}

// 60 ns of poll, 50 of WQE and 100 of doorbell for each receive, for which the sender needs 185 ns.
TEST_CASE("limits: small Sends are bound by the core that takes them") {
    const ChildResult run = run_bound(R"("size": "64 B", "count": 4000, "window": 64)");
    shows(run);
    CHECK(run.limits.at(0).kind == "core");
    CHECK(run.limits.at(0).what == "B.cpu_t");
    CHECK(run.limits.at(0).parameter == "hosts.B.cpu.mmio_uc");
    CHECK(run.limits.at(0).basis == "measured parameter");
}

// Each receive is posted 2 us late on average. The other work of the receiver's core, and the wire, need a tenth of
// that.
TEST_CASE("limits: a receiver that posts its receives late is the limit, by its jitter") {
    const ChildResult run =
        run_bound(R"("size": "512 B", "count": 2000, "window": 32)", {"hosts.B.cpu.repost_jitter=2 us"});
    shows(run);
    const SeenLimit& top = run.limits.at(0);
    CHECK(top.what == "B.cpu_t");
    CHECK(top.parameter == "hosts.B.cpu.repost_jitter");
    CHECK(top.value == "2 us");
}

}  // namespace ndsim::test::limits_servers_test
