// SPDX-License-Identifier: Apache-2.0
#include "tools/advise/accepted.hpp"

#include "scenarios/format/load.hpp"
#include "tests/support/catch.hpp"
#include "tools/advise/named_dimension.hpp"
#include "tools/cli/failure.hpp"

namespace ndsim::advise::accepted_test {

// The range that is left of 1 to 160 around 10 if `low` to `high` are accepted.
std::pair<std::uint64_t, std::uint64_t> range(std::uint64_t low, std::uint64_t high) {
    Dimension dimension;
    dimension.generous = 160;
    dimension.own = 10;
    narrow(dimension, [=](std::uint64_t value) { return value >= low && value <= high; });
    return {dimension.low, dimension.generous};
}

TEST_CASE("advise: a range is narrowed to what the scenario can have") {
    CHECK(range(1, 160) == std::pair<std::uint64_t, std::uint64_t>{1, 160});
    CHECK(range(7, 160) == std::pair<std::uint64_t, std::uint64_t>{7, 160});
    CHECK(range(7, 101) == std::pair<std::uint64_t, std::uint64_t>{7, 101});
    CHECK(range(10, 10) == std::pair<std::uint64_t, std::uint64_t>{10, 10});
    // The scenario's value is between ten and eleven steps.
    CHECK(range(11, 160) == std::pair<std::uint64_t, std::uint64_t>{11, 160});
}

// Of a link of 10 km more comes after a pause frame than fits into the 256 KiB of the file's preset.
TEST_CASE("advise: what the scenario can have depends on what is set") {
    const cli::ScenarioArguments file{.file = "f",
                                      .overrides = {"link.length=10 km", "nic.rx_buffer=16 MiB"},
                                      .text = R"({"hosts": {"A": {}, "B": {}}})"};
    Dimension buffer;
    buffer.settings.push_back({"hosts.A.nic.rx_buffer", 1 << 16, 1 << 30});
    buffer.quantity = Quantity::size;
    buffer.generous = buffer.own = 256;
    std::vector<Dimension> dimensions{buffer};
    narrow_to_accepted(dimensions, file);
    // Twice the 10 km at 5 ns a metre are 100 us, in which 100 Gbps bring 1.25 MB; the buffer must hold twice as much,
    // and some packets: 2.5 MB are 38.1 pieces of 64 KiB.
    CHECK(dimensions[0].low > 38);
    CHECK(dimensions[0].low < 41);
}

TEST_CASE("advise: a value of zero is none to search from") {
    const Scenario scenario = load_scenario("f", R"({"hosts": {"A": {}, "B": {}}, "switches": {"s": {}}})", {});
    CHECK_THROWS_WITH(named_dimension(scenario, "switches.s.port_buffer"),
                      "--search: switches.s.port_buffer is 0 here: give it a value to search from");
    CHECK(named_dimension(scenario, "switches.s.buffer").low == 1);
}

}  // namespace ndsim::advise::accepted_test
