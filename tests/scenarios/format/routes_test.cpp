// SPDX-License-Identifier: Apache-2.0
#include "scenarios/format/routes.hpp"

#include "tests/scenarios/format/support.hpp"

namespace ndsim::test::routes_test {

// A network of these hosts, switches and links, whatever the loader thinks of it.
Scenario network(const std::vector<std::string>& hosts, const std::vector<std::string>& switches,
                 const std::vector<std::array<std::string, 2>>& links) {
    Scenario scenario;
    for (const std::string& host : hosts) {
        scenario.hosts.emplace_back().name = host;
    }
    for (const std::string& each : switches) {
        scenario.switches.emplace_back().name = each;
    }
    for (const auto& between : links) {
        scenario.links.emplace_back().between = between;
    }
    return scenario;
}

using Way = std::optional<std::size_t>;

TEST_CASE("routes: through a switch, and along a cable") {
    const Scenario scenario = network({"A", "B", "C", "D"}, {"s"}, {{"A", "s"}, {"C", "D"}, {"s", "B"}});
    const Routes routes(scenario);
    CHECK(routes.joined("A", "B"));
    CHECK(routes.joined("B", "A"));
    CHECK(routes.joined("D", "C"));
    CHECK_FALSE(routes.joined("A", "C"));
    CHECK_FALSE(routes.joined("A", "A"));
    CHECK_FALSE(routes.joined("A", "X"));
    CHECK(routes.reaches_a_host("s"));
    CHECK(routes.link_to(0, 0) == Way{0});
    CHECK(routes.link_to(0, 1) == Way{2});
    CHECK(routes.link_to(0, 2) == std::nullopt);
}

TEST_CASE("routes: a host forwards nothing") {
    const Scenario scenario = network({"A", "B", "C"}, {}, {{"A", "B"}, {"B", "C"}});
    const Routes routes(scenario);
    CHECK(routes.joined("A", "B"));
    CHECK_FALSE(routes.joined("A", "C"));
}

// A - s - t - B, and s - u - v - t behind it; u and v are further.
TEST_CASE("routes: as few links as there can be") {
    const Scenario scenario = network({"A", "B"}, {"s", "t", "u", "v"},
                                      {{"s", "u"}, {"u", "v"}, {"v", "t"}, {"A", "s"}, {"s", "t"}, {"t", "B"}});
    const Routes routes(scenario);
    CHECK(routes.joined("A", "B"));
    CHECK(routes.link_to(0, 1) == Way{4});  // s: straight to t, though the link to u comes first
    CHECK(routes.link_to(1, 1) == Way{5});
    CHECK(routes.link_to(1, 0) == Way{4});
    CHECK(routes.link_to(2, 1) == Way{0});  // u: by s and by v it is as far, and s comes first
    CHECK(routes.link_to(3, 1) == Way{2});
}

// Leaves l and m, spines x and y: everything goes over the spine whose links come first.
TEST_CASE("routes: of two that are as short the one that the file lists first") {
    const Scenario scenario = network({"A", "B"}, {"l", "m", "x", "y"},
                                      {{"A", "l"}, {"B", "m"}, {"l", "y"}, {"l", "x"}, {"m", "x"}, {"m", "y"}});
    const Routes routes(scenario);
    CHECK(routes.joined("A", "B"));
    CHECK(routes.link_to(0, 1) == Way{2});  // l to B: over y
    CHECK(routes.link_to(1, 0) == Way{4});  // m to A: over x
    CHECK(routes.link_to(3, 1) == Way{5});
    CHECK(routes.link_to(2, 0) == Way{3});
}

TEST_CASE("routes: switches that lead to no host") {
    const Scenario scenario = network({"A", "B"}, {"s", "t", "u"}, {{"A", "B"}, {"s", "t"}, {"t", "u"}, {"u", "s"}});
    const Routes routes(scenario);
    CHECK_FALSE(routes.reaches_a_host("s"));
    CHECK(routes.reaches_a_host("A"));
    CHECK(routes.link_to(0, 0) == std::nullopt);
}

TEST_CASE("routes: the lanes of a way, in its order") {
    Scenario scenario = network({"A", "B", "C"}, {"s", "t"}, {{"A", "s"}, {"t", "s"}, {"B", "t"}});
    for (std::size_t i = 0; i < scenario.links.size(); ++i) {
        scenario.links[i].name = "l" + std::to_string(i);
    }
    const Routes routes(scenario);
    const auto lanes = [&](std::string_view from, std::string_view to) {
        std::vector<std::string> names;
        for (const RouteStep& step : routes.way(from, to)) {
            names.push_back(step.lane());
        }
        return names;
    };
    CHECK(lanes("A", "B") == std::vector<std::string>{"l0_A_to_s", "l1_s_to_t", "l2_t_to_B"});
    CHECK(lanes("B", "A") == std::vector<std::string>{"l2_B_to_t", "l1_t_to_s", "l0_s_to_A"});
    CHECK(lanes("A", "C").empty());
}

}  // namespace ndsim::test::routes_test
