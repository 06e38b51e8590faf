// SPDX-License-Identifier: Apache-2.0
#include "tools/sensitivity/factors.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "scenarios/format/load.hpp"
#include "tools/sensitivity/study.hpp"

namespace ndsim::sensitivity::factors_test {

Scenario scenario(const std::string& hosts) {
    return load_scenario("f", R"({"hosts": {)" + hosts + R"(}, "links": {"l0": {"length": "100 m"}}})");
}
const Factor& named(const std::vector<Factor>& factors, const std::string& name) {
    const auto found = std::ranges::find(factors, name, &Factor::name);
    REQUIRE(found != factors.end());
    return *found;
}

TEST_CASE("factors: what all hosts have alike is one, and goes down and up by its range") {
    const std::vector<Factor> all = factors_of(scenario(R"("A": {}, "B": {})"), {});
    const Factor& pipe = named(all, "nic.rx_pipe");
    CHECK(pipe.paths == std::vector<std::string>{"hosts.A.nic.rx_pipe", "hosts.B.nic.rx_pipe"});
    // Preset B's 120 ns, 80 to 400 of 120 in timing.md: 67 and 333 %.
    CHECK(pipe.value == "120 ns");
    CHECK(pipe.low == "80.4 ns");
    CHECK(pipe.high == "399.6 ns");
    CHECK(pipe.is_estimate);
    // No source gives the half-way of PCIe a range. It was seen, so it is no estimate.
    const Factor& way = named(all, "pcie.one_way");
    CHECK(way.low == "67.5 ns");
    CHECK(way.high == "270 ns");
    CHECK_FALSE(way.is_estimate);
    // The scenario says how long the cable is.
    CHECK(named(all, "link.length").high == "200 m");
    CHECK_FALSE(named(all, "link.length").is_estimate);
    // At the end of what a parameter may be there is no further value: an MTU of 4096 B is the largest.
    CHECK(named(all, "nic.mtu").low == "2048");
    CHECK_FALSE(named(all, "nic.mtu").high);
    // Neither is half of nothing: no core is preempted.
    CHECK(std::ranges::count(all, "cpu.preempt_every", &Factor::name) == 0);
}

TEST_CASE("factors: hosts that differ are factors of their own, and what had no effect is none") {
    const std::vector<Factor> all =
        factors_of(scenario(R"("A": {}, "B": {"nic": {"rx_pipe": "1 us"}})"), {"hosts.A.nic.tx_pipe"});
    CHECK(named(all, "hosts.A.nic.rx_pipe").is_estimate);
    CHECK(named(all, "hosts.B.nic.rx_pipe").value == "1 us");
    CHECK_FALSE(named(all, "hosts.B.nic.rx_pipe").is_estimate);  // chosen by the scenario
    CHECK(named(all, "nic.tx_pipe").paths == std::vector<std::string>{"hosts.B.nic.tx_pipe"});
}

TEST_CASE("study: a swing is the larger of both ends, and an end that broke off has none") {
    const Effect effect{{}, {990, std::nullopt}, {1020, 900}};
    CHECK(swing(effect, 0, 1000) == 20'000);
    CHECK(swing(effect, 1, 1000) == 100'000);
    CHECK(swing(effect, 0, 0) == 0);
}

}  // namespace ndsim::sensitivity::factors_test
