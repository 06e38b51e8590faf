// SPDX-License-Identifier: Apache-2.0
#include "tests/tools/advise/judged.hpp"
#include "tests/tools/advise/one_generator.hpp"
#include "tools/advise/range_ends.hpp"
#include "tools/advise/run_length.hpp"

namespace ndsim::advise::parts_test {

using namespace std::chrono_literals;
using test::dimensions_of;
using test::Json;
using test::judge;
using test::metric;
using test::named;
using test::result;
using test::scenario;

TEST_CASE("judge: a share of the wire is met, missed, or open while its interval holds the bound") {
    const Scenario s = scenario(R"("size": "4 KiB")");
    const std::uint64_t whole = 100'000'000'000ULL * 4096 / 4178;
    const auto with = [&](std::uint64_t percent, std::uint64_t interval_ppm) {
        return judge(s, "95 % of line rate",
                     {{"traffic.t.goodput", metric(whole / 100 * percent, "bps")},
                      {"traffic.t.interval", metric(interval_ppm, "ppm")}});
    };
    CHECK(with(96, 1'000).verdict == Verdict::met);
    CHECK(with(94, 1'000).verdict == Verdict::missed);
    // 96 % +- 2 % is 94.08 .. 97.92 %.
    CHECK(with(96, 20'000).verdict == Verdict::open);
    CHECK(with(94, 20'000).verdict == Verdict::open);
    CHECK(with(96, 20'000).found.front() == "96.0 % of line rate +- 2.0 %");
    CHECK(with(94, 1'000).found.front() == "94.0 % of line rate");
}

// Of several runs that meet their targets the worst one is told, so the share goes beyond all.
TEST_CASE("judge: how far a run is beyond its targets") {
    const Scenario s = scenario(R"("size": "4 KiB")");
    const auto latency = [&](std::uint64_t picoseconds) {
        return judge(s, "p99 < 5 us", {{"traffic.t.latency.p99", metric(picoseconds, "ps")}}).worst_ppm;
    };
    CHECK(latency(4'000'000) == 1'250'000);
    CHECK(latency(4'500'000) < latency(4'000'000));
    CHECK(latency(10'000'000) == 500'000);
    const auto failed = [&](const nlohmann::ordered_json& metrics) {
        return judge(s, "traffic.t.failed < 5", metrics).worst_ppm;
    };
    CHECK(failed({{"traffic.t.failed", metric(4, "")}}) == 1'250'000);
    CHECK(failed({{"traffic.t.failed", metric(0, "")}}) == UINT64_MAX);
    CHECK(failed(nlohmann::ordered_json::object()) == 0);
    CHECK(judge(s, "goodput >= 10 Gbps", {{"traffic.t.goodput", metric(20'000'000'000, "bps")}}).worst_ppm ==
          2'000'000);
}

TEST_CASE("judge: figures that are missing, runs that failed, and what must not happen") {
    const Scenario s = scenario(R"("size": "4 KiB")");
    CHECK(judge(s, "p99 < 5 us", {{"traffic.t.latency.p99", metric(4'999'999, "ps")}}).verdict == Verdict::met);
    CHECK(judge(s, "p99 < 5 us", {{"traffic.t.latency.p99", metric(5'000'001, "ps")}}).verdict == Verdict::missed);
    const Judgement unknown = judge(s, "p99 < 5 us", Json::object());
    CHECK(unknown.verdict == Verdict::missed);
    CHECK(unknown.why.find("unknown") != std::string::npos);
    Json stalled = result(Json::object());
    stalled["exit"] = 6;
    stalled["outcome"] = "stalled";
    stalled["why"] = "stalled";
    CHECK(Judge(s, parse_targets("no RNR").value.value()).judge(stalled).why == "stalled");
    stalled["outcome"] = "time_limit";
    CHECK(Judge(s, parse_targets("no RNR").value.value()).judge(stalled).found ==
          std::vector<std::string>{"stopped at limits.time"});

    // 999 of 1000 messages, the default count, or a connection that nobody wanted to end.
    const Json lost{{"traffic.t.latency.p99", metric(1, "ps")}, {"traffic.t.messages", metric(999, "count")}};
    CHECK(judge(s, "p99 < 5 us", lost).why == "traffic.t.messages 999 of 1000");
    Json dead = result({{"traffic.t.latency.p99", metric(1, "ps")}});
    dead["dead_connections"] = {{{"connection", "B.q0 to A.q0"}, {"why", "it overran"}, {"expected", false}}};
    const Judge on_time(s, parse_targets("p99 < 5 us").value.value());
    CHECK(on_time.judge(dead).verdict == Verdict::missed);
    CHECK(on_time.judge(dead).why == "connection B.q0 to A.q0 ended by an error: it overran");
    dead["dead_connections"][0]["expected"] = true;
    CHECK(on_time.judge(dead).verdict == Verdict::met);

    const Json clean{{"traffic.t.failed", metric(0, "count")},
                     {"A.nic.responder.rnr_naks", metric(0, "count")},
                     {"B.nic.responder.rnr_naks", metric(0, "count")}};
    CHECK(judge(s, "no RNR, no overflow", clean).verdict == Verdict::met);
    Json late = clean;
    late["B.nic.responder.rnr_naks"] = metric(1, "count");
    // What is shown is what decides: the host that had to refuse, and none that had not.
    CHECK(judge(s, "p99 < 5 us, no RNR",
                [&] {
                    Json both = late;
                    both["traffic.t.latency.p99"] = metric(1'000'000, "ps");
                    return both;
                }())
              .found.front() == "B.nic.responder.rnr_naks 1");
    CHECK(judge(s, "no RNR", late).found == std::vector<std::string>{"B.nic.responder.rnr_naks 1"});
    CHECK(judge(s, "no RNR", clean).found == std::vector<std::string>{"no RNR"});
    CHECK(judge(s, "no RNR", late).verdict == Verdict::missed);
    Json overrun = clean;
    overrun["A.nic.cq.overruns"] = metric(1, "count");
    CHECK(judge(s, "no overflow", overrun).verdict == Verdict::missed);
    // A queue pair that stood still for a timeout is no answer, whatever its latencies were meanwhile.
    Json still{{"traffic.t.latency.p99", metric(1, "ps")}, {"A.nic.completer.timeouts", metric(1, "count")}};
    CHECK(judge(s, "p99 < 5 us", still).why == "A.nic.completer.timeouts 1");
}

TEST_CASE("judge: what a switch drops is an overflow") {
    const Scenario s = load_scenario("f", R"({"hosts": {"A": {}, "B": {}}, "switches": {"s0": {}}, "traffic": {
        "t": {"from": "A", "to": "B", "size": "4 KiB"}}})");
    Json metrics{{"traffic.t.failed", metric(0, "count")}, {"s0.B.drops", metric(0, "count")}};
    CHECK(judge(s, "no overflow", metrics).verdict == Verdict::met);
    metrics["s0.B.drops"] = metric(1, "count");
    CHECK(judge(s, "no overflow", metrics).found.front() == "s0.B.drops 1");
    CHECK(judge(s, "no overflow", metrics).verdict == Verdict::missed);
}

TEST_CASE("dimension: a send queue holds at least the requests of one completion") {
    const Scenario s = scenario(R"("size": "4 KiB", "signal_every": 8, "window": 64)");
    CHECK(named(dimensions_of(s, true), "A SQ").low == 8);
}

TEST_CASE("dimension: those on the way of a Send, and what sets them") {
    const std::vector<Dimension> all = dimensions_of(scenario(R"("size": "4 KiB", "count": 100)"), true);
    const Dimension& queue = named(all, "A SQ");
    CHECK(overrides_of(queue, 48) == std::vector<std::string>{"hosts.A.nic.sq.depth=48", "traffic.t.window=48"});
    CHECK(named(all, "B RQ").host_bytes == 64);          // a receive WQE of one unit
    CHECK(named(all, "B CQ").host_bytes == 64);          // a CQE
    CHECK(named(all, "A read tags").chip_bytes == 512);  // MRRS of preset B: room for what comes back
    // A window is measured over ten times its length.
    // A tenth is the warm-up, and with the last message posted a tenth more is outstanding.
    CHECK(counts_for(scenario(R"("size": "4 KiB", "count": 100)"), all) ==
          std::vector<std::string>{"traffic.t.count=" + std::to_string(10 * queue.generous),
                                   "measure.window=" + std::to_string(8 * queue.generous)});
    // Four times as long: a tenth of 40 windows is the warm-up, and one is outstanding at the end.
    CHECK(counts_for(scenario(R"("size": "4 KiB", "count": 100)"), all, 4) ==
          std::vector<std::string>{"traffic.t.count=" + std::to_string(40 * queue.generous),
                                   "measure.window=" + std::to_string(35 * queue.generous)});
    // With a target of latency the application stays as it is.
    const std::vector<Dimension> kept = dimensions_of(scenario(R"("size": "4 KiB")"), false);
    CHECK(overrides_of(named(kept, "A SQ"), 48) == std::vector<std::string>{"hosts.A.nic.sq.depth=48"});
}

TEST_CASE("dimension: Reads count at both ends, for every queue pair") {
    const std::vector<Dimension> all =
        dimensions_of(scenario(R"("size": "4 KiB", "operation": "read", "queue_pairs": 2)"), true);
    CHECK(overrides_of(named(all, "A outstanding reads"), 7) ==
          std::vector<std::string>{"hosts.A.qps.q0.outbound_reads=7", "hosts.B.qps.q0.inbound_reads=7",
                                   "hosts.A.qps.q0_1.outbound_reads=7", "hosts.B.qps.q0_1.inbound_reads=7"});
    CHECK(named(all, "A outstanding reads").generous == 16);
    CHECK(overrides_of(named(all, "A SQ"), 5).back() == "traffic.t.window=10");  // of both queue pairs
    CHECK(named(all, "B read tags").own == 256);                                 // who answers reads its memory
}

TEST_CASE("range: of counts and of quantities, half and twice where no range is known") {
    CHECK(ends_of("hosts.A.pcie.tags", "65")->low == "32");
    CHECK(ends_of("hosts.A.pcie.tags", "65")->high == "130");
    CHECK(ends_of("hosts.A.nic.tx_fifo", "64 KiB")->low == "32 KiB");
    // 30 to 250 ns for a typical 35: 86 and 714 %; 50 to 120 for 100.
    CHECK(ends_of("hosts.A.nic.tx_pipe", "35 ns")->low == "30.1 ns");
    CHECK(ends_of("hosts.A.nic.tx_pipe", "35 ns")->high == "249.9 ns");
    CHECK(ends_of("links.l0.fec", "100 ns")->high == "120 ns");
    CHECK_FALSE(ends_of("hosts.A.pcie.tags", "1"));
    CHECK_FALSE(ends_of("hosts.A.pcie.tags", "0"));
    CHECK_FALSE(ends_of("hosts.A.nic.pause", "true"));
}

}  // namespace ndsim::advise::parts_test
