// SPDX-License-Identifier: Apache-2.0

#include "tests/support/catch.hpp"
#include "tests/support/child.hpp"

namespace ndsim::test::srq_test {

// A sends `sends` messages of 1 KiB, in turns over two queue pairs of B that share a queue "s" of depth 4; `b` is B's
// program.
ChildResult run_shared(int sends, const std::string& b, const std::string& more = "") {
    const ChildResult run =
        finish_text(R"({"hosts": {
        "A": {"buffers": {"tx": {"size": "8 KiB", "fill": "counter"}}, "qps": {"q0": {}, "q1": {}}},
        "B": {"buffers": {"rx": {"size": "8 KiB"}}, "cqs": {"c": {}}, "srqs": {"s": {"depth": 4}},
              "qps": {"q0": {"srq": "s", "receive_cq": "c"}, "q1": {"srq": "s", "receive_cq": "c"}}}},
      "programs": {"A": [{"sleep": "50 us"}, )" +
                    [sends] {
                        std::string posts;
                        for (int i = 0; i < sends; ++i) {
                            posts += std::string(R"({"post": "send", "buffer": "tx", "size": "1 KiB", )") +
                                     R"("offset": ")" + std::to_string(i) + R"( KiB", "qp": "q)" +
                                     std::to_string(i % 2) + R"("}, {"poll": "q)" + std::to_string(i % 2) +
                                     R"(.send"}, )";
                        }
                        return posts;
                    }() +
                    R"({"sleep": "1 us"}], "B": [)" + b + "]}" + more + "}");
    return run;
}

TEST_CASE("srq: messages of all its queue pairs fill the receives in their order", "[K196]") {
    // A waits for each Send before the next one, so the n-th message fills the n-th receive, whose place it has.
    const ChildResult run = run_shared(4, R"(
        {"post": "srq_receive", "srq": "s", "buffer": "rx", "size": "1 KiB", "step": "1 KiB", "count": 4, "as": "r"},
        {"poll": "c", "count": 4})",
                                       R"(, "expect": [{"memory": "B.rx", "equals": "A.tx", "size": "4 KiB"},
        {"completion": "B.r", "status": "success", "bytes": 1024}, {"order": ["B.r"]}])");
    CHECK(run.metric("B.nic.rq.taken") == 4);
}

TEST_CASE("srq: its occupancy is that of post to reclaim, and what is ready is less") {
    const ChildResult run = run_shared(2, R"(
        {"post": "srq_receive", "srq": "s", "buffer": "rx", "size": "1 KiB", "count": 4},
        {"post": "srq_receive", "srq": "s", "buffer": "rx", "as": "fifth"},
        {"poll": "c", "count": 2},
        {"post": "srq_receive", "srq": "s", "buffer": "rx", "count": 2, "as": "later"})",
                                       R"(, "expect": [{"completion": "B.fifth", "status": "no_more_entries"}])");
    CHECK(run.metric("B.srqs.s.srq.capacity") == 4);
    CHECK(run.metric("B.srqs.s.srq.high_water") == 4);
    CHECK(run.metric("B.srqs.s.srq_ready.high_water") == 4);
    CHECK(run.metric("B.srqs.s.srq_ready.mean_milli") < run.metric("B.srqs.s.srq.mean_milli"));
    CHECK(run.metric("programs.B.refused") == 1);
    // The queue pairs have none of their own.
    CHECK(run.metric("B.qps.q0.rq.high_water") == 0);
}

TEST_CASE("srq: a program makes it deeper, and less deep than what is queued it cannot be", "[K193]") {
    const ChildResult run = run_shared(6, R"(
        {"post": "srq_receive", "srq": "s", "buffer": "rx", "size": "1 KiB", "step": "1 KiB", "count": 4, "as": "r"},
        {"modify_srq": "s", "depth": 3},
        {"modify_srq": "s", "depth": 6},
        {"post": "srq_receive", "srq": "s", "buffer": "rx", "offset": "4 KiB", "size": "1 KiB", "step": "1 KiB",
         "count": 2, "as": "more"},
        {"poll": "c", "count": 6})",
                                       R"(, "expect": [{"memory": "B.rx", "equals": "A.tx", "size": "6 KiB"},
        {"order": ["B.r", "B.more"]}])");
    CHECK(run.metric("programs.B.refused") == 1);
    CHECK(run.metric("B.srqs.s.srq.high_water") == 6);
    CHECK(run.metric("B.srqs.s.srq.capacity") == 6);
}

TEST_CASE("srq: a wait that no notification ends is a stall that names the queue") {
    const ChildResult run = run_text(R"({"hosts": {"A": {}, "B": {"srqs": {"s": {"threshold": 1}}}},
        "programs": {"B": [{"wait": "s"}]}})");
    REQUIRE(run.ended);
    CHECK(run.outcome == RunOutcome::stalled);
    CHECK_THAT(run.why, Catch::Matchers::ContainsSubstring("waits for a notification of s"));
}

// A sends two messages from 50 us on, and the second one leaves two receives of four.
std::uint64_t time_of_notice(const std::string& api) {
    const std::string host = R"({"api": ")" + api + R"(", )";
    return finish_text(R"({"hosts": {
        "A": )" + host +
                       R"("buffers": {"tx": {}}},
        "B": )" + host +
                       R"("buffers": {"rx": {}}, "srqs": {"s": {"depth": 8, "threshold": 3}},
              "qps": {"q0": {"srq": "s"}}}},
      "programs": {
        "A": [{"sleep": "50 us"}, {"post": "send", "buffer": "tx", "size": "8 B", "count": 2},
              {"poll": "q0.send", "count": 2}],
        "B": [{"post": "srq_receive", "srq": "s", "buffer": "rx", "size": "64 B", "count": 4},
              {"time": "w", "do": [{"wait": "s"}]}, {"poll": "q0.receive", "count": 2}]}})")
        .metric("programs.B.w.mean");
}

TEST_CASE("srq: a threshold waits until the queue has been filled to it, in NDK", "[K194][K195]") {
    CHECK(time_of_notice("ndk") > 49'000'000);  // B posts for less than 1 us
}

TEST_CASE("srq: a threshold waits until the queue has been filled to it, in version 2 of NDSPI") {
    CHECK(time_of_notice("ndspi2") > 49'000'000);
}

}  // namespace ndsim::test::srq_test
