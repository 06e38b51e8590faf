// SPDX-License-Identifier: Apache-2.0
#include "tools/sensitivity/factors.hpp"

#include <algorithm>
#include <string_view>

#include "scenarios/format/load.hpp"
#include "tests/support/catch.hpp"
#include "tools/sensitivity/study.hpp"

namespace ndsim::sensitivity::factors_test {

Scenario scenario(const std::string& hosts) {
    return load_scenario("f", R"({"hosts": {)" + hosts + R"(}, "links": {"l0": {"length": "100 m"}}})");
}
const Factor& named(const std::vector<Factor>& factors, std::string_view name) {
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
    // Neither is half of nothing: no core is preempted. Without RS-FEC a cable may still have it.
    CHECK_FALSE(named(all, "cpu.preempt_every").low);
    CHECK_FALSE(named(all, "cpu.preempt_every").high);
    CHECK_FALSE(named(all, "link.fec").low);
    CHECK(named(all, "link.fec").high == "100 ns");
}

TEST_CASE("factors: hosts that differ are factors of their own, and what had no effect is none") {
    const std::vector<Factor> all =
        factors_of(scenario(R"("A": {}, "B": {"nic": {"rx_pipe": "1 us"}})"), {{"hosts.A.nic.tx_pipe", {}}});
    CHECK(named(all, "hosts.A.nic.rx_pipe").is_estimate);
    CHECK(named(all, "hosts.B.nic.rx_pipe").value == "1 us");
    CHECK_FALSE(named(all, "hosts.B.nic.rx_pipe").is_estimate);  // chosen by the scenario
    CHECK(named(all, "nic.tx_pipe").paths == std::vector<std::string>{"hosts.B.nic.tx_pipe"});
}

// The range of sq_in_flight is half to twice: half does as well if 50 % are enough.
TEST_CASE("factors: what had no effect is tried at its low end if that may be too little") {
    const auto with = [](std::uint32_t enough, const std::string& path) {
        return factors_of(scenario(R"("A": {}, "B": {})"), {{"hosts.A." + path, {enough}}, {"hosts.B." + path, {}}});
    };
    CHECK(std::ranges::count(with(50, "nic.sq_in_flight"), "nic.sq_in_flight", &Factor::name) == 0);
    const std::vector<Factor> less = with(51, "nic.sq_in_flight");
    CHECK(named(less, "nic.sq_in_flight").paths == std::vector<std::string>{"hosts.A.nic.sq_in_flight"});
    CHECK(named(less, "nic.sq_in_flight").low == "64");
    CHECK_FALSE(named(less, "nic.sq_in_flight").high);
    // On B it had an effect, so it is tried at both ends.
    const std::vector<Factor> both = factors_of(scenario(R"("A": {}, "B": {})"), {{"hosts.A.nic.sq_in_flight", {100}}});
    CHECK(named(both, "nic.sq_in_flight").paths.size() == 2);
    CHECK(named(both, "nic.sq_in_flight").high == "256");
}

// The range of read_interval is half to twice.
TEST_CASE("factors: what had no effect is tried at its high end if that may be too much") {
    const std::string path = "nic.read_interval";
    const auto with = [&](std::uint32_t most) {
        return factors_of(scenario(R"("A": {}, "B": {})"),
                          {{"hosts.A." + path, {0, most}}, {"hosts.B." + path, {0, 100}}});
    };
    const std::vector<Factor> more = with(200);
    CHECK(named(more, path).paths == std::vector<std::string>{"hosts.B." + path});
    CHECK(named(with(199), path).paths.size() == 2);
    CHECK(named(more, path).high == "450 ns");
    CHECK_FALSE(named(more, path).low);
    // On B it had an effect, so it is tried at both ends.
    const std::vector<Factor> both = factors_of(scenario(R"("A": {}, "B": {})"), {{"hosts.A." + path, {0, 100}}});
    CHECK(named(both, path).paths.size() == 2);
    CHECK(named(both, path).low == "112.5 ns");
}

TEST_CASE("study: a swing is the larger of both ends, and an end that broke off has none") {
    const Effect effect{{}, {990, std::nullopt}, {1020, 900}};
    CHECK(swing(effect, 0, 1000) == 20'000);
    CHECK(swing(effect, 1, 1000) == 100'000);
    // From 0, any change is larger than one of a billion times.
    CHECK(swing({{}, {1}, {0}}, 0, 0) > std::uint64_t{1'000'000'000} * 1'000'000 / 1'000'000);
    CHECK(swing({{}, {1}, {3}}, 0, 0) > swing({{}, {1}, {2}}, 0, 0));
    CHECK(swing({{}, {0}, {0}}, 0, 0) == 0);
}

}  // namespace ndsim::sensitivity::factors_test
