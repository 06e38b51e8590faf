// SPDX-License-Identifier: Apache-2.0

#include "tests/scenarios/format/support.hpp"

namespace ndsim::test::switch_checks_test {

using Ends = std::array<std::string, 2>;

// Three hosts on line 2, and `more` from line 3 on.
std::string three_hosts(const std::string& more) {
    return "{\n\"hosts\": {\"A\": {}, \"B\": {\"preset\": \"D\"}, \"C\": {}},\n" + more + "}";
}

TEST_CASE("switch: a single one joins all hosts if no links are written") {
    const Scenario s = load(three_hosts(R"("switches": {"s0": {"latency": "1 us", "buffer": "1 MiB"}})"));
    REQUIRE(s.switches.size() == 1);
    CHECK(s.switches[0].params.latency == std::chrono::microseconds{1});
    CHECK(s.switches[0].params.buffer == 1_MiB);
    CHECK(s.switches[0].params.forwarding == Forwarding::cut_through);
    REQUIRE(s.links.size() == 3);
    CHECK(s.links[0].name == "l0");
    CHECK(s.links[0].between == Ends{"A", "s0"});
    CHECK(s.links[1].between == Ends{"B", "s0"});
    CHECK(s.links[2].between == Ends{"C", "s0"});
    CHECK(s.links[0].params.rate == 100_Gbps);
    CHECK(s.links[1].params.rate == 400_Gbps);  // of its host's preset
    const Scenario two = load(R"({"hosts": {"A": {}, "B": {}}, "switches": {"s0": {}}})");
    REQUIRE(two.links.size() == 2);
    CHECK(two.links[1].between == Ends{"B", "s0"});
}

TEST_CASE("switch: a link has the wire of its host's preset, on whichever side that is") {
    const Scenario s = load(R"({"hosts": {"A": {"preset": "C"}, "B": {"preset": "D"}}, "switches": {"s": {}, "t": {}},
        "links": {"a": {"between": ["s", "A"]}, "x": {"between": ["t", "s"]}, "b": {"between": ["B", "t"]}}})");
    CHECK(s.links[0].params.rate == 200_Gbps);
    CHECK(s.links[1].params.rate == 100_Gbps);  // preset B's
    CHECK(s.links[2].params.rate == 400_Gbps);
}

TEST_CASE("switch: parameters by --set, of one and of all") {
    const std::string text = three_hosts(
        R"("switches": {"s": {}, "t": {}}, "links": {"a": {"between": ["A", "s"]}, "b": {"between": ["B", "t"]},
           "c": {"between": ["C", "t"]}, "x": {"between": ["s", "t"]}})");
    const Scenario s =
        load(text, {"switch.forwarding=store_and_forward", "switches.t.buffer=32 KiB", "links.x.rate=40 Gbps"});
    CHECK(s.switches[0].params.forwarding == Forwarding::store_and_forward);
    CHECK(s.switches[1].params.forwarding == Forwarding::store_and_forward);
    CHECK(s.switches[0].params.buffer == 16_MiB);
    CHECK(s.switches[1].params.buffer == 32_KiB);
    CHECK(s.links[3].params.rate == 40_Gbps);
    CHECK(refusal(text, {"switches.u.buffer=32 KiB", "switch.bufer=1 MiB"}) ==
          "--set: switches.u.buffer: there is no such path; did you mean \"switches.s.buffer\"?\n"
          "--set: switch.bufer: there is no such path; did you mean \"switch.buffer\"?");
    // Of links that the file does not have, but that are there.
    CHECK(load(three_hosts(R"("switches": {"s0": {}})"), {"links.l2.length=10 m"}).links[2].params.length ==
          Length{10'000});
}

TEST_CASE("switch: lanes have names of their own") {
    CHECK(refusal(R"({"hosts": {"A_B": {}, "B": {}, "k_s_to_B": {}}, "switches": {"s": {}},
"links": {"k": {"between": ["A_B", "s"]}, "k_A": {"between": ["B", "s"]}, "c": {"between": ["k_s_to_B", "s"]}}})") ==
          "f:2:50: links.k_A: its lane k_A_B_to_s has the name of a lane of link k");
    CHECK(refusal(R"({"hosts": {"A": {}, "k_A_to_s": {}}, "switches": {"s": {}},
"links": {"k": {"between": ["A", "s"]}, "l": {"between": ["k_A_to_s", "s"]}}})") ==
          "f:2:16: links.k: its lane k_A_to_s has the name of host k_A_to_s");
}

TEST_CASE("switch: what it cannot be") {
    CHECK(refusal(three_hosts(R"("switches": {"s0": {"bufer": "1 MiB", "latency": 5, "forwarding": "fast"}})")) ==
          "f:3:21: switches.s0: unknown key \"bufer\"; did you mean \"buffer\"?\n"
          "f:3:50: switches.s0.latency: expected a number and a unit, such as \"1 us\", got 5\n"
          "f:3:67: switches.s0.forwarding: expected one of \"cut_through\", \"store_and_forward\", got \"fast\"");
    CHECK(
        refusal(three_hosts(R"("switches": {"A": {}, "run": {}})")).find("switches.A: a host has this name already") !=
        std::string::npos);
    CHECK(refusal(three_hosts(R"("switches": {"run": {}})")) ==
          "f:3:21: switches.run: a switch cannot have this name (names of metrics begin with it)");
}

TEST_CASE("switch: all links of a network have the same framing") {
    const std::string text = three_hosts(R"("switches": {"s0": {}}, "links": {"a": {"between": ["A", "s0"]},
"b": {"between": ["s0", "B"], "framing": "infiniband"}, "c": {"between": ["C", "s0"], "framing": "infiniband"}})");
    CHECK(refusal(text) ==
          "f:4:42: links.b.framing: infiniband on a link of switch s0, and ethernet on its link a (all links of a "
          "network have the same framing)");
    CHECK(refusal(text, {"links.a.framing=infiniband"}).empty());
    CHECK(load(text, {"link.framing=infiniband"}).links[0].params.framing == Framing::infiniband);
    CHECK(load(three_hosts(R"("switches": {"s0": {}})")).links[0].params.framing == Framing::ethernet);
}

// A packet of the largest MTU is 4096 + 16 + 82 = 4194 bytes on the lane.
TEST_CASE("switch: a queue holds a packet, and is a part of the buffer") {
    CHECK(refusal(three_hosts(R"("switches": {"s0": {"port_buffer": "4193 B"}})")) ==
          "f:3:36: switches.s0.port_buffer: 4193 B holds no packet of the largest MTU (it takes 4194 B)");
    CHECK(refusal(three_hosts(R"("switches": {"s0": {"port_buffer": "4194 B"}})")).empty());
    CHECK(refusal(three_hosts(R"("switches": {"s0": {"port_buffer": "2 MiB", "buffer": "1 MiB"}})")) ==
          "f:3:36: switches.s0.port_buffer: 2 MiB is more than the switch's buffer, 1 MiB");
    CHECK(refusal(three_hosts(R"("switches": {"s0": {"port_buffer": "1 MiB", "pause": true}})")) ==
          "f:3:36: switches.s0.port_buffer: pause frames do not limit a queue to this size (with \"pause\" each port "
          "has an equal share of the buffer for incoming packets)");
}

// Of preset B's links, there and back 2 * (30 + 10 + 62) and 333 ns through the switch: 537 ns, at 100 Gbps 6713 bytes
// (rounded up by a little); with four packets of 4194 bytes 23,489, of which a port's part must hold twice: 46,978
// bytes, for three ports 140,934, that is 138 KiB. The one link of preset D has 400 Gbps, 2 * (25 + 10 + 120 + 50) +
// 333 = 743 ns, 37,150 bytes: 2 * (37,150 + 16,776) = 107,852, for three ports 316 KiB.
TEST_CASE("switch: with pause frames each port's part of the buffer holds what comes after one") {
    const std::string text = R"("switches": {"s0": {"pause": true, "buffer": "137 KiB"}})";
    CHECK(refusal("{\n\"hosts\": {\"A\": {}, \"B\": {}, \"C\": {}},\n" + text + "}") ==
          "f:3:46: switches.s0.buffer: a share of 137 KiB for each of 3 ports overflows before a pause frame has "
          "stopped the neighbour over link l0 (it takes 138 KiB)");
    CHECK(
        refusal("{\n\"hosts\": {\"A\": {}, \"B\": {}, \"C\": {}},\n" + text + "}", {"switch.buffer=138 KiB"}).empty());
    CHECK(refusal(three_hosts(text), {"switch.buffer=315 KiB"}).find("over link l1 (it takes 316 KiB)") !=
          std::string::npos);
    CHECK(refusal(three_hosts(text), {"switch.buffer=316 KiB"}).empty());
}

TEST_CASE("switch: links between what is not there, twice, or at one end") {
    CHECK(refusal(three_hosts(R"("switches": {"spine": {}, "t": {}},
"links": {"a": {"between": ["A", "spin"]}, "b": {"between": ["B", "t"]}, "c": {"between": ["B", "spine"]},
          "d": {"between": ["t", "t"]}, "x": {"between": ["t", "spine"]}, "y": {"between": ["spine", "t"]}})")) ==
          "f:4:34: links.a.between[1]: there is no host or switch \"spin\"; did you mean \"spine\"?\n"
          "f:4:92: links.c.between[0]: host B is on link b already (a NIC has one port)\n"
          "f:5:34: links.d.between[1]: both ends are at switch t\n"
          "f:5:92: links.y.between: link x joins switches spine and t already (routes take the first one only)");
    CHECK(refusal(three_hosts(R"("switches": {"s": {}}, "links": {"a": {}, "b": {"between": ["A"]}})"))
              .find("links.a: \"between\" is missing (with a switch, each link names its two ends)") !=
          std::string::npos);
    CHECK(refusal(three_hosts(R"("switches": {"s": {}}, "links": {"b": {"between": ["A"]}})"))
              .find("links.b.between: expected two hosts or switches, got 1") != std::string::npos);
}

TEST_CASE("switch: with several the links must be written") {
    CHECK(refusal(three_hosts(R"("switches": {"s": {}, "t": {}})")) ==
          "f:2:16: hosts.A: the host is not on any link (with several switches, \"links\" is needed)\n"
          "f:2:25: hosts.B: the host is not on any link (with several switches, \"links\" is needed)\n"
          "f:2:47: hosts.C: the host is not on any link (with several switches, \"links\" is needed)\n"
          "f:3:19: switches.s: the switch is not on any link\n"
          "f:3:28: switches.t: the switch is not on any link");
}

TEST_CASE("switch: hosts and switches that nothing leads to") {
    // A is alone at s, B and C are at t; u, v and w are a loop without a host.
    CHECK(refusal(three_hosts(R"("switches": {"s": {}, "t": {}, "u": {}, "v": {}, "w": {}},
"links": {"a": {"between": ["A", "s"]}, "b": {"between": ["B", "t"]}, "c": {"between": ["C", "t"]},
          "x": {"between": ["u", "v"]}, "y": {"between": ["v", "w"]}, "z": {"between": ["w", "u"]}})")) ==
          "f:2:16: hosts.A: no other host can be reached from the host\n"
          "f:3:37: switches.u: no host can be reached from the switch\n"
          "f:3:46: switches.v: no host can be reached from the switch\n"
          "f:3:55: switches.w: no host can be reached from the switch");
}

TEST_CASE("switch: a queue pair's peer must be on a route") {
    const std::string links = R"("links": {"a": {"between": ["A", "s"]}, "b": {"between": ["B", "s"]},
"c": {"between": ["C", "t"]}, "d": {"between": ["D", "t"]}})";
    const std::string hosts =
        "{\"hosts\": {\"A\": {}, \"B\": {}, \"C\": {}, \"D\": {}}, \"switches\": {\"s\": {}, \"t\": {}},\n";
    CHECK(refusal(hosts + links + R"(, "traffic": {"t": {"from": "A", "to": "D"}}})")
              .find("hosts.A.qps.q0.connect: there is no route between A and D") != std::string::npos);
    CHECK(refusal(hosts + links + R"(, "traffic": {"t": {"from": "A", "to": "B"}, "u": {"from": "D", "to": "C"}}})")
              .empty());
}

TEST_CASE("switch: two hosts behind it find each other as over a cable") {
    const Scenario s = load(R"({"hosts": {"A": {"buffers": {"tx": {}}}, "B": {}}, "switches": {"s0": {}},
                                "programs": {"A": [{"post": "send", "buffer": "tx"}]}})");
    REQUIRE(s.hosts[1].qps.size() == 1);
    CHECK(s.hosts[0].qps.at(0).connect.text() == "B.q0");
}

TEST_CASE("switch: faults of what it sends, and of its links") {
    const Scenario s = load(three_hosts(R"("switches": {"s0": {}}, "faults": [
        {"drop": "A", "packet": 3}, {"corrupt": "s0", "link": "l1", "packet": 1}, {"down": "l2", "until": "1 us"}])"));
    CHECK(s.faults[0].link == "l0");
    CHECK(s.faults[1].target == "s0");
    const std::string said = refusal(three_hosts(R"("switches": {"s0": {}}, "links": {"a": {"between": ["A", "s0"]},
"b": {"between": ["B", "s0"]}, "c": {"between": ["C", "s0"]}},
"faults": [{"drop": "s0", "packet": 3}, {"drop": "s1", "packet": 3}, {"drop": "B", "link": "a", "packet": 3},
           {"freeze": "s0", "until": "1 us"}])"));
    INFO(said);
    for (const char* const part :
         {"faults[0]: switch s0 has several links (say which with \"link\")",
          "faults[1].drop: there is no host or switch \"s1\"", "faults[2].link: link a does not lead to host B",
          "faults[3].freeze: there is no host \"s0\""}) {
        INFO(part);
        CHECK(said.find(part) != std::string::npos);
    }
}

}  // namespace ndsim::test::switch_checks_test
