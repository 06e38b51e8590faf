// SPDX-License-Identifier: Apache-2.0
#include "tests/tools/advise/judged.hpp"
#include "tests/tools/advise/one_generator.hpp"
#include "tools/advise/wire_share.hpp"

namespace ndsim::advise::lane_shares_test {

using test::Json;
using test::judge;
using test::metric;
using test::scenario;

TEST_CASE("wire share: payload of whole messages, all that is on the lane counted") {
    // A Send of 4096 B: 82 B around it, 100 Gb/s x 4096 / 4178 (timing.md F4: 98.04 %).
    CHECK(payload_rate(scenario(R"("size": "4 KiB")"), scenario(R"("size": "4 KiB")").traffic[0]).bits_per_second ==
          100'000'000'000ULL * 4096 / 4178);
    const Scenario write = scenario(R"("size": "64 B", "operation": "write")");
    CHECK(payload_rate(write, write.traffic[0]).bits_per_second == 100'000'000'000ULL * 64 / (64 + 82 + 16));  // RETH
    // A Read of 8 KiB is answered with two packets, and both have an AETH: 2 x (4096 + 82 + 4).
    const Scenario read = scenario(R"("size": "8 KiB", "operation": "read")");
    CHECK(payload_rate(read, read.traffic[0]).bits_per_second == 100'000'000'000ULL * 8192 / (2 * 4182));
    Scenario infiniband = write;
    infiniband.links[0].params.framing = Framing::infiniband;
    CHECK(payload_rate(infiniband, write.traffic[0]).bits_per_second == 100'000'000'000ULL * 64 / (64 + 26 + 16));
    CHECK(payload_lane(read, read.traffic[0]) == "l0_B_to_A");
    CHECK(payload_lane(write, write.traffic[0]) == "l0_A_to_B");
}

// Eight senders into R through a switch. R's link is l8, and each sender has an eighth of it.
Scenario eight_into_one(const std::string& more = "", const std::string& network = "") {
    std::string hosts;
    std::string traffic;
    for (const char* const n : {"0", "1", "2", "3", "4", "5", "6", "7"}) {
        hosts += std::string("\"S") + n + "\": {}, ";
        traffic += std::string(traffic.empty() ? "" : ", ") + "\"t" + n + R"(": {"size": "4 KiB", "from": "S)" + n +
                   R"(", "to": "R.q)" + n + "\"}";
    }
    return load_scenario("f", R"({"hosts": {)" + hosts + R"("R": {}, "Q": {}}, "switches": {"s0": {}}, "traffic": {)" +
                                  traffic + more + "}" + network + "}");
}

Json eighths_of(std::uint64_t goodput, std::uint64_t interval_ppm = 0) {
    Json metrics{{"run.to_R.interval", metric(interval_ppm, "ppm")}};
    for (int n = 0; n < 8; ++n) {
        metrics["traffic.t" + std::to_string(n) + ".shared_goodput"] = metric(goodput / 8, "bps");
    }
    return metrics;
}

TEST_CASE("wire share: senders into one host share the lane from the switch to it") {
    const Scenario s = eight_into_one();
    const std::vector<SharedLane> lanes = lanes_that_count(s);
    REQUIRE(lanes.size() == 1);
    CHECK(lanes[0].name == "l8_s0_to_R");
    REQUIRE(lanes[0].shares.size() == 8);
    CHECK(lanes[0].shares[7].generator == &s.traffic[7]);
    CHECK(lanes[0].shares[7].rate.bits_per_second == 100'000'000'000ULL * 4096 / 4178);
    CHECK(payload_lane(s, s.traffic[3]) == "l8_s0_to_R");
    // 96 of 98.04 Gbps are 97.9 %; 90 are 91.8 %.
    CHECK(judge(s, "95 % of line rate", eighths_of(96'000'000'000)).verdict == Verdict::met);
    CHECK(judge(s, "95 % of line rate", eighths_of(96'000'000'000)).found.at(0) == "97.9 % of line rate");
    CHECK(judge(s, "95 % of line rate", eighths_of(90'000'000'000)).verdict == Verdict::missed);
}

// Each takes from the others what it gets more itself: its own interval says nothing of the sum.
TEST_CASE("wire share: the interval of a lane is that of the sum of its generators") {
    const auto judged = [](std::uint64_t of_sum, std::uint64_t of_each) {
        Json metrics = eighths_of(96'000'000'000, of_sum);
        for (int n = 0; n < 8; ++n) {
            metrics["traffic.t" + std::to_string(n) + ".interval"] = metric(of_each, "ppm");
            metrics["traffic.t" + std::to_string(n) + ".shared_interval"] = metric(of_each, "ppm");
        }
        return judge(eight_into_one(), "95 % of line rate", metrics);
    };
    CHECK(judged(1'000, 900'000).verdict == Verdict::met);
    // 97.9 % +- 5 % of it is 93.0 .. 102.8 %.
    CHECK(judged(50'000, 1'000).verdict == Verdict::open);
    CHECK(judged(50'000, 1'000).found.at(0) == "97.9 % of line rate +- 5.0 %");
    // Less than a tenth is rounded up: 95.003 % +- 0.01 %.
    const Judgement near = judge(eight_into_one(), "95 % of line rate", eighths_of(93'138'000'000, 100));
    CHECK(near.found.at(0) == "95.0 % of line rate +- 0.1 %");
}

TEST_CASE("wire share: generators that were measured side by side for a moment only are no answer") {
    Json metrics = eighths_of(96'000'000'000);
    metrics.erase("run.to_R.interval");
    for (int n = 0; n < 8; ++n) {
        metrics["traffic.t" + std::to_string(n) + ".goodput"] = metric(12'000'000'000, "bps");
        metrics["traffic.t" + std::to_string(n) + ".message_rate"] = metric(n == 5 ? 300'000 : 100'000, "count");
        metrics["traffic.t" + std::to_string(n) + ".measured"] = metric(1'000, "count");
    }
    const Judgement judgement = judge(eight_into_one(), "50 % of line rate", metrics);
    CHECK(judgement.verdict == Verdict::open);
    CHECK(judgement.found.at(0) == "97.9 % of line rate, in a time too short to tell");
    CHECK(judgement.early == std::set<std::string>{"t5"});  // in a third of the others' time
    Scenario of_window = eight_into_one();
    of_window.measure.window = 100;
    CHECK(judge(of_window, "50 % of line rate", metrics).early.empty());  // it ends with the same message
    metrics["traffic.t5.measured"] = metric(2'700, "count");
    CHECK(judge(eight_into_one(), "50 % of line rate", metrics).early.empty());  // in nine tenths
}

TEST_CASE("wire share: of a generator that had ended before the others were measured, the share is unknown") {
    Json metrics = eighths_of(96'000'000'000);
    metrics["traffic.t3.shared_goodput"] = metric(0, "bps");
    metrics["traffic.t3.goodput"] = metric(12'000'000'000, "bps");
    const Judgement judgement = judge(eight_into_one(), "50 % of line rate", metrics);
    CHECK(judgement.verdict == Verdict::open);
    CHECK(judgement.early == std::set<std::string>{"t3"});
    // What was measured behind its end had more of the lane, and short times say nothing.
    Json faster = metrics;
    faster["traffic.t5.measured"] = metric(1'000, "count");
    CHECK(judge(eight_into_one(), "50 % of line rate", faster).early == std::set<std::string>{"t3"});
    // It was nearly done, and moved the last of its data in the first batch.
    metrics["traffic.t3.shared_goodput"] = metric(500'000'000, "bps");
    metrics["traffic.t3.shared_interval"] = metric(2'090'000, "ppm");
    CHECK(judge(eight_into_one(), "50 % of line rate", metrics).verdict == Verdict::open);
    metrics["traffic.t3.shared_interval"] = metric(300'000, "ppm");
    CHECK(judge(eight_into_one(), "50 % of line rate", metrics).verdict == Verdict::met);
    CHECK(judgement.found.at(0) == "traffic.t3 had ended before all others were measured (raise its count)");
}

// t0 is on both lanes that count, and named once. Lanes of one generator need an interval of the shared time, too.
TEST_CASE("wire share: of lanes that are measured for too short a time, each leaves a run open") {
    const Scenario s = eight_into_one(R"(, "t8": {"size": "4 KiB", "from": "S0.u", "to": "Q"})");
    Json metrics = eighths_of(96'000'000'000);
    metrics["traffic.t8.shared_goodput"] = metric(86'000'000'000, "bps");  // beside 12 of t0
    CHECK(judge(s, "95 % of line rate", metrics).verdict == Verdict::open);
    metrics["run.from_S0.interval"] = metric(0, "ppm");
    CHECK(judge(s, "95 % of line rate", metrics).verdict == Verdict::met);
    const Scenario pairs = load_scenario("f", R"({"hosts": {"A": {}, "B": {}, "C": {}, "D": {}},
        "switches": {"s0": {}}, "traffic": {"t": {"from": "A", "to": "B"}, "u": {"from": "C", "to": "D"}}})");
    Json of_pairs{{"traffic.t.shared_goodput", metric(97'000'000'000, "bps")},
                  {"traffic.u.shared_goodput", metric(97'000'000'000, "bps")},
                  {"traffic.t.shared_interval", metric(0, "ppm")}};
    CHECK(judge(pairs, "95 % of line rate", of_pairs).verdict == Verdict::open);
    of_pairs["traffic.u.shared_interval"] = metric(0, "ppm");
    CHECK(judge(pairs, "95 % of line rate", of_pairs).verdict == Verdict::met);
}

// S0's link has two generators, R's has eight: t8 counts where it meets t0, which takes an eighth there.
TEST_CASE("wire share: a lane has all generators on it, also those that another lane counts for") {
    const Scenario s = eight_into_one(R"(, "t8": {"size": "4 KiB", "from": "S0.u", "to": "Q"})");
    const std::vector<SharedLane> lanes = lanes_that_count(s);
    REQUIRE(lanes.size() == 2);
    CHECK(lanes[0].name == "l0_S0_to_s0");
    REQUIRE(lanes[0].shares.size() == 2);
    CHECK(lanes[0].shares[0].generator->name == "t0");
    CHECK(lanes[1].name == "l8_s0_to_R");
    CHECK(lanes[1].shares.size() == 8);
}

// A link of 10 Gbps gives its only generator less than an eighth of R's, 12.5.
TEST_CASE("wire share: a slow link on the way is the one that counts") {
    Scenario s = eight_into_one();
    s.links[2].params.rate = Bandwidth{10'000'000'000};
    CHECK(payload_lane(s, s.traffic[2]) == "l2_S2_to_s0");
    CHECK(payload_rate(s, s.traffic[2]).bits_per_second == 10'000'000'000ULL * 4096 / 4178);
    CHECK(payload_lane(s, s.traffic[3]) == "l8_s0_to_R");
}

// The payload of R's Reads comes the same way; as far as each lane has one generator, the last one counts.
TEST_CASE("wire share: Reads through two switches, with links that are all alike") {
    const Scenario s = load_scenario("f", R"({"hosts": {"A": {}, "B": {}}, "switches": {"s0": {}, "s1": {}},
        "links": {"a": {"between": ["A", "s0"]}, "x": {"between": ["s0", "s1"]}, "b": {"between": ["s1", "B"]}},
        "traffic": {"t": {"from": "A", "to": "B", "operation": "read"}}})");
    CHECK(payload_lane(s, s.traffic[0]) == "a_s0_to_A");
    Scenario slow = s;
    slow.links[1].params.rate = Bandwidth{10'000'000'000};
    CHECK(payload_lane(slow, slow.traffic[0]) == "x_s1_to_s0");
}

}  // namespace ndsim::advise::lane_shares_test
