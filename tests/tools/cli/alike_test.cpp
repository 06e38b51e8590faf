// SPDX-License-Identifier: Apache-2.0
#include "tools/cli/alike.hpp"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "scenarios/format/load.hpp"
#include "tests/support/catch.hpp"
#include "tools/cli/alike_hosts.hpp"

namespace ndsim::cli::alike_test {

using namespace std::chrono_literals;

// S0, S1 and S2 send to R through a switch.
Scenario three(const std::vector<std::string>& overrides = {}) {
    return load_scenario("f", R"({"hosts": {"S0": {}, "S1": {}, "S2": {}, "R": {}}, "switches": {"s0": {}}, "traffic": {
        "a": {"from": "S0", "to": "R.q0"}, "b": {"from": "S1", "to": "R.q1"}, "c": {"from": "S2", "to": "R.q2"}}})",
                         overrides);
}

std::vector<std::string> titles(const Scenario& scenario) {
    std::vector<std::string> titles;
    for (const Alike& alike : alike_generators(scenario)) {
        titles.push_back(alike.title());
    }
    return titles;
}

TEST_CASE("alike: generators of one configuration, whatever they and their hosts are called") {
    const Scenario s = three();
    CHECK(titles(s) == std::vector<std::string>{"a .. c (3 alike)"});
    CHECK(alike_generators(s)[0].ends() == "S0.q0 .. S2.q0 to R.q0 .. R.q2");
    CHECK(alike_generators(s)[0].has("b"));
    CHECK_FALSE(alike_generators(s)[0].has("d"));
}

TEST_CASE("alike: one that differs in anything that may matter has a row of its own") {
    for (const std::string other : {"traffic.b.size=8 KiB", "traffic.b.operation=write", "traffic.b.poll_batch=1",
                                    "hosts.S1.nic.mtu=1024", "hosts.S1.qps.q0.sq.depth=7", "hosts.R.qps.q1.rq.depth=9",
                                    "hosts.S1.nic.cq.depth=100", "hosts.S1.preset=D", "links.l1.rate=25 Gbps"}) {
        INFO(other);
        CHECK(titles(three({other})) == std::vector<std::string>{"a .. c (2 alike)", "b"});
    }
}

// S0 and S2 as in three(), and S1 with a fault or a DMA load.
Scenario three_with(const std::string& besides) {
    return load_scenario("f", R"({"hosts": {"S0": {}, "S1": {}, "S2": {}, "R": {}}, "switches": {"s0": {}}, )" +
                                  besides +
                                  R"(, "traffic": {"a": {"from": "S0", "to": "R.q0"}, "b": {"from": "S1", "to": "R.q1"},
        "c": {"from": "S2", "to": "R.q2"}}})");
}

TEST_CASE("alike: a host with a fault or a DMA load is like those with the same one") {
    for (const std::string other :
         {R"("faults": [{"stall": "S1", "from": "1 us", "until": "2 us"}])",
          R"("faults": [{"freeze": "S1", "from": "1 us", "until": "2 us"}])",
          R"("faults": [{"down": "l1", "from": "1 us", "until": "2 us"}])",
          R"("faults": [{"drop": "S1", "packet": 3}])", R"("faults": [{"drop": "s0", "link": "l1", "packet": 3}])",
          R"("faults": [{"drop": "S0", "packet": 3}, {"drop": "S2", "packet": 3}])",
          R"("faults": [{"drop": "S0", "packet": 3}, {"drop": "S1", "packet": 4},
                                                  {"drop": "S2", "packet": 3}])",
          R"("dma": {"d": {"host": "S1"}})"}) {
        INFO(other);
        CHECK(titles(three_with(other)) == std::vector<std::string>{"a .. c (2 alike)", "b"});
    }
    for (const std::string same :
         {R"("faults": [{"drop": "S0", "packet": 3}, {"drop": "S1", "packet": 3},
                                                 {"drop": "S2", "packet": 3}])",
          R"("faults": [{"stall": "R", "from": "1 us", "until": "2 us"}])",
          R"("faults": [{"drop": "s0", "link": "l3", "packet": 3}])", R"("dma": {"d": {"host": "R"}})"}) {
        INFO(same);
        CHECK(titles(three_with(same)) == std::vector<std::string>{"a .. c (3 alike)"});
    }
}

TEST_CASE("alike: receivers of one sender are not") {
    const Scenario s = load_scenario("f", R"({"hosts": {"S": {}, "A": {}, "B": {}}, "switches": {"s0": {}}, "traffic": {
        "a": {"from": "S.q0", "to": "A"}, "b": {"from": "S.q1", "to": "B"}}})");
    CHECK(titles(s) == std::vector<std::string>{"a", "b"});
}

// A ring of hosts on one switch; each sends to the next one.
Scenario ring(int hosts, const std::vector<std::string>& overrides = {}) {
    std::string names;
    std::string traffic;
    for (int i = 0; i < hosts; ++i) {
        const std::string comma = i == 0 ? "" : ", ";
        names += fmt::format(R"({}"H{}": {{}})", comma, i);
        traffic += fmt::format(R"({0}"t{1}": {{"from": "H{1}.q{1}", "to": "H{2}.q{1}"}})", comma, i, (i + 1) % hosts);
    }
    return load_scenario(
        "f", fmt::format(R"({{"hosts": {{{}}}, "switches": {{"s0": {{}}}}, "traffic": {{{}}}}})", names, traffic),
        overrides);
}

TEST_CASE("alike: hosts that receive are alike from three on") {
    CHECK(titles(ring(2)) == std::vector<std::string>{"t0", "t1"});
    CHECK(titles(ring(3)) == std::vector<std::string>{"t0 .. t2 (3 alike)"});
    CHECK(alike_generators(ring(3))[0].ends() == "H0.q0 .. H2.q2 to H1.q0 .. H0.q2");
    const Scenario outcast = load_scenario("f", R"({"hosts": {"S": {}, "A": {}, "B": {}, "C": {}},
        "switches": {"s0": {}}, "traffic": {"a": {"from": "S.q0", "to": "A"}, "b": {"from": "S.q1", "to": "B"},
        "c": {"from": "S.q2", "to": "C"}}})");
    CHECK(titles(outcast) == std::vector<std::string>{"a .. c (3 alike)"});
}

TEST_CASE("alike: names in any order stand from the least to the greatest, S9 before S10") {
    CHECK(least_and_greatest({"S10", "S9", "S11"}) == "S9 .. S11");
    CHECK(least_and_greatest({"S10"}) == "S10");
}

// Two leaves of four hosts. In each leaf h1 to h2, or h5 to h6, stay inside; the others cross the trunk both ways.
TEST_CASE("alike: generators whose ways have other links are not") {
    const Scenario s = load_scenario("f", R"({"hosts": {"h1": {}, "h2": {}, "h3": {}, "h4": {}, "h5": {}, "h6": {},
        "h7": {}, "h8": {}}, "switches": {"x": {}, "y": {}}, "links": {
        "l1": {"between": ["h1", "x"]}, "l2": {"between": ["h2", "x"]}, "l3": {"between": ["h3", "x"]},
        "l4": {"between": ["h4", "x"]}, "l5": {"between": ["h5", "y"]}, "l6": {"between": ["h6", "y"]},
        "l7": {"between": ["h7", "y"]}, "l8": {"between": ["h8", "y"]}, "t": {"between": ["x", "y"]}}, "traffic": {
        "t1": {"from": "h1.q", "to": "h2.r"}, "t2": {"from": "h2.q", "to": "h1.r"},
        "t3": {"from": "h3.q", "to": "h7.r"}, "t4": {"from": "h4.q", "to": "h8.r"},
        "t5": {"from": "h5.q", "to": "h6.r"}, "t6": {"from": "h6.q", "to": "h5.r"},
        "t7": {"from": "h7.q", "to": "h3.r"}, "t8": {"from": "h8.q", "to": "h4.r"}}})");
    CHECK(titles(s) == std::vector<std::string>{"t1 .. t6 (4 alike)", "t3 .. t8 (4 alike)"});
}

TEST_CASE("alike: receivers whose shared queues differ, or that share queues otherwise, are not") {
    const auto three_receivers = [](const std::string& r0, const std::string& r1, const std::string& r2) {
        return load_scenario("f", R"({"hosts": {"S0": {}, "S1": {}, "S2": {}, "R0": )" + r0 + R"(, "R1": )" + r1 +
                                      R"(, "R2": )" + r2 + R"(}, "switches": {"s0": {}}, "traffic": {
            "a0": {"from": "S0.q0", "to": "R0.q0"}, "a1": {"from": "S1.q0", "to": "R1.q0"},
            "a2": {"from": "S2.q0", "to": "R2.q0"}, "b0": {"from": "S0.q1", "to": "R0.q1"},
            "b1": {"from": "S1.q1", "to": "R1.q1"}, "b2": {"from": "S2.q1", "to": "R2.q1"}}})");
    };
    const auto srq = [](const std::string& depth) {
        return R"({"srqs": {"s": {"depth": )" + depth + R"(}}, "qps": {"q0": {"srq": "s"}, "q1": {"srq": "s"}}})";
    };
    CHECK(titles(three_receivers(srq("64"), srq("64"), srq("64"))).size() == 1);
    CHECK(titles(three_receivers(srq("64"), srq("64"), srq("65"))).size() > 1);
    const std::string one = R"({"cqs": {"c": {}}, "qps": {"q0": {"receive_cq": "c"}, "q1": {"receive_cq": "c"}}})";
    const std::string two = R"({"cqs": {"c": {}, "d": {}}, "qps": {"q0": {"receive_cq": "c"},
                                "q1": {"receive_cq": "d"}}})";
    CHECK(titles(three_receivers(two, two, two)).size() == 1);
    CHECK(titles(three_receivers(one, two, two)).size() > 1);
}

TEST_CASE("alike: a host with a program is like no other") {
    const Scenario s = load_scenario("f", R"({"hosts": {"S0": {}, "S1": {}, "S2": {}, "S3": {}, "R": {}},
        "switches": {"s0": {}}, "programs": {"S0": [{"sleep": "1 us"}], "S1": [{"sleep": "2 us"}]}, "traffic": {
        "a": {"from": "S0", "to": "R.q0"}, "b": {"from": "S1", "to": "R.q1"}, "c": {"from": "S2", "to": "R.q2"},
        "d": {"from": "S3", "to": "R.q3"}}})");
    CHECK(titles(s) == std::vector<std::string>{"a", "b", "c .. d (2 alike)"});
}

TEST_CASE("alike: in a ring, one that differs makes others differ, by their distance from it") {
    // H0 has a smaller MTU. In the ring of six, H1 gets from it, H5 sends to it, and so on: all are different.
    CHECK(titles(ring(6, {"hosts.H0.nic.mtu=1024"})).size() == 6);
    CHECK(titles(ring(6, {"traffic.t2.window=5"})).size() == 6);
    CHECK(titles(ring(6)).size() == 1);
}

TEST_CASE("alike: hosts of leaves that are alike, and two senders to each of two receivers") {
    const std::string hosts = R"("hosts": {"A": {}, "B": {}, "C": {}, "D": {}, "E": {}, "F": {}},
        "switches": {"l0": {}, "l1": {}, "s": {}}, "links": {
        "a": {"between": ["A", "l0"]}, "b": {"between": ["B", "l0"]}, "c": {"between": ["C", "l0"]},
        "d": {"between": ["D", "l1"]}, "e": {"between": ["E", "l1"]}, "f": {"between": ["F", "l1"]},
        "x": {"between": ["l0", "s"]}, "y": {"between": ["l1", "s"]}})";
    const Scenario across = load_scenario("f", "{" + hosts + R"(, "traffic": {
        "ad": {"from": "A.q0", "to": "D.q0"}, "be": {"from": "B.q0", "to": "E.q0"}, "cf": {"from": "C.q0", "to": "F.q0"},
        "da": {"from": "D.q1", "to": "A.q1"}, "eb": {"from": "E.q1", "to": "B.q1"},
        "fc": {"from": "F.q1", "to": "C.q1"}}})");
    CHECK(titles(across) == std::vector<std::string>{"ad .. fc (6 alike)"});
    const AlikeHosts alike(across);
    CHECK(alike.key("a_A_to_l0") == alike.key("e_E_to_l1"));
    CHECK(alike.key("l0.A.queue") == alike.key("l1.F.queue"));
    CHECK(alike.key("x_l0_to_s") == "x_l0_to_s");
    const Scenario two = load_scenario("f", "{" + hosts + R"(, "traffic": {
        "ac": {"from": "A.q0", "to": "C.q0"}, "bc": {"from": "B.q0", "to": "C.q1"},
        "df": {"from": "D.q0", "to": "F.q0"}, "ef": {"from": "E.q0", "to": "F.q1"}}})");
    CHECK(titles(two) == std::vector<std::string>{"ac .. bc (2 alike)", "df .. ef (2 alike)"});
}

TEST_CASE("alike: in a ring hosts, cores, queue pairs and lanes of all have one key each") {
    const Scenario s = ring(4);
    const AlikeHosts hosts(s);
    for (const auto& [one, other] : std::vector<std::pair<std::string, std::string>>{{"H0.nic.tx", "H3.nic.tx"},
                                                                                     {"H0.cpu_t0", "H2.cpu_t2"},
                                                                                     {"H1.cpu_t0", "H0.cpu_t3"},
                                                                                     {"H0.qps.q0.sq", "H1.qps.q1.sq"},
                                                                                     {"H1.qps.q0.rq", "H2.qps.q1.rq"},
                                                                                     {"l0_H0_to_s0", "l3_H3_to_s0"}}) {
        INFO(one);
        CHECK(hosts.key(one) == hosts.key(other));
        CHECK(hosts.key(one) != one);
    }
    CHECK(hosts.key("H0.cpu_t0") != hosts.key("H1.cpu_t0"));  // one sends, one receives
    CHECK(hosts.key("H0.qps.q0.rq") != hosts.key("H1.qps.q0.rq"));
}

TEST_CASE("alike: the least and the most of a figure, with one unit where it is one") {
    Metrics metrics;
    metrics.add("traffic.a.goodput", 12'200'000'000, Quantity::rate, "");
    metrics.add("traffic.b.goodput", 900'000'000, Quantity::rate, "");
    metrics.add("traffic.c.goodput", 12'430'000'000, Quantity::rate, "");
    const Scenario s = three();
    const Alike all = alike_generators(s)[0];
    CHECK(all.range(metrics, "goodput") == "900 Mbps .. 12.43 Gbps");
    CHECK(all.least(metrics, "goodput") == "900 Mbps");
    CHECK(all.most(metrics, "goodput") == "12.43 Gbps");
    CHECK(all.range(metrics, "message_rate") == "-");
    const Scenario other = three({"traffic.b.window=5"});
    CHECK(alike_generators(other)[0].range(metrics, "goodput") == "12.2 .. 12.43 Gbps");
    CHECK(alike_generators(other)[1].range(metrics, "goodput") == "900 Mbps");
}

TEST_CASE("alike: what alike hosts have, each of its own, has one key") {
    const Scenario s = three();
    const AlikeHosts hosts(s);
    for (const auto& [one, other] : std::vector<std::pair<std::string, std::string>>{{"S0.nic.tx", "S2.nic.tx"},
                                                                                     {"S0.cpu_a", "S1.cpu_b"},
                                                                                     {"l0_S0_to_s0", "l2_S2_to_s0"},
                                                                                     {"l0_s0_to_S0", "l2_s0_to_S2"},
                                                                                     {"s0.S0.queue", "s0.S1.queue"}}) {
        INFO(one);
        CHECK(hosts.key(one) == hosts.key(other));
        CHECK(hosts.key(one) != one);
    }
    CHECK(hosts.key("S0.nic.tx") != hosts.key("S0.nic.rx"));
    CHECK(hosts.key("l0_S0_to_s0") != hosts.key("l0_s0_to_S0"));
    CHECK(hosts.key("R.cpu_a") == hosts.key("R.cpu_c"));
    CHECK(hosts.key("R.qps.q0.rq") == hosts.key("R.qps.q2.rq"));
    CHECK(hosts.key("R.qps.q0.rq") != hosts.key("R.qps.q0.sq"));
    for (const std::string own : {"R.nic.tx", "l3_s0_to_R", "s0.R.queue", "s0.buffer"}) {
        CHECK(hosts.key(own) == own);
    }
}

TEST_CASE("alike: generators, and what they have, are grouped, whoever makes the groups from their names") {
    const Scenario s = three({"traffic.b.window=5"});
    const AlikeHosts again(AlikeHosts::Names(AlikeHosts(s).names()));
    CHECK(again.groups({"traffic.a.latency", "traffic.b.latency", "traffic.c.latency", "traffic.c"}) ==
          std::vector<std::vector<std::string>>{
              {"traffic.a.latency", "traffic.c.latency"}, {"traffic.b.latency"}, {"traffic.c"}});
    CHECK(again.groups({"traffic b", "traffic c", "traffic a"}) ==
          std::vector<std::vector<std::string>>{{"traffic b"}, {"traffic c", "traffic a"}});
    CHECK(AlikeHosts().groups({"S0.nic", "S1.nic"}) == std::vector<std::vector<std::string>>{{"S0.nic"}, {"S1.nic"}});
}

TEST_CASE("alike: a host that receives, or does DMA, too, is like no other") {
    const Scenario s = load_scenario("f", R"({"hosts": {"S0": {}, "S1": {}, "S2": {}, "S3": {}, "R": {}},
        "switches": {"s0": {}}, "traffic": {
        "a": {"from": "S0", "to": "R.q0"}, "b": {"from": "S1", "to": "R.q1"}, "c": {"from": "S2", "to": "R.q2"},
        "d": {"from": "S3", "to": "R.q3"}, "e": {"from": "R.q4", "to": "S2.q4"}}, "dma": {"r": {"host": "S3"}}})");
    const AlikeHosts hosts(s);
    CHECK(hosts.key("S0.nic.tx") == hosts.key("S1.nic.tx"));
    CHECK(hosts.key("S2.nic.tx") == "S2.nic.tx");
    CHECK(hosts.key("S3.nic.tx") == "S3.nic.tx");
}

// (1 x 100 + 3 x 200) / 4 = 175 ns of wire; (3 x 80) / 4 = 60 ns of switch.
TEST_CASE("alike: a ledger of alike hosts is the mean of all their requests") {
    const Scenario s = three();
    const std::vector<MeanLedger> merged =
        AlikeHosts(s).merged({{"S0", "send", 1, 100ns, {{"wire", 100ns}}},
                              {"S1", "send", 3, 280ns, {{"wire", 200ns}, {"switch", 80ns}}},
                              {"R", "receive", 4, 50ns, {{"post", 50ns}}}});
    REQUIRE(merged.size() == 2);
    CHECK(merged[0].host == "S0 .. S1");
    CHECK(merged[0].requests == 4);
    CHECK(merged[0].mean_total == 235ns);
    CHECK(merged[0].accounts == decltype(merged[0].accounts){{"wire", 175ns}, {"switch", 60ns}});
    CHECK(merged[1].host == "R");
}

TEST_CASE("alike: engines of alike hosts are one, with the time of all of them") {
    const Scenario s = three();
    const std::vector<EngineUse> merged =
        AlikeHosts(s).merged(std::vector<EngineUse>{{"S0.nic.tx", 60ns, 30ns, {{"pause", 10ns}}},
                                                    {"S1.nic.tx", 20ns, 40ns, {{"pause", 40ns}}},
                                                    {"R.nic.tx", 100ns, 0ns, {{"pause", 0ns}}}});
    REQUIRE(merged.size() == 2);
    CHECK(merged[0].engine == "S0.nic.tx .. S1.nic.tx");
    CHECK(merged[0].idle == 80ns);
    CHECK(merged[0].busy == 70ns);
    CHECK(merged[0].blocked[0].second == 50ns);
}

}  // namespace ndsim::cli::alike_test
