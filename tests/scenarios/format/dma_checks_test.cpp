// SPDX-License-Identifier: Apache-2.0

#include "tests/scenarios/format/support.hpp"

namespace ndsim::test::dma_checks_test {

std::string dma(const std::string& keys) {
    return two_hosts("", "", "\"dma\": {\"r\": {\"host\": \"A\",\n" + keys + "}}");
}

TEST_CASE("load: a DMA generator") {
    const Scenario scenario = load(dma(R"("operation": "write_read", "size": "128 B", "window": "64 MiB",
        "access": "random", "offset": "8 B", "in_flight": 33, "issue": "23.8 ns", "count": 20000)"));
    REQUIRE(scenario.dma.size() == 1);
    CHECK(scenario.dma[0].name == "r");
    CHECK(scenario.dma[0].host == "A");
    const DmaGeneratorParams& params = scenario.dma[0].params;
    CHECK(params.operation == DmaOperation::write_read);
    CHECK(params.size == 128_B);
    CHECK(params.window == 64_MiB);
    CHECK(params.access == DmaAccess::random);
    CHECK(params.offset == 8_B);
    CHECK(params.in_flight == 33);
    CHECK(params.issue == Picoseconds{23'800});
    CHECK(params.count == 20000);
    CHECK(params.unit() == 192_B);  // 136 B take three lines
    CHECK(params.units() == (64U << 20U) / 192);
}

TEST_CASE("load: --set changes a DMA generator") {
    const Scenario scenario = load(dma(R"("size": "128 B")"), {"dma.r.size=1 KiB", "dma.r.in_flight=8"});
    CHECK(scenario.dma[0].params.size == 1_KiB);
    CHECK(scenario.dma[0].params.in_flight == 8);
    CHECK(refusal(dma(R"("size": "128 B")"), {"dma.r.depth=1"}) == "--set: dma.r.depth: there is no such path");
}

TEST_CASE("checks: values of a DMA generator") {
    CHECK(refusal(dma(R"("operation": "send", "size": "8 KiB", "in_flight": 0, "isue": "1 ns")")) ==
          "f:4:14: dma.r.operation: expected one of \"read\", \"write\", \"read_and_write\", \"write_read\", got "
          "\"send\"\n"
          "f:4:30: dma.r.size: expected 1 B .. 4 KiB, got 8 KiB\n"
          "f:4:52: dma.r.in_flight: expected 1 .. 4096, got 0\n"
          "f:4:55: dma.r: unknown key \"isue\"; did you mean \"issue\"?");
    CHECK(refusal(dma(R"("size": "64", "window": 4096)")) ==
          "f:4:9: dma.r.size: expected a number and a unit, such as \"4 KiB\", got \"64\"\n"
          "f:4:25: dma.r.window: expected a number and a unit, such as \"4 KiB\", got 4096");
    CHECK(refusal(two_hosts("", "", R"("dma": {"r": {"size": "64 B"}})")) ==
          "f:3:14: dma.r: \"host\" is missing (the host whose DMA engine and memory it uses)");
    CHECK(refusal(R"({"hosts": {"A": {}}, "dma": 5})") == "f:1:29: dma: expected an object, got 5");
}

TEST_CASE("checks: the host and the window of a DMA generator") {
    CHECK(refusal(two_hosts("", "", R"("dma": {"r": {"host": "C"}})")) ==
          "f:3:23: dma.r.host: there is no host \"C\" (known are A, B)");
    CHECK(refusal(dma(R"("size": "64 B", "offset": "1 B", "window": "100 B")")) ==
          "f:4:44: dma.r.window: 100 B have no room for a transfer, which takes 128 B (whole lines of 64 B, from the "
          "offset on)");
}

TEST_CASE("checks: a host with a DMA generator may be alone, unless somebody talks to it") {
    const std::string dma = R"("dma": {"r": {"host": "A"}})";
    CHECK(refusal(R"({"hosts": {"A": {}}, )" + dma + "}") == "");
    CHECK(refusal(R"({"hosts": {"A": {}}, "programs": {"A": [{"sleep": "1 us"}]}, )" + dma + "}") == "");
    CHECK(refusal(R"({"hosts": {}, )" + dma + "}") ==
          "f:1:11: hosts: expected at least one host, got 0\n"
          "f:1:37: dma.r.host: there is no host \"A\" (there is none at all)");
    CHECK(refusal(R"({"hosts": {"A": {}}, "traffic": {"t": {"from": "A", "to": "B"}}, )" + dma + "}") ==
          "f:1:11: hosts: expected at least two hosts, got 1\n"
          "f:1:59: traffic.t.to: there is no host \"B\" (known are A)");
    CHECK(refusal(R"({"hosts": {"A": {}}, "programs": {"A": [{"post": "send"}]}, )" + dma + "}") ==
          "f:1:41: programs.A[0].qp: queue pair A.q0 is not connected (set \"connect\", or give the peer's queue pair "
          "the same name)");
    CHECK(refusal(R"({"hosts": {"A": {}}, "faults": [{"drop": "A", "packet": 1}], )" + dma + "}") ==
          "f:1:33: faults[0]: host A is not on any link");
    CHECK(refusal(R"({"hosts": {"A": {}}, "faults": [{"stall": "A", "from": "1 us", "until": "2 us"}], )" + dma +
                  "}") == "");
    CHECK(refusal(R"({"hosts": {"dma": {}}, "dma": {"r": {"host": "dma"}}})") ==
          "f:1:19: hosts.dma: a host cannot have this name (names of metrics begin with it)");
}

}  // namespace ndsim::test::dma_checks_test
