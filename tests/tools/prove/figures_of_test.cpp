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
    CHECK(generators_of(limits, "links.l0.rate") == Generators{"traffic.t", "traffic.u"});
    CHECK(generators_of(limits, "pcie") == Generators{"dma.d"});
    CHECK(generators_of(limits, "links.l1.rate") == Generators{"traffic.u"});  // one lane has acknowledgements only
    CHECK(generators_of(limits, "links.l2.rate").empty());
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
