// SPDX-License-Identifier: Apache-2.0

#include "tests/support/catch.hpp"
#include "tests/support/child.hpp"

// What the interfaces leave to the driver, and `adapter` decides: when deferred requests are rung for, and when slots
// of the send queue are free again.

namespace ndsim::test::choices_test {

// A posts `posts` from 20 us on, B has five receives by then. The queues hold four requests.
ChildResult run_posts(const std::string& posts, const std::string& expect, const std::vector<std::string>& overrides) {
    return finish_text(R"({
        "hosts": {"A": {"buffers": {"tx": {"size": "64 B"}, "sink": {"size": "4 KiB"}}, "qps": {"q0": {"sq": {"depth": 4}}}},
                  "B": {"buffers": {"rx": {"size": "4 KiB"}}}},
        "programs": {"A": [{"sleep": "20 us"}, )" +
                           posts + R"(],
                     "B": [{"post": "receive", "buffer": "rx", "count": 5, "as": "r"}, {"sleep": "200 us"}]},
        "expect": [)" + expect +
                           "]}",
                       overrides);
}

constexpr const char* kThreeDeferredAndOne =
    R"({"post": "send", "buffer": "tx", "flags": ["defer"], "count": 3}, {"post": "send", "buffer": "tx"},
       {"poll": "q0.send", "count": 4})";

TEST_CASE("choices: a driver that ignores DEFER rings for each request", "[K42][K45]") {
    const std::string never = "hosts.A.adapter.defer_policy=never";
    CHECK(run_posts(kThreeDeferredAndOne, "", {never}).metric("A.nic.doorbell.doorbells") == 4);
    CHECK(run_posts(kThreeDeferredAndOne, "", {}).metric("A.nic.doorbell.doorbells") == 1);
}

TEST_CASE("choices: with a driver that ignores DEFER everything is as if nobody had set it", "[K42]") {
    const std::string never = "hosts.A.adapter.defer_policy=never";
    const std::string plain = R"({"time": "all", "do": [{"post": "send", "buffer": "tx", "count": 4},
                                                        {"poll": "q0.send", "count": 4}]})";
    const std::string deferred =
        R"({"time": "all", "do": [{"post": "send", "buffer": "tx", "count": 4, "flags": ["defer"]},
                                  {"poll": "q0.send", "count": 4}]})";
    const ChildResult as_asked = run_posts(plain, "", {});
    const ChildResult ignored = run_posts(deferred, "", {never});
    for (const char* metric :
         {"programs.A.all.max", "A.nic.wqe.messages", "A.nic.cq.cqes", "B.nic.responder.messages"}) {
        INFO(metric);
        CHECK(ignored.metric(metric) == as_asked.metric(metric));
    }
}

// Two of the three deferred ones are rung for together, the third with the last request.
TEST_CASE("choices: a chain may be released when so many requests wait", "[K38][K45][limit]") {
    const ChildResult run =
        run_posts(kThreeDeferredAndOne, "", {"hosts.A.adapter.defer_policy=max_n", "hosts.A.adapter.defer_max=2"});
    CHECK(run.metric("A.nic.doorbell.doorbells") == 2);
    CHECK(run.metric("A.nic.wqe.messages") == 4);
}

// Four slots, four silent requests that succeed: with on_poll the fifth is refused [K56].
TEST_CASE("choices: silent requests give their slots back when the NIC has retired them", "[K57]") {
    const std::string posts =
        R"({"post": "send", "buffer": "tx", "flags": ["silent_success"], "count": 4, "as": "quiet"},
           {"sleep": "50 us"}, {"post": "send", "buffer": "tx", "as": "fifth"}, {"poll": "q0.send"})";
    const ChildResult run = run_posts(
        posts, R"({"completion": "A.fifth", "status": "success"}, {"completion": "A.quiet[3]", "completes": false})",
        {"hosts.A.adapter.reclaim=on_retire"});
    CHECK(run.metric("programs.A.refused") == 0);
    CHECK(run.metric("A.nic.cq.cqes") == 1);
}

// They are still under way when the fifth is posted.
TEST_CASE("choices: what the NIC has not retired keeps its slot", "[K57]") {
    const ChildResult run = run_posts(
        R"({"post": "send", "buffer": "tx", "flags": ["silent_success"], "count": 4}, {"post": "send", "buffer": "tx"})",
        "", {"hosts.A.adapter.reclaim=on_retire"});
    CHECK(run.metric("programs.A.refused") == 1);
}

// Completions of the first four are polled when their slots hold other requests.
TEST_CASE("choices: a completion names its request although its slot has been used again", "[K57][K34]") {
    const ChildResult run = run_posts(
        R"({"post": "send", "buffer": "tx", "count": 4, "as": "first"}, {"sleep": "50 us"},
           {"post": "send", "buffer": "tx", "as": "fifth"}, {"sleep": "50 us"}, {"poll": "q0.send", "count": 5})",
        R"({"order": ["A.first[0]", "A.first[1]", "A.first[2]", "A.first[3]", "A.fifth"]},
           {"completion": "A.first[3]", "status": "success"})",
        {"hosts.A.adapter.reclaim=on_retire"});
    CHECK(run.metric("programs.A.refused") == 0);
    CHECK(run.metric("A.nic.cq.cqes") == 5);
}

// The head that counts the Read follows its payload to memory; those of the Writes must not pass it, or slots are lost.
TEST_CASE("choices: what a Read holds up does not take slots away", "[K57]") {
    const ChildResult run = run_posts(
        R"({"post": "read", "buffer": "sink", "from": "B.rx", "flags": ["silent_success"]},
           {"post": "write", "buffer": "tx", "to": "B.rx", "flags": ["inline", "silent_success"], "count": 3},
           {"sleep": "100 us"},
           {"post": "write", "buffer": "tx", "to": "B.rx", "flags": ["inline", "silent_success"], "count": 4})",
        "", {"hosts.A.adapter.reclaim=on_retire"});
    CHECK(run.metric("programs.A.refused") == 0);
}

}  // namespace ndsim::test::choices_test
