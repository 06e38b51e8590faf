// SPDX-License-Identifier: Apache-2.0

#include "tests/scenarios/format/support.hpp"

namespace ndsim::test::faults_checks_test {

std::string faults(const std::string& list) {
    return two_hosts("", "", "\"faults\": [\n" + list + "\n]");
}

// Whether each of the parts is in what is said.
void says(const std::string& said, std::initializer_list<const char*> parts) {
    INFO(said);
    for (const char* part : parts) {
        INFO(part);
        CHECK(said.find(part) != std::string::npos);
    }
}

TEST_CASE("faults: all kinds, with what they say") {
    const Scenario scenario = load(faults(R"(
        {"drop": "A", "packet": 3, "count": 2, "opcode": "ACK"},
        {"reorder": "B", "rate": "1 %", "by": "3 us", "from": "1 ms", "until": "2 ms"},
        {"down": "l0", "from": "10 us", "until": "20 us"},
        {"stall": "A", "until": "5 us"},
        {"freeze": "B", "until": "5 us"})"));
    REQUIRE(scenario.faults.size() == 5);
    CHECK(scenario.faults[0].kind == FaultKind::drop);
    CHECK(scenario.faults[0].target == "A");
    CHECK(scenario.faults[0].link == "l0");  // the only one
    CHECK(scenario.faults[0].rule.packet == 3);
    CHECK(scenario.faults[0].rule.count == 2);
    CHECK(scenario.faults[0].rule.opcode == Opcode::acknowledge);
    CHECK(scenario.faults[1].rule.fault == LinkFault::reorder);
    CHECK(scenario.faults[1].rule.rate == Fraction{10'000});
    CHECK(scenario.faults[1].rule.by == std::chrono::microseconds{3});
    CHECK(scenario.faults[2].outage.until == std::chrono::microseconds{20});
    CHECK(scenario.faults[3].outage.from == Picoseconds{0});
    CHECK(scenario.faults[4].kind == FaultKind::freeze);
}

TEST_CASE("faults: a host that is not there") {
    says(refusal(faults(R"({"drop": "C", "packet": 1}, {"freeze": "C", "until": "1 us"})")),
         {"faults[0].drop: there is no host \"C\" (known are A, B)",
          "faults[1].freeze: there is no host \"C\" (known are A, B)"});
}

TEST_CASE("faults: a link that is not there") {
    says(refusal(faults(R"({"down": "l1", "until": "1 us"}, {"drop": "A", "link": "l1", "packet": 1})")),
         {"faults[0].down: there is no link \"l1\"", "faults[1].link: there is no link \"l1\"", "l0"});
}

TEST_CASE("faults: a link that does not lead to the host, or one of several") {
    const std::string text = R"({"hosts": {"A": {}, "B": {}, "C": {}},
        "links": {"x": {"between": ["A", "B"]}, "y": {"between": ["A", "C"]}},
        "faults": [{"drop": "B", "link": "y", "packet": 1}, {"drop": "A", "packet": 1}]})";
    says(refusal(text), {"faults[0].link: link y does not lead to host B", "faults[1]: host A has several links"});
}

TEST_CASE("faults: what would change nothing is refused") {
    says(refusal(faults(R"({"drop": "A", "rate": "1 %", "count": 5}, {"drop": "A", "packet": 1, "by": "1 us"})")),
         {"faults[0].count: packets chosen at random have no count", "faults[1].by: only \"delay\" and \"reorder\""});
}

TEST_CASE("faults: an opcode that is not there") {
    says(refusal(faults(R"({"drop": "A", "packet": 1, "opcode": "READ_REQEST"})")),
         {"faults[0].opcode", "READ_REQEST", "did you mean", "READ_REQUEST"});
}

TEST_CASE("faults: one that strikes nothing, and one that does not say what") {
    says(refusal(faults(R"({"drop": "A"}, {"corrupt": "A", "packet": 1, "rate": "1 %"}, {"until": "1 us"})")),
         {"faults[0]: this fault matches no packet", "faults[1].rate: \"packet\" and \"rate\" exclude each other",
          "faults[2]"});
}

TEST_CASE("faults: an end before the beginning") {
    says(refusal(faults(R"({"drop": "A", "packet": 1, "from": "2 us", "until": "1 us"},
                           {"down": "l0", "from": "2 us", "until": "2 us"})")),
         {"faults[0].until: 1 us is not after \"from\", 2 us", "faults[1].until: 2 us is not after \"from\", 2 us"});
}

TEST_CASE("checks: an RX buffer without pause frames may be small") {
    const std::string text = two_hosts("", "", "");
    CHECK(refusal(text, {"nic.rx_buffer=16 KiB"}).find("overflows before a pause frame") != std::string::npos);
    CHECK(refusal(text, {"nic.rx_buffer=16 KiB", "nic.pause=false"}).empty());
}

TEST_CASE("faults: keys of another kind") {
    says(refusal(faults(R"({"stall": "A", "until": "1 us", "rate": "1 %"})")), {"faults[0]", "rate"});
}

}  // namespace ndsim::test::faults_checks_test
