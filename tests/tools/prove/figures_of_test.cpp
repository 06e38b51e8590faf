// SPDX-License-Identifier: Apache-2.0
#include "tools/prove/figures_of.hpp"

#include "tests/support/catch.hpp"

namespace ndsim::prove::figures_of_test {

Json limit(const std::string& parameter, const std::vector<std::string>& generators) {
    return {{"parameter", parameter}, {"generators", generators}};
}

TEST_CASE("figures: a parameter is that of all generators that any of its limits may hold up") {
    const Json limits{limit("links.l0.rate", {"traffic t"}), limit("pcie", {"dma d"}),
                      limit("links.l0.rate", {"traffic u", "traffic t"}), limit("links.l1.rate", {}),
                      limit("links.l1.rate", {"traffic u"})};
    CHECK(generators_of(limits, {"links.l0.rate"}) == Generators{"traffic.t", "traffic.u"});
    CHECK(generators_of(limits, {"pcie"}) == Generators{"dma.d"});
    CHECK(generators_of(limits, {"links.l1.rate"}) == Generators{"traffic.u"});  // one lane has acknowledgements only
    CHECK(generators_of(limits, {"links.l2.rate"}).empty());
}

TEST_CASE("figures: limits of alike things with one value are raised together, each parameter once") {
    const auto window = [](const std::string& generator, const std::string& value) {
        return Json{{"kind", "window"},
                    {"what", "traffic " + generator},
                    {"value", value},
                    {"parameter", "traffic." + generator + ".window"}};
    };
    const Json rate{{"kind", "wire"}, {"what", "l0_A_to_B"}, {"value", "4"}, {"parameter", "links.l0.rate"}};
    const Json limits{window("a", "4"), window("b", "8"), rate, window("c", "4"), window("d", "4"), window("c", "4")};
    const cli::AlikeHosts alike(cli::AlikeHosts::Names{
        {"traffic a", "alike traffic a"}, {"traffic b", "alike traffic a"}, {"traffic c", "alike traffic a"}});
    CHECK(parameters_like(limits[0], limits, alike) ==
          std::vector<std::string>{"traffic.a.window", "traffic.c.window"});
    CHECK(parameters_like(limits[1], limits, alike) == std::vector<std::string>{"traffic.b.window"});
    CHECK(parameters_like(limits[2], limits, alike) == std::vector<std::string>{"links.l0.rate"});
    CHECK(parameters_like(limits[4], limits, alike) == std::vector<std::string>{"traffic.d.window"});
}

TEST_CASE("figures: generators count if the result has them, all if none are named") {
    const Json result{{"metrics",
                       {{"dma.d.transfer_rate", 1},
                        {"traffic.t.goodput", 1},
                        {"traffic.t.message_rate", 1},
                        {"traffic.u.message_rate", 1}}}};
    CHECK(generators_in(result, {}) == Generators{"dma.d", "traffic.t", "traffic.u"});
    CHECK(generators_in(result, {"traffic.u", "traffic.x"}) == Generators{"traffic.u"});
}

}  // namespace ndsim::prove::figures_of_test
