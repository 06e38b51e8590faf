// SPDX-License-Identifier: Apache-2.0
#include "scenarios/result/side_by_side.hpp"

#include "scenarios/format/load.hpp"
#include "tests/scenarios/run/incast.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/child.hpp"

namespace ndsim::test::side_by_side_test {

// A window of 1 us in which each generator received so many bytes: 1000 of them are 8 Gbps.
Metrics side_by_side(const std::string& hosts, const std::string& traffic, std::vector<std::uint64_t> bytes,
                     Metrics metrics = {}) {
    const Scenario scenario = load_scenario(
        "f", R"({"hosts": {)" + hosts + R"(}, "switches": {"s0": {}}, "traffic": {)" + traffic + "}}", {});
    SharedWindow shared;
    shared.begin(Picoseconds{5}, std::vector<std::uint64_t>(bytes.size(), 0), Picoseconds{1});
    shared.end(Picoseconds{1'000'005}, std::move(bytes));
    add_side_by_side(scenario, shared, metrics);
    return metrics;
}

std::uint64_t value(const Metrics& metrics, const std::string& name) {
    INFO(name);
    const Metric* const metric = metrics.find(name);
    REQUIRE(metric != nullptr);
    return metric->value;
}

const std::string kHosts = R"("A": {}, "B": {}, "C": {}, "R": {})";

// 8 + 16 + 24 Gbps.
TEST_CASE("side by side: senders into one host have a sum, a slowest and a fastest") {
    const Metrics metrics =
        side_by_side(kHosts, R"("t1": {"from": "A", "to": "R.q1"}, "t2": {"from": "B", "to": "R.q2"},
                                "t3": {"from": "C", "to": "R.q3"})",
                     {2000, 1000, 3000});
    CHECK(value(metrics, "traffic.t1.shared_goodput") == 16'000'000'000);
    CHECK(value(metrics, "run.to_R.goodput") == 48'000'000'000);
    CHECK(value(metrics, "run.to_R.slowest") == 8'000'000'000);
    CHECK(value(metrics, "run.to_R.fastest") == 24'000'000'000);
    CHECK(metrics.find("run.from_A.goodput") == nullptr);
}

// In 1 us 1000 bytes of a message and 3000 of DMA transfers.
TEST_CASE("side by side: a DMA generator has its rate beside the others") {
    const Scenario scenario =
        load_scenario("f", R"({"hosts": {"A": {}, "B": {}}, "traffic": {"t": {"from": "A", "to": "B"}},
                 "dma": {"d": {"host": "B", "operation": "write"}}})",
                      {});
    SharedWindow shared;
    shared.begin(Picoseconds{5}, {0, 500}, Picoseconds{1});
    shared.end(Picoseconds{1'000'005}, {1000, 3500});
    Metrics metrics;
    add_side_by_side(scenario, shared, metrics);
    CHECK(value(metrics, "traffic.t.shared_goodput") == 8'000'000'000);
    CHECK(value(metrics, "dma.d.shared_rate") == 24'000'000'000);
}

// Payload of a Read goes to the reader: all of it to A, from three hosts.
TEST_CASE("side by side: Reads of one host belong together, as their payload goes to it") {
    const Metrics metrics = side_by_side(kHosts, R"("t1": {"from": "A.q1", "to": "B", "operation": "read"},
                                                    "t2": {"from": "A.q2", "to": "C", "operation": "read"})",
                                         {1000, 2000});
    CHECK(value(metrics, "run.to_A.goodput") == 24'000'000'000);
    CHECK(metrics.find("run.to_B.goodput") == nullptr);
}

TEST_CASE("side by side: of one sender to several hosts there is the sum, and each host's") {
    const Metrics metrics =
        side_by_side(kHosts, R"("t1": {"from": "A.q1", "to": "B"}, "t2": {"from": "A.q2", "to": "C"})", {1000, 2000});
    CHECK(value(metrics, "run.from_A.goodput") == 24'000'000'000);
    CHECK(value(metrics, "run.from_A.slowest") == 8'000'000'000);
    CHECK(value(metrics, "run.to_B.goodput") == 8'000'000'000);
    CHECK(value(metrics, "run.to_C.goodput") == 16'000'000'000);
    CHECK(metrics.find("run.to_B.slowest") == nullptr);  // it has one generator
}

TEST_CASE("side by side: both directions of a cable are not added up") {
    const Metrics metrics = side_by_side(
        kHosts, R"("t1": {"from": "A.q1", "to": "B.q1"}, "t2": {"from": "B.q2", "to": "A.q2"})", {1000, 2000});
    CHECK(value(metrics, "run.to_B.goodput") == 8'000'000'000);
    CHECK(value(metrics, "run.to_A.goodput") == 16'000'000'000);
}

// All three share the cable between the switches. t1 and t3 also share A's lane, and are the group of C's.
TEST_CASE("side by side: generators that only share a lane have the sum of that lane") {
    const Scenario scenario = load_scenario("f", R"({"hosts": {"A": {}, "B": {}, "C": {}, "D": {}},
        "switches": {"s0": {}, "s1": {}},
        "links": {"a": {"between": ["A", "s0"]}, "b": {"between": ["B", "s0"]}, "x": {"between": ["s0", "s1"]},
                  "c": {"between": ["s1", "C"]}, "d": {"between": ["s1", "D"]}},
        "traffic": {"t1": {"from": "A.q1", "to": "C.q1"}, "t2": {"from": "B", "to": "D"},
                    "t3": {"from": "A.q3", "to": "C.q3"}}})",
                                            {});
    std::vector<std::string> names;
    for (const Together& group : generators_together(scenario)) {
        names.push_back(group.name);
    }
    CHECK(names == std::vector<std::string>{"to_C", "to_D", "on_x_s0_to_s1"});
    CHECK(generators_together(scenario)[2].generators == std::vector<std::size_t>{0, 1, 2});
    SharedWindow shared;
    shared.begin(Picoseconds{0}, {0, 0, 0}, Picoseconds{1});
    shared.end(Picoseconds{1'000'000}, {1000, 2000, 3000});
    Metrics metrics;
    add_side_by_side(scenario, shared, metrics);
    CHECK(value(metrics, "run.on_x_s0_to_s1.goodput") == 48'000'000'000);
    CHECK(metrics.find("run.on_x_s0_to_s1.slowest") == nullptr);
}

TEST_CASE("side by side: a sum is steady if all of its generators are, as far as that is known") {
    const std::string traffic = R"("t1": {"from": "A", "to": "R.q1"}, "t2": {"from": "B", "to": "R.q2"})";
    CHECK(side_by_side(kHosts, traffic, {1, 1}).find("run.to_R.steady") == nullptr);
    Metrics known;
    known.add("traffic.t1.steady", 1, std::nullopt, "");
    CHECK(value(side_by_side(kHosts, traffic, {1, 1}, known), "run.to_R.steady") == 1);
    known.add("traffic.t2.steady", 0, std::nullopt, "");
    CHECK(value(side_by_side(kHosts, traffic, {1, 1}, known), "run.to_R.steady") == 0);
}

// One after the other, not side by side: each may be as steady as can be.
TEST_CASE("side by side: a sum in which one has no part is not steady") {
    const std::string traffic = R"("t1": {"from": "A", "to": "R.q1"}, "t2": {"from": "B", "to": "R.q2"})";
    Metrics known;
    known.add("traffic.t1.steady", 1, std::nullopt, "");
    known.add("traffic.t2.steady", 1, std::nullopt, "");
    const Metrics metrics = side_by_side(kHosts, traffic, {0, 1000}, known);
    CHECK(value(metrics, "run.to_R.slowest") == 0);
    CHECK(value(metrics, "run.to_R.steady") == 0);
}

TEST_CASE("side by side: a generator that is alone has its goodput only") {
    const Metrics metrics = side_by_side(kHosts, R"("t1": {"from": "A", "to": "R"})", {1000});
    CHECK(metrics.all().empty());
}

// Of 4178 bytes on the lane to R 4096 are payload: 98.04 Gbps, a quarter of it for each.
TEST_CASE("side by side: four senders through a switch share the receiver's line") {
    Incast incast(4);
    incast.size = "64 KiB";
    const ChildResult run = finish_text(incast.text());
    CHECK(static_cast<double>(run.metric("run.to_R.goodput")) == Catch::Approx(100e9 * 4096 / 4178).epsilon(0.005));
    // The line is full all the time. A batch is 100 packets or more, one of which may count for the next batch: 1 % at
    // most.
    CHECK(run.metric("run.to_R.interval") < 10'000);
    CHECK(static_cast<double>(run.metric("run.to_R.slowest")) == Catch::Approx(25e9 * 4096 / 4178).epsilon(0.02));
    CHECK(static_cast<double>(run.metric("run.to_R.fastest")) == Catch::Approx(25e9 * 4096 / 4178).epsilon(0.02));
}

}  // namespace ndsim::test::side_by_side_test
