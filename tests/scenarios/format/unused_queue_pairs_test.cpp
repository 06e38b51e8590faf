// SPDX-License-Identifier: Apache-2.0

#include "scenarios/format/unused_queue_pairs.hpp"
#include "tests/scenarios/format/support.hpp"

namespace ndsim::test::hints_test {

// A sends one message to B, which receives it, and does one thing more, with what `b` says of its queues.
std::string hint_of(const std::string& more, const std::string& b = {}, const std::string& a = {}) {
    const std::string text = two_hosts(R"("buffers": {"m": {}})" + a, R"("buffers": {"m": {}})" + b,
                                       R"("programs": {"A": [{"post": "send", "buffer": "m"}],
"B": [{"post": "receive", "buffer": "m"},
)" + more + "]}");
    std::string said;
    for (const Hint& hint : hints_of(load_scenario("f", text))) {
        said += to_text(hint.at) + ": " + hint.path + ": " + hint.what + "\n";
    }
    return said;
}

const std::string kMeantSend =
    "5:1: programs.B[1]: nothing is ever posted to q9, which the file does not define; did you mean \"q0.send\"?\n";

TEST_CASE("hints: every use of a completion queue whose queue pair is used nowhere else") {
    for (const std::string verb : {"poll", "arm", "moderate"}) {
        INFO(verb);
        CHECK(hint_of(R"({")" + verb + R"(": "q9.send"})") == kMeantSend);
    }
    CHECK(hint_of(R"({"resize": "q9.send", "depth": 5})") == kMeantSend);
    CHECK(hint_of(R"({"repeat": 2, "do": [{"poll": "q9.receive"}, {"poll": "q9.receive"}]})") ==
          "5:22: programs.B[1].do[0]: nothing is ever posted to q9, which the file does not define; did you mean "
          "\"q0.receive\"?\n");
    // The peer's queues are written down, and this one is not among them.
    CHECK(hint_of(R"({"poll": "q9.send"})", "", R"(, "qps": {"q0": {}})") == kMeantSend);
    // Others of the host are written down.
    CHECK(
        hint_of(R"({"poll": "reply.send"})", R"(, "cqs": {"shared": {}})") ==
        "5:1: programs.B[1]: nothing is ever posted to reply, which the file does not define; other completion queues "
        "are shared, q0.send, q0.receive\n");
}

TEST_CASE("hints: none of queues that are in use or written down") {
    CHECK(hint_of(R"({"poll": "q0.send"})").empty());
    CHECK(hint_of(R"({"post": "receive", "qp": "q9", "buffer": "m"}, {"poll": "q9.send"})").empty());
    CHECK(hint_of(R"({"connect": "q9"}, {"arm": "q9.send"})").empty());
    CHECK(hint_of(R"({"poll": "q9.send"})", R"(, "qps": {"q0": {}, "q9": {}})").empty());
    // There is no other that could be meant.
    CHECK(hints_of(load_scenario("f", two_hosts("", "", R"("programs": {"B": [{"arm": "q5.receive"}]})"))).empty());
}

}  // namespace ndsim::test::hints_test
