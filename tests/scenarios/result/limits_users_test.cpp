// SPDX-License-Identifier: Apache-2.0

#include "tests/scenarios/result/listed_limits.hpp"
#include "tests/support/catch.hpp"

// Which of several generators a limit holds up.
namespace ndsim::test::limits_users_test {

const std::string kHosts = R"({"hosts": {"A": {}, "B": {}}, "traffic": {)";

// t has used up its queue pair's 6 M/s, and u, which has 0.3 M/s, waits for its own window.
TEST_CASE("limits: the message rate of a queue pair holds up those who use it, and those whose pair is as busy") {
    const std::string two = kHosts + R"("t": {"from": "A.t", "to": "B.t", "operation": "write"},
                                        "u": {"from": "A.u", "to": "B.u", "operation": "write"}}})";
    Metrics metrics = measured({{"A.cpu_t.window_full", 1000}, {"A.cpu_u.window_full", 900}});
    metrics.add("traffic.t.message_rate", 6'000'000, Quantity::frequency, "");
    SECTION("alone") {
        metrics.add("traffic.u.message_rate", 300'000, Quantity::frequency, "");
        CHECK(listed(two, metrics) == Lines{"rate A.nic.wqe 1000000 binds", "window traffic u 900000 binds"});
    }
    SECTION("alike") {  // 5.75 M/s are less than 5 % behind
        metrics.add("traffic.u.message_rate", 5'750'000, Quantity::frequency, "");
        CHECK(listed(two, metrics) == Lines{"rate A.nic.wqe 1000000 binds"});
    }
}

// u was done before t was warm: while both are measured, u has no message, and t half as many as over its own window.
TEST_CASE("limits: a message rate counts as far as its generator had part in the measured time") {
    const std::string two = kHosts + R"("t": {"from": "A.t", "to": "B.t", "operation": "write"},
                                        "u": {"from": "A.u", "to": "B.u", "operation": "write"}}})";
    Metrics metrics = measured({});
    for (const std::string name : {"traffic.t", "traffic.u"}) {
        metrics.add(name + ".message_rate", 6'000'000, Quantity::frequency, "");
        metrics.add(name + ".goodput", 8'000, Quantity::rate, "");
    }
    SECTION("all of it") {
        CHECK(listed(two, metrics) == Lines{"rate A.nic.wqe 1000000 binds"});
    }
    SECTION("none, and a half") {
        metrics.add("traffic.t.shared_goodput", 4'000, Quantity::rate, "");
        metrics.add("traffic.u.shared_goodput", 0, Quantity::rate, "");
        CHECK(listed(two, metrics) == Lines{"rate A.nic.wqe 500000"});
    }
}

// A and B on s, C and D on t: A writes to D, and B reads from C. local does not leave s.
TEST_CASE("limits: a cable between switches and a switch's buffer hold up those whose data takes them") {
    const std::string fabric = R"({"hosts": {"A": {}, "B": {}, "C": {}, "D": {}}, "switches": {"s": {}, "t": {}},
        "links": {"a": {"between": ["A", "s"]}, "b": {"between": ["B", "s"]}, "x": {"between": ["s", "t"]},
                  "c": {"between": ["C", "t"]}, "d": {"between": ["D", "t"]}}, "traffic": {
        "there": {"from": "A", "to": "D", "operation": "write"},
        "back": {"from": "B", "to": "C", "operation": "read"},
        "local": {"from": "B.l", "to": "A.l", "operation": "write"}}})";
    const Metrics metrics =
        measured({{"x_s_to_t.busy", 910}, {"x_t_to_s.busy", 920}, {"B.cpu_local.window_full", 1000}},
                 {{"t.buffer.full", 50'000}});
    const std::vector<Limit> limits = limits_of(load_scenario("f", fabric, {}), metrics);
    REQUIRE(limits.size() == 4);
    CHECK(limits[0].what == "x_t_to_s");
    CHECK(limits[0].generators == Lines{"traffic back"});
    CHECK(limits[1].what == "x_s_to_t");
    CHECK(limits[1].generators == Lines{"traffic there"});
    CHECK(limits[2].what == "traffic local");  // neither cable explains its window
    CHECK(limits[2].binds);
    CHECK(limits[3].what == "t.buffer");
    CHECK(limits[3].generators == Lines{"traffic there", "traffic back"});
}

TEST_CASE("limits: the read buffer holds up only those who read") {
    const std::string mixed = kHosts + R"("t": {"from": "A.t", "to": "B.t", "operation": "read"},
                                          "u": {"from": "A.u", "to": "B.u", "operation": "write"}}})";
    const Metrics metrics =
        measured({{"A.nic.wqe.read_buffer", 800}, {"A.cpu_t.window_full", 1000}, {"A.cpu_u.window_full", 1000}});
    // t's window is full for the 20 % that the buffer leaves.
    CHECK(listed(mixed, metrics) == Lines{"window traffic u 1000000 binds",
                                          "pool A.nic.read_responses.read_buffer 800000 binds",
                                          "window traffic t 200000 binds"});
}

// t and u complete into s, and v into its own queue, which is full without a wait. t's and u's windows are full for the
// 40 % that the queue leaves: 80 % of half of the time.
TEST_CASE("limits: a completion queue that seems full holds up those who complete there, while entries wait") {
    const std::string three = R"({"hosts": {"A": {"cqs": {"s": {"depth": 4}},
        "qps": {"t": {"send_cq": "s"}, "u": {"send_cq": "s"}, "v": {}}}, "B": {"qps": {"t": {}, "u": {}, "v": {}}}}, "traffic": {
        "t": {"from": "A.t", "to": "B.t", "operation": "write"}, "u": {"from": "A.u", "to": "B.u", "operation": "write"},
        "v": {"from": "A.v", "to": "B.v", "operation": "write"}}})";
    const std::vector<std::pair<std::string, std::uint64_t>> full{{"A.cqs.s.entries.full", 500'000},
                                                                  {"A.cqs.v_send.entries.full", 0}};
    const auto times = [](std::uint64_t waits) {
        return std::vector<std::pair<std::string, std::uint64_t>>{
            {"A.nic.cq.entries", waits}, {"A.cpu_t.window_full", 800}, {"A.cpu_u.window_full", 800}};
    };
    SECTION("whenever it is full") {
        const std::vector<Limit> limits = limits_of(load_scenario("f", three, {}), measured(times(600), full));
        CHECK(limits.at(0).what == "A.cqs.s.entries");
        CHECK(limits.at(0).parameter.path == "hosts.A.cqs.s.depth");
        CHECK(limits.at(0).parameter.value == "4");
        CHECK(limits.at(0).generators == Lines{"traffic t", "traffic u"});
        CHECK(listed(three, measured(times(600), full)) == Lines{"ring A.cqs.s.entries 500000 binds",
                                                                 "window traffic t 400000 binds",
                                                                 "window traffic u 400000 binds"});
    }
    SECTION("hardly ever") {
        CHECK(listed(three, measured(times(20), full)) ==
              Lines{"window traffic t 784000 binds", "window traffic u 784000 binds", "ring A.cqs.s.entries 20000"});
    }
}

// The receivers of t and u work for 42 % of the time and spin for 57 %; v's has a rest.
TEST_CASE("limits: a shared queue's lock holds up cores that spin for longer than they work") {
    const std::string three = R"({"hosts": {"A": {}, "B": {"srqs": {"s": {}},
        "qps": {"t": {"srq": "s"}, "u": {"srq": "s"}, "v": {"srq": "s"}}}}, "traffic": {
        "t": {"from": "A.t", "to": "B.t"}, "u": {"from": "A.u", "to": "B.u"}, "v": {"from": "A.v", "to": "B.v"}}})";
    const Metrics metrics = measured({{"B.cpu_t.build", 100},
                                      {"B.cpu_t.store", 200},
                                      {"B.cpu_t.poll", 120},
                                      {"B.cpu_t.lock", 570},
                                      {"B.cpu_u.build", 100},
                                      {"B.cpu_u.store", 200},
                                      {"B.cpu_u.poll", 120},
                                      {"B.cpu_u.lock", 560},
                                      {"B.cpu_v.store", 300},
                                      {"B.cpu_v.lock", 200}});
    CHECK(listed(three, metrics) == Lines{"core B.srqs.s lock 990000 binds", "core B.cpu_v 500000"});
    const std::vector<Limit> limits = limits_of(load_scenario("f", three, {}), metrics);
    CHECK(limits.at(0).generators == Lines{"traffic t", "traffic u"});
    CHECK(limits.at(0).parameter.path == "hosts.B.cpu.mmio_uc");
}

}  // namespace ndsim::test::limits_users_test
