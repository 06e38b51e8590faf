// SPDX-License-Identifier: Apache-2.0
#include "tests/scenarios/forecast/support.hpp"

// Queues that are too small for what a program posts, and for what completes.

namespace ndsim::test::queues_test {

const std::string kSleep = R"({"sleep": "200 us"}, )";

// B's window is opened and A told; A invalidates it with its message. In NDSPI 1 that is two completions for B.
Pair invalidation(const std::string& api, std::uint32_t cq_depth) {
    const std::string host = R"("api": ")" + api + R"(", "memory": {"w": {"kind": "window"}})";
    return {.a = R"({"post": "receive", "buffer": "m"}, {"poll": "q0.receive"},
                    {"post": "send_and_invalidate", "buffer": "m", "size": "64 B", "invalidates": "B.w"}, {"poll": "q0.send"})",
            .b = kSleep + R"({"post": "receive", "buffer": "m"},
                    {"post": "bind", "memory": "w", "buffer": "m", "allow": ["remote_write"]}, {"poll": "q0.send"},
                    {"post": "send", "buffer": "m", "size": "64 B"}, {"poll": "q0.send"}, {"sleep": "1 ms"})",
            .host_a = R"("api": ")" + api + R"(")",
            .host_b = host + R"(, "cqs": {"few": {"depth": )" + std::to_string(cq_depth) +
                      R"(}}, "qps": {"q0": {"receive_cq": "few"}})",
            .members = R"("limits": {"time": "1 s"})"};
}

// [K28] Four slots, and no completion is polled before the fifth post.
TEST_CASE("forecast: the post for which no slot is free will be refused") {
    const Pair pair{
        .a =
            kSleep +
            R"({"post": "send", "buffer": "m", "size": "64 B", "count": 5, "as": "s"}, {"poll": "q0.send", "count": 4})",
        .b = R"({"post": "receive", "buffer": "m", "count": 4}, {"poll": "q0.receive", "count": 4})",
        .host_a = R"("nic": {"sq": {"depth": 4}})"};
    const Foreseen found = only(pair);
    CHECK(found.certainty == Certainty::will);
    CHECK(found.kind == ForeseenKind::refused);
    CHECK(found.request == "A.s[4]");
    CHECK(found.queue == "A.q0");
    CHECK(found.statuses == std::vector<std::string>{"no_more_entries"});
}

TEST_CASE("forecast: a receive for which no slot is free will be refused") {
    const Pair pair{.a = kSleep + R"({"post": "send", "buffer": "m", "size": "64 B"}, {"poll": "q0.send"})",
                    .b = R"({"post": "receive", "buffer": "m", "count": 3, "as": "r"}, {"poll": "q0.receive"})",
                    .host_b = R"("nic": {"rq": {"depth": 2}})"};
    const Foreseen found = only(pair);
    CHECK(found.kind == ForeseenKind::refused);
    CHECK(found.certainty == Certainty::will);
    CHECK(found.request == "B.r[2]");
}

// Five messages are received, nobody polls, and four completions fit.
TEST_CASE("forecast: a completion queue that gets more than it holds will overrun") {
    const Pair pair{
        .a = kSleep + R"({"post": "send", "buffer": "m", "size": "64 B", "count": 5}, {"poll": "q0.send", "count": 5})",
        .b = R"({"post": "receive", "buffer": "m", "count": 5, "as": "r"}, {"sleep": "1 ms"})",
        .host_b = R"("cqs": {"few": {"depth": 4}}, "qps": {"q0": {"receive_cq": "few"}})"};
    const Foreseen found = only(pair);
    CHECK(found.certainty == Certainty::will);
    CHECK(found.kind == ForeseenKind::overruns);
    CHECK(found.request == "B.r[4]");  // the completion of the fifth receive is the first that is lost
    CHECK(found.advice.find("hosts.B.cqs.few.depth from 4 to 5") != std::string::npos);
}

// They are all polled, but nothing makes A wait for B's polls: all five may be there before the first is taken.
TEST_CASE("forecast: a completion queue that its program may empty too late may overrun") {
    const Pair pair{
        .a = kSleep + R"({"post": "send", "buffer": "m", "size": "64 B", "count": 5}, {"poll": "q0.send", "count": 5})",
        .b = R"({"post": "receive", "buffer": "m", "count": 5}, {"poll": "few", "count": 5})",
        .host_b = R"("cqs": {"few": {"depth": 4}}, "qps": {"q0": {"receive_cq": "few"}})"};
    const Foreseen found = only(pair);
    CHECK(found.certainty == Certainty::may);
    CHECK(found.kind == ForeseenKind::overruns);
    CHECK(found.path == "programs.B[1]");
}

// [R34] The window's completion and the Receive's.
TEST_CASE("forecast: a SendAndInvalidate is two completions in NDSPI 1, and one in NDKPI") {
    const Foreseen found = only(invalidation("ndspi1", 1));
    CHECK(found.certainty == Certainty::will);
    CHECK(found.kind == ForeseenKind::overruns);
    check_nothing(foreseen_of(invalidation("ndspi1", 2)));
    check_nothing(foreseen_of(invalidation("ndk", 1)));
}

// [K102] The message is longer than B's receive, and five flushed receives are too many for a queue of four.
TEST_CASE("forecast: a completion queue that overruns by the flush of a failure is not the cause") {
    const Foreseen found =
        only(Pair{.a = R"({"sleep": "200 us"}, {"post": "send", "buffer": "m", "size": "128 B", "as": "s"})",
                  .b = R"({"post": "receive", "buffer": "m", "size": "64 B", "count": 6})",
                  .host_b = R"("cqs": {"few": {"depth": 4}}, "qps": {"q0": {"receive_cq": "few"}})"});
    CHECK(found.certainty == Certainty::will);
    CHECK(found.kind == ForeseenKind::fails);
    CHECK(found.request == "A.s");
}

}  // namespace ndsim::test::queues_test
