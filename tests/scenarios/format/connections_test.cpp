// SPDX-License-Identifier: Apache-2.0
#include "scenarios/format/connections.hpp"

#include "tests/scenarios/format/support.hpp"

namespace ndsim::test::connections_test {

// C, D and A are joined by C-D and D-A. B is alone with E.
TEST_CASE("connections: hosts are joined over other hosts too, each with the first of them") {
    const Scenario scenario = load_scenario("f", R"({
  "hosts": {
    "A": {}, "B": {"qps": {"q0": {"connect": "E.q0"}}}, "C": {"qps": {"q0": {"connect": "D.q0"}}},
    "D": {"qps": {"q0": {}, "q1": {"connect": "A.q0"}}}, "E": {}, "F": {} },
  "switches": {"s0": {}}})");
    CHECK(joined_hosts(scenario) == std::vector<std::size_t>{0, 1, 0, 0, 1, 5});
}

}  // namespace ndsim::test::connections_test
