// SPDX-License-Identifier: Apache-2.0
#include "tools/advise/fixed_bounds.hpp"

#include <map>

#include "tests/tools/advise/one_generator.hpp"
#include "tools/advise/little.hpp"

namespace ndsim::advise::bounds_test {

using namespace std::chrono_literals;

using test::dimensions_of;
using test::named;
using test::scenario;

TEST_CASE("bounds: Little's law for messages, and for read tags") {
    const Scenario s = scenario(R"("size": "4 KiB")");
    const std::vector<Dimension> all = dimensions_of(s, true);
    // 10 messages of 4096 B in 4 us: 40,960 B x 8 / 4 us = 81.92 Gb/s.
    CHECK(little_bound(named(all, "A SQ"), 10, {4us, 2us}) == 81'920'000'000);
    // A read takes 2 x 135 ns + 120 ns = 390 ns (preset B); 10 tags of 512 B: 40,960 bits / 390 ns.
    CHECK(little_bound(named(all, "A read tags"), 10, {4us, 2us}) == 40'960ULL * 1'000'000'000'000 / 390'000);
    CHECK_FALSE(little_bound(named(all, "B CQ"), 10, {4us, 2us}));
    CHECK_FALSE(little_bound(named(all, "A SQ"), 10, {}));
}

TEST_CASE("bounds: a Read counts as outstanding for a part of its life") {
    const Scenario s = scenario(R"("size": "4 KiB", "operation": "read", "queue_pairs": 2)");
    const std::vector<Dimension> all = dimensions_of(s, true);
    // 10 on each of two queue pairs, of 4096 B, for 2 us: 81,920 B x 8 / 2 us.
    CHECK(little_bound(named(all, "A outstanding reads"), 10, {4us, 2us}) == 327'680'000'000);
    CHECK(little_bound(named(all, "A SQ"), 10, {4us, 2us}) == 163'840'000'000);
    // One on each of two queue pairs, at 32.768 Gb/s: 2 x 4096 B x 8 / 32.768 Gb/s = 2 us.
    CHECK(time_under_way(s.traffic[0], 1, 32'768'000'000) == 2us);
    CHECK(time_under_way(s.traffic[0], 1, 0) == 0us);
}

TEST_CASE("bounds: wire and message rates, of all generators of a host together") {
    const Scenario s = load_scenario("f", R"({"hosts": {"A": {}, "B": {}}, "traffic": {
        "t": {"from": "A.q0", "to": "B.q0", "size": "4 KiB"}, "u": {"from": "A.q1", "to": "B.q1", "size": "4 KiB"}}})");
    const std::vector<Bound> bounds = fixed_bounds(s);
    REQUIRE(bounds.size() == 7);
    CHECK(bounds[0].rate == 100'000'000'000ULL * 4096 / 4178);
    CHECK(bounds[0].is_of_all);  // one lane, one sender
    CHECK(bounds[3].is_of_all);
    CHECK(bounds[3].rate == 2 * 6'000'000ULL * 4096 * 8);  // preset B: 6 M/s for each queue pair
    CHECK(bounds[4].rate == 150'000'000ULL * 4096 * 8);
    CHECK(bounds[5].rate == 2 * (4096 * 8 * 1'000'000'000ULL / 185));  // 50 ns to build, 75 to store, 60 to poll
    CHECK(bounds[5].messages == 2 * (1'000'000'000ULL / 185));
    CHECK(bounds[6].messages == 2 * (1'000'000'000ULL / 210));  // 60 ns to poll, 50 to build, 100 to ring
    CHECK(bounds[6].what == "B.cpu: poll, build and ring for receives, on a core for each generator");
    CHECK(bounds[6].is_of_all);
    // Messages per second on the wire: 100 Gb/s / 8 / 4178 B, but for rounding to bits per second.
    CHECK(bounds[0].messages == 100'000'000'000ULL / 8 / 4178);
    CHECK(bounds[3].messages == 12'000'000);
    // Two send queues of one depth.
    CHECK(named(dimensions_of(s, true), "A SQ").payload == 2 * 4096);
}

// Sizes that take turns: 4128 B on average.
TEST_CASE("bounds: a message rate carries messages of the mean size") {
    const Scenario s = load_scenario("f", R"({"hosts": {"A": {}, "B": {}}, "traffic": {
        "t": {"from": "A", "to": "B", "size": ["64 B", "8 KiB"]}}})");
    const std::vector<Bound> bounds = fixed_bounds(s);
    REQUIRE(bounds.size() == 7);
    CHECK(bounds[3].rate == 6'000'000ULL * 4128 * 8);
    CHECK(bounds[4].rate == 150'000'000ULL * 4128 * 8);
    CHECK(bounds[5].rate == 4128 * 8 * 1'000'000'000ULL / 185);  // 50 ns to build, 75 to store, 60 to poll
    CHECK(bounds[6].rate == 4128 * 8 * 1'000'000'000ULL / 210);  // 60 ns to poll, 50 to build, 100 to ring
    CHECK(bounds[0].messages == bounds[0].rate / (4128 * 8));
}

// Preset B's link moves 16 x 8 GT/s x 128/130 x 95 % = 119.7292 Gb/s of TLPs. 4 KiB are 16 completions of 256 + 20 B,
// or 16 writes of 256 + 24 B.
TEST_CASE("bounds: each direction of PCIe carries payload, and a header for each TLP") {
    const Scenario s = scenario(R"("size": "4 KiB")");
    const std::vector<Bound> bounds = fixed_bounds(s);
    CHECK(bounds[1].what == "A.pcie down: payload in completions");
    const std::uint64_t thirteen_times = 1'556'480'000'000;  // the link's rate
    CHECK(bounds[1].rate == thirteen_times * 4096 / (13 * 4416));
    CHECK(bounds[1].is_of_all);
    CHECK(bounds[2].what == "B.pcie up: payload in writes");
    CHECK(bounds[2].rate == thirteen_times * 4096 / (13 * 4480));
    CHECK(bounds[2].messages == 119'729'230'769ULL / 8 / 4480);
    // A quarter of the lanes, MPS 1 KiB, but packets of 256 B: four completions of 256 B, and one of a byte.
    const std::vector<Bound> narrow = fixed_bounds(load_scenario(
        "f", R"({"hosts": {"A": {"pcie": {"width": 4, "mps": "1 KiB"}}, "B": {"nic": {"mtu": 256}}}, "traffic": {
            "t": {"from": "A", "to": "B", "size": "1025 B"}}})"));
    CHECK(narrow[1].messages == 119'729'230'769ULL / 4 / 8 / (1025 + 5 * 20));
}

TEST_CASE("bounds: a Read's payload leaves the peer, and comes to the reader") {
    const std::vector<Bound> bounds = fixed_bounds(load_scenario("f", R"({"hosts": {"A": {}, "B": {}}, "traffic": {
        "t": {"from": "A.q0", "to": "B.q0", "size": "4 KiB", "operation": "read"},
        "u": {"from": "A.q1", "to": "B.q1", "size": "64 B", "inline": true}}})"));
    std::vector<std::string> pcie;
    for (const Bound& bound : bounds) {
        if (bound.what.find(".pcie") != std::string::npos) {
            pcie.push_back(bound.what);
            CHECK_FALSE(bound.is_of_all);  // the Sends take the other direction, their payload downwards within WQEs
        }
    }
    CHECK(pcie == std::vector<std::string>{"A.pcie up: payload in writes", "B.pcie down: payload in completions",
                                           "B.pcie up: payload in writes"});
}

TEST_CASE("bounds: the peer starts one Read of a queue pair after the other") {
    const Scenario s = load_scenario("f", R"({"hosts": {"A": {}, "B": {"nic": {"read_interval": "200 ns"}}},
        "traffic": {"t": {"from": "A.q0", "to": "B.q0", "size": "4 KiB", "operation": "read"},
                    "u": {"from": "A.q1", "to": "B.q1", "size": "1 KiB", "operation": "read"}}})");
    const Bound reads = fixed_bounds(s).back();
    CHECK(reads.what == "B.nic.read_interval and read_gap, for the Reads of all queue pairs");
    // A response of 4 KiB takes 4182 B x 80 ps = 334.56 ns, and the next Read begins 20 ns later; one of 1 KiB takes
    // 88.8 ns, so the next one begins after 200 ns.
    CHECK(reads.rate == 4096ULL * 8 * 1'000'000'000'000 / 354'560 + 1024ULL * 8 * 5'000'000);
    CHECK(reads.is_of_all);
    // Reads of more than a packet begin whenever they come.
    const Scenario free = load_scenario("f", R"({"hosts": {"A": {}, "B": {"nic": {"read_interval": "0 ns"}}},
        "traffic": {"t": {"from": "A", "to": "B", "size": "64 KiB", "operation": "read"}}})");
    CHECK_FALSE(fixed_bounds(free).back().what.starts_with("B.nic.read_interval"));
}

TEST_CASE("bounds: hosts that are alike are told of once") {
    const Scenario s =
        load_scenario("f", R"({"hosts": {"S1": {}, "S2": {}, "R": {}}, "switches": {"s0": {}}, "traffic": {
        "t": {"from": "S1", "to": "R.q1", "size": "4 KiB"}, "u": {"from": "S2", "to": "R.q2", "size": "4 KiB"}}})");
    const std::vector<Bound> bounds = fixed_bounds(s);
    REQUIRE(bounds.size() == 7);  // the lane to R, both ends' PCIe, three rates of each sender, and R's cores
    CHECK(bounds[0].what.starts_with("l2_s0_to_R"));
    CHECK(bounds[0].is_of_all);
    CHECK_FALSE(bounds[3].is_of_all);  // of two senders
    CHECK(bounds[3].what == "S1.nic.per_qp_rate of all its queue pairs (S1 .. S2, each)");
    CHECK(bounds[3].rate == 6'000'000ULL * 4096 * 8);  // preset B: 6 M/s
}

// A doorbell for four receives costs 25 ns each. A Write needs no receive.
TEST_CASE("bounds: the receiver's core polls, builds receives and rings for them") {
    const std::vector<Bound> bounds = fixed_bounds(load_scenario("f", R"({"hosts": {"A": {}, "B": {}}, "traffic": {
            "t": {"from": "A.q0", "to": "B.q0", "size": "64 B", "repost_batch": 4},
            "w": {"from": "A.q1", "to": "B.q1", "size": "64 B", "operation": "write"}}})"));
    CHECK(bounds.back().messages == 1'000'000'000ULL / 135);  // 60 + 50 + 25 ns
    CHECK_FALSE(bounds.back().is_of_all);                     // not of the Writes
    CHECK_FALSE(fixed_bounds(scenario(R"("operation": "write")")).back().what.starts_with("B."));
}

TEST_CASE("bounds: a record in memory costs the receiver's core nothing") {
    const Scenario record = load_scenario("f", R"({"hosts": {"A": {}, "B": {}}, "traffic": {
            "t": {"from": "A", "to": "B", "size": "64 B"}}})",
                                          std::vector<std::string>{"hosts.B.nic.rq_doorbell=record"});
    CHECK(fixed_bounds(record).back().messages == 1'000'000'000ULL / 110);  // 60 + 50 ns
}

// A receive takes 150 ns of the lock, whoever posts it; two cores that poll, too, could take 2 x 4.76 M/s.
TEST_CASE("bounds: a shared receive queue takes one receive at a time, with a doorbell for each") {
    const std::vector<Bound> bounds = fixed_bounds(load_scenario("f", R"({"hosts": {"A": {},
            "B": {"srqs": {"s": {}}, "qps": {"q0": {"srq": "s"}, "q1": {"srq": "s"}}}}, "traffic": {
            "t": {"from": "A.q0", "to": "B.q0", "size": "64 B", "repost_batch": 4},
            "u": {"from": "A.q1", "to": "B.q1", "size": "1 KiB"}}})"));
    CHECK(bounds[bounds.size() - 2].messages == 2 * (1'000'000'000ULL / 210));
    CHECK(bounds.back().what.starts_with("B.srqs.s: "));
    CHECK(bounds.back().messages == 1'000'000'000ULL / 150);
    CHECK(bounds.back().rate == 8192 * 1'000'000'000ULL / 150);  // if all were of 1 KiB
    CHECK(bounds.back().is_of_all);
}

// Of 10 messages the first queue pair gets 6. It starts 6 M/s, so all together start 10 M/s. A Read of 64 KiB begins
// 50 ns after the last: 20 M/s of the first queue pair are 33.3 M/s of all.
TEST_CASE("bounds: the busiest of weighted queue pairs sets the pace") {
    const std::string weighted = R"("queue_pairs": 3, "choose": "weighted", "weights": [6, 3, 1], "size": "64 KiB")";
    const std::vector<Bound> writes = fixed_bounds(scenario(weighted + R"(, "operation": "write")"));
    CHECK(writes[3].messages == 10'000'000);
    CHECK(writes[3].rate == 10'000'000ULL * 65536 * 8);
    const Scenario reads = load_scenario("f", R"({"hosts": {"A": {}, "B": {"nic": {"read_interval": "50 ns"}}},
        "traffic": {"t": {"from": "A", "to": "B", "operation": "read", )" +
                                                  weighted + "}}}");
    CHECK(fixed_bounds(reads).back().messages == 33'333'333);
}

TEST_CASE("bounds: what a busy queue beats is no bound") {
    const Scenario s = scenario(R"("size": "4 KiB")");
    const std::vector<Dimension> all = dimensions_of(s, true);
    const Dimension& queue = named(all, "A SQ");
    // One alone takes 4 us: 8.192 Gb/s, and two twice that.
    std::map<std::uint64_t, Trial> steps;
    steps[1].goodput_of_all = 8'192'000'000;
    steps[2].goodput_of_all = 16'000'000'000;
    CHECK(is_bounded(queue, steps, {4us, 0us}));
    // The window may add a thousandth, which the bound then has as well: 16.384 Gb/s and 16.384 Mb/s.
    steps[2].goodput_of_all = 16'400'384'000;
    CHECK(is_bounded(queue, steps, {4us, 0us}));
    CHECK(measured_bound(queue, 2, {4us, 0us}) == 16'400'384'000);
    ++steps[2].goodput_of_all;
    CHECK_FALSE(is_bounded(queue, steps, {4us, 0us}));
    CHECK_FALSE(is_bounded(queue, steps, {}));
}

}  // namespace ndsim::advise::bounds_test
