// SPDX-License-Identifier: Apache-2.0
#include "scenarios/format/target.hpp"

#include <string>

#include "tests/scenarios/format/support.hpp"
#include "tests/support/catch.hpp"

namespace ndsim::test::target_test {

Target one(const std::string& text) {
    const auto targets = parse_targets(text);
    INFO(targets.error);
    REQUIRE(targets.value);
    REQUIRE(targets.value->size() == 1);
    return targets.value->front();
}

TEST_CASE("target: a share of the wire") {
    for (const std::string text : {"95 % of line rate", "95% of the line rate", "95 % of the wire's payload rate"}) {
        const Target target = one(text);
        CHECK(target.kind == TargetKind::line_rate);
        CHECK(target.at_least);
        CHECK(target.bound == 950'000);
        CHECK(target.text == text);
    }
    CHECK(one("99.5 % of Line Rate").bound == 995'000);
}

TEST_CASE("target: a figure of every generator") {
    const Target p99 = one("p99 < 5 us");
    CHECK(p99.kind == TargetKind::generators);
    CHECK(p99.figure == "latency.p99");
    CHECK_FALSE(p99.at_least);
    CHECK(p99.bound == 5'000'000);  // ps
    CHECK(p99.quantity == Quantity::time);
    CHECK(one("p99.9 <= 5 us").figure == "latency.p99_9");
    const Target goodput = one("goodput >= 90 Gbps");
    CHECK(goodput.figure == "goodput");
    CHECK(goodput.at_least);
    CHECK(goodput.bound == 90'000'000'000);
    CHECK(one("message rate at least 1.5 M/s").bound == 1'500'000);
    CHECK_FALSE(one("mean at most 900 ns").at_least);
}

TEST_CASE("target: any metric by its name") {
    const Target failed = one("traffic.t.failed <= 0");
    CHECK(failed.kind == TargetKind::metric);
    CHECK(failed.figure == "traffic.t.failed");
    CHECK_FALSE(failed.at_least);
    CHECK(failed.bound == 0);
    CHECK_FALSE(failed.quantity);
    CHECK(one("A.nic.tx.tx_fifo.full < 10 %").bound == 100'000);
}

TEST_CASE("target: what must not happen, and several at once") {
    const auto targets = parse_targets("no overflow, no RNR and 95 % of line rate").value.value();
    REQUIRE(targets.size() == 3);
    CHECK(targets[0].kind == TargetKind::no_overflow);
    CHECK(targets[1].kind == TargetKind::no_rnr);
    CHECK(targets[1].text == "no RNR");
    CHECK(targets[2].kind == TargetKind::line_rate);
}

TEST_CASE("target: what is none is refused with examples") {
    for (const std::string text : {"", "fast", "95 of line rate", "0 % of line rate", "p98 < 5 us", "p99 5 us",
                                   "p99 < 5 parsecs", "goodput >= fast", "no problem", "p99 < 5 us,"}) {
        const auto targets = parse_targets(text);
        CHECK_FALSE(targets.value);
        CHECK(targets.error.find("expected a target such as") == 0);
    }
}

TEST_CASE("target: no more than the line rate can be asked for") {
    CHECK(parse_targets("101 % of line rate").error ==
          "expected at most 100 % of line rate, got \"101 % of line rate\"");
}

TEST_CASE("target: a rate is one by any of its names") {
    for (const std::string text : {"95 % of line rate", "goodput >= 40 Gbps", "traffic.t.goodput >= 40 Gbps",
                                   "message rate at least 1.5 M/s", "traffic.t.message_rate >= 1 M/s"}) {
        CHECK(is_rate(one(text)));
    }
    for (const std::string text : {"p99 < 5 us", "no overflow", "no RNR", "traffic.t.failed <= 0", "goodput <= 40 Gbps",
                                   "A.nic.tx.tx_fifo.full < 10 %"}) {
        CHECK_FALSE(is_rate(one(text)));
    }
}

TEST_CASE("target: a mistyped name is answered with the nearest one") {
    const auto ends_with = [](const std::string& text, const std::string& end) {
        INFO(parse_targets(text).error);
        return parse_targets(text).error.ends_with(end);
    };
    CHECK(ends_with("95 % of linerate", R"(did you mean "95 % of line rate"?)"));
    CHECK(ends_with("p98 < 5 us", R"(did you mean "p90 < 5 us"?)"));  // one edit; p99 has one, too, and comes later
    CHECK(ends_with("godput >= 5 Gbps", R"(did you mean "goodput >= 5 Gbps"?)"));
    CHECK(ends_with("no overfow", R"(did you mean "no overflow"?)"));
    CHECK(ends_with("goodput >= fast", R"(got "goodput >= fast")"));  // its name is right
    CHECK(ends_with("fast", R"(got "fast")"));
}

TEST_CASE("target: a latency has no lower bound") {
    CHECK(parse_targets("mean > 4 us").error == R"(a latency has no lower bound, got "mean > 4 us"; write "<")");
    CHECK(parse_targets("p99 at least 4 us").error.starts_with("a latency has no lower bound"));
    CHECK(one("traffic.t.latency.mean > 4 us").at_least);  // as an expectation may have it
}

TEST_CASE("target: each text of a list has its own place") {
    const std::string hosts = R"({"hosts": {"A": {}, "B": {}}, "traffic": {"t": {"from": "A", "to": "B"}},)";
    CHECK(refusal(hosts + "\n\"target\": [\"p99 < 5 us\", 5, \"no RNR\",\n\"mean > 4 us\"]}") ==
          "f:2:26: target[1]: expected a text in double quotes, got 5\n"
          "f:3:1: target[3]: a latency has no lower bound, got \"mean > 4 us\"; write \"<\"");
}

}  // namespace ndsim::test::target_test
