// SPDX-License-Identifier: Apache-2.0

#include "tests/scenarios/format/support.hpp"

// What needs the bytes of messages is refused where they have none.

namespace ndsim::test::payload_checks_test {

std::string without_bytes(const std::string& api, const std::string& ops, const std::string& more = "") {
    return R"({"payload": "timing",
"hosts": {"A": {"api": ")" +
           api + R"(", "buffers": {"tx": {}}, "qps": {"q0": {}}}, "B": {"api": ")" + api +
           R"(", "buffers": {"rx": {}}, "qps": {"q0": {}}}},
"programs": {"A": [)" +
           ops + "]}" + more + "}";
}

const std::string kSend = R"({"post": "send", "buffer": "tx"})";

TEST_CASE("payload checks: there are two") {
    CHECK(refusal(R"({"payload": "time", "hosts": {"A": {}, "B": {}}})") ==
          "f:1:13: payload: expected one of \"bytes\", \"timing\", got \"time\"");
    CHECK(refusal(without_bytes("ndk", kSend)).empty());
}

TEST_CASE("payload checks: a byte that is never written cannot be spun on") {
    const std::string repeated = R"({"repeat": 2, "do": [{"sleep": "1 us"}, {"spin": "tx"}]})";
    CHECK_THAT(refusal(without_bytes("ndspi2", repeated)),
               Catch::Matchers::ContainsSubstring(
                   "programs.A[0].do[1].spin: would never end: messages carry no bytes, so no byte changes"));
}

TEST_CASE("payload checks: sockets read what their messages say") {
    CHECK_THAT(refusal(without_bytes("wsd", kSend)),
               Catch::Matchers::ContainsSubstring(
                   "hosts.A.api: sockets need the bytes of their messages, and messages carry none (remove "
                   "\"payload\": \"timing\", which only makes runs faster)"));
}

TEST_CASE("payload checks: nothing can be expected of memory") {
    CHECK_THAT(refusal(without_bytes("ndk", kSend, R"(, "expect": [{"memory": "B.rx", "equals": "A.tx"}])")),
               Catch::Matchers::ContainsSubstring("expect[0].memory: nothing arrives there: messages carry no bytes"));
}

}  // namespace ndsim::test::payload_checks_test
