// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "models/nic/nic_params.hpp"
#include "models/switch/switch_params.hpp"
#include "sim/config/params.hpp"
#include "tests/ndapi/ndk/ndk_program.hpp"
#include "tests/scenarios/run/knobs.hpp"

// Every parameter of the hardware that is a number is changed by much, in a scenario in which it should matter; some
// figure of the result must then be another one.

namespace ndsim::test::knobs_test {

using namespace ndsim::test::knobs;

// But for those that only say how large something is.
std::map<std::string, std::uint64_t> figures(const Knob& knob, const std::vector<std::string>& overrides) {
    const ChildResult run = run_text(text_of(knob.scenario), overrides);
    INFO(run.why);
    REQUIRE(run.ended);
    std::map<std::string, std::uint64_t> result = run.metrics;
    std::erase_if(result, [](const auto& metric) { return metric.first.ends_with(".capacity"); });
    return result;
}

bool is_number(const Param& param) {
    return param.type() != "flag" && param.type() != "choice";
}

TEST_CASE("knobs: each number of the hardware's parameters changes some figure") {
    for (const Knob& knob : kKnobs) {
        INFO(knob.path << " = " << knob.value << " in " << knob.scenario);
        std::vector<std::string> overrides = knob.context;
        const auto before = figures(knob, overrides);
        overrides.push_back(std::string(knob.path) + "=" + std::string(knob.value));
        const bool changed = figures(knob, overrides) != before;
        CHECK(changed);
    }
}

TEST_CASE("knobs: none is left out") {
    NodeParams node;
    SwitchParams network_switch;
    LinkParams link;
    std::vector<Param> params = params_of(node, "");
    for (Param& param : params_of(network_switch, "switch")) {
        params.push_back(std::move(param));
    }
    for (Param& param : params_of(link, "link")) {
        params.push_back(std::move(param));
    }
    for (const Param& param : params) {
        INFO(param.path());
        const bool turned =
            std::any_of(kKnobs.begin(), kKnobs.end(), [&](const Knob& k) { return k.path == param.path(); });
        const bool elsewhere = std::any_of(kElsewhere.begin(), kElsewhere.end(),
                                           [&](const Elsewhere& e) { return e.path == param.path(); });
        CHECK((turned || elsewhere || !is_number(param)));
    }
    for (const Elsewhere& each : kElsewhere) {
        CHECK_THAT(file_text(NDSIM_SOURCE_DIR "/" + std::string(each.file)),
                   Catch::Matchers::ContainsSubstring("TEST_CASE(\"" + std::string(each.test) + "\""));
    }
}

// 100 us pass in vain: a poll, and as many more as there are whole rounds in that time, the last one begun.
TEST_CASE("knobs: what an empty poll costs shows in a program") {
    const auto polls = [](const std::string& cost) {
        RunOptions options;
        options.programs = {{"A",
                             [](HostContext& host) {
                                 const Objects objects(host);
                                 NDK_RESULT result{};
                                 const Picoseconds begun = host.clock();
                                 while (host.clock() < begun + std::chrono::microseconds{100}) {
                                     expect(objects.cq->Dispatch->NdkGetCqResults(objects.cq, &result, 1) == 0, "none");
                                 }
                             }},
                            {"B", [](HostContext&) {}}};
        const ChildResult run =
            run_text(R"({"hosts": {"A": {}, "B": {}}})", {"hosts.A.cpu.poll_empty=" + cost}, options);
        INFO(run.why);
        REQUIRE(run.ended);
        return run.metric("A.cpu.empty_polls");
    };
    // 100 us of polls, and up to an eighth more, for which the last of them may last.
    CHECK(polls("10 ns") >= 10'000);
    CHECK(polls("10 ns") <= 11'250);
    CHECK(polls("30 ns") >= 3'334);
    CHECK(polls("30 ns") <= 3'750);
}

}  // namespace ndsim::test::knobs_test
