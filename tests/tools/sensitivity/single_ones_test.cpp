// SPDX-License-Identifier: Apache-2.0

#include "tools/sensitivity/study.hpp"

#include "tests/support/catch.hpp"

using namespace ndsim::sensitivity;

namespace single_ones_test {

Effect effect(const std::string& name, std::uint64_t low, std::uint64_t high, bool is_estimate = true) {
    Effect effect;
    effect.factor.name = name;
    effect.factor.paths = {"hosts.A." + name};
    effect.factor.value = "2";
    effect.factor.low = "1";
    effect.factor.high = "4";
    effect.factor.is_estimate = is_estimate;
    effect.low = {low};
    effect.high = {high};
    return effect;
}

Study study_of(std::vector<Effect> effects, Span span) {
    Study study;
    study.metrics = {"m"};
    study.base = {10'000};
    study.effects = std::move(effects);
    study.corners = {{{"hosts.A.x=1", "hosts.A.y=1"}, {"hosts.A.x=4", "hosts.A.y=4"}, 2}};
    study.spans = {span};
    return study;
}

TEST_CASE("sensitivity: the range of all estimates is no narrower than what one of them does alone") {
    // x alone takes 10,000 to 9,000, and both together to 9,500 only.
    Study study = study_of({effect("x", 9'000, 10'100), effect("y", 9'900, 10'200)}, {9'500, 10'300});
    take_single_ones(study);
    CHECK(study.spans[0].low == 9'000);
    CHECK(study.corners[0].low == std::vector<std::string>{"hosts.A.x=1"});
    CHECK(study.corners[0].low_alone == "x");
    CHECK(study.spans[0].high == 10'300);
    CHECK(study.corners[0].high.size() == 2);
    CHECK(study.corners[0].high_alone.empty());
}

TEST_CASE("sensitivity: what is no estimate, or changes less than a thousandth, does not widen the range") {
    // 9,991 is 0.9 thousandths below.
    Study study = study_of({effect("x", 8'000, 12'000, false), effect("y", 9'991, 10'000)}, {9'995, 10'000});
    take_single_ones(study);
    CHECK(study.spans[0].low == 9'995);
    CHECK(study.spans[0].high == 10'000);
    // A run that broke off has no end.
    Study broken = study_of({effect("x", 9'000, 10'100)}, {std::nullopt, 10'000});
    take_single_ones(broken);
    CHECK_FALSE(broken.spans[0].low);
    CHECK(broken.spans[0].high == 10'100);
}

}  // namespace single_ones_test
