// SPDX-License-Identifier: Apache-2.0
#include <variant>

#include "tests/scenarios/format/support.hpp"

namespace ndsim::test::cq_options_test {

using namespace std::chrono_literals;

std::string moderated(const std::string& limits, const std::string& more = "") {
    return two_hosts(R"("cqs": {"shared": {"depth": 8, "interrupt_moderation": {)" + limits + "}}}" + more, "", "");
}

TEST_CASE("scenario: moderation of a completion queue") {
    const Scenario s = load(moderated(R"("interval": "20 us", "count": 9)"));
    const InterruptModeration& both = s.hosts[0].cqs[0].interrupt_moderation;
    CHECK(both.is_on());
    CHECK(both.interval == 20us);
    CHECK(both.count == 9);
    CHECK_FALSE(load(moderated("")).hosts[0].cqs[0].interrupt_moderation.is_on());
}

TEST_CASE("checks: limits of moderation") {
    CHECK_THAT(refusal(moderated(R"("interval": "1500 ns")")),
               Catch::Matchers::ContainsSubstring(
                   "hosts.A.cqs.shared.interrupt_moderation.interval: expected whole microseconds"));
    CHECK_THAT(refusal(moderated(R"("count": 9)")),
               Catch::Matchers::ContainsSubstring("interrupt_moderation.count: 9 are more than the queue holds, 8"));
    CHECK_THAT(refusal(moderated(R"("count": 8)")), Catch::Matchers::Equals(""));
    CHECK_THAT(refusal(moderated(R"("count": 4)", R"(, "nic": {"cq": {"can_moderate": false}})")),
               Catch::Matchers::ContainsSubstring("interrupt_moderation: the adapter does not offer moderation"));
    CHECK_THAT(refusal(moderated("", R"(, "nic": {"cq": {"can_moderate": false}})")), Catch::Matchers::Equals(""));
}

TEST_CASE("program: changes of a completion queue") {
    const Scenario s = load(program(R"({"moderate": "q0.send", "interval": "5 us"}, {"moderate": "q0.send"},
                                       {"resize": "q0.send", "depth": 32})"));
    const auto& ops = s.hosts[0].program->ops;
    const auto& moderate = std::get<ModerateOp>(ops.at(0).what);
    CHECK(moderate.cq == "q0.send");
    CHECK(moderate.moderation.interval == 5us);
    CHECK(moderate.moderation.count == 0);
    CHECK_FALSE(std::get<ModerateOp>(ops.at(1).what).moderation.is_on());
    CHECK(std::get<ResizeOp>(ops.at(2).what).depth == 32);
    CHECK_THAT(refusal(program(R"({"moderate": "q0.send", "interval": "1 ns"})")),
               Catch::Matchers::ContainsSubstring("programs.A[0].interval: expected whole microseconds"));
    CHECK_THAT(refusal(program(R"({"resize": "q0.send", "depth": 0})")),
               Catch::Matchers::ContainsSubstring("programs.A[0].depth"));
    CHECK_THAT(refusal(program(R"({"post": "send"}, {"resize": "q0.sent", "depth": 8})")),
               Catch::Matchers::ContainsSubstring("there is no completion queue \"q0.sent\""));
}

}  // namespace ndsim::test::cq_options_test
