// SPDX-License-Identifier: Apache-2.0

#include "tests/ndapi/ndk/ndk_program.hpp"

// Senders that ask again without end for receives.

namespace ndsim::test::standstill_test {

// Timer code 1: an RNR time of 10 us.
const std::vector<std::string> kForEver{"nic.overflow=rnr", "nic.rnr_retry=7", "nic.rnr_timer=1"};

ChildResult run_pair(const std::string& a, const std::string& b, std::vector<std::string> overrides = {},
                     const std::string& more = "") {
    overrides.insert(overrides.begin(), kForEver.begin(), kForEver.end());
    ChildResult run = run_text(R"({
        "hosts": {"A": {"buffers": {"tx": {"size": "64 KiB"}}, "qps": {"q0": {}, "q1": {}}},
                  "B": {"buffers": {"rx": {"size": "64 KiB"}}, "qps": {"q0": {}, "q1": {}}}},
        "programs": {"A": [)" + a + R"(], "B": [)" +
                                   b + "]}" + more + "}",
                               overrides);
    INFO(run.why);
    REQUIRE(run.ended);
    return run;
}

const std::string kSend =
    R"({"sleep": "20 us"}, {"post": "send", "buffer": "tx", "size": "64 B"}, {"poll": "q0.send"})";

TEST_CASE("standstill: a Send that is refused for ever is a stall that names it and the queue", "[X23]") {
    const ChildResult run = run_pair(kSend, R"({"sleep": "1 us"})");
    CHECK(run.outcome == RunOutcome::stalled);
    CHECK(run.why ==
          "the program of A at programs.A[2] (line 4): polls q0.send, 1 of 1 completions to come; A.q0 was refused 2 "
          "times in a row, as no receive is posted to B.q0");
    // Refused, and again when nothing else was left to happen: that was it.
    CHECK(run.metric("A.nic.completer.rnr_naks") == 2);
}

TEST_CASE("standstill: so is a message of many packets for which the peer waits") {
    const ChildResult run = run_pair(R"({"sleep": "20 us"}, {"post": "send", "buffer": "tx"}, {"poll": "q0.send"})",
                                     R"({"poll": "q0.receive"})", {"nic.mtu=256"});
    CHECK(run.outcome == RunOutcome::stalled);
    CHECK_THAT(run.why,
               Catch::Matchers::ContainsSubstring("the program of B at programs.B[0] (line 4): polls q0.receive"));
    CHECK_THAT(run.why,
               Catch::Matchers::EndsWith("; A.q0 was refused 2 times in a row, as no receive is posted to B.q0"));
}

TEST_CASE("standstill: with no program left it is the queue pair that is named") {
    const ChildResult run = run_pair(R"({"sleep": "20 us"}, {"post": "send", "buffer": "tx"})", R"({"sleep": "1 us"})");
    CHECK(run.outcome == RunOutcome::stalled);
    CHECK(run.why ==
          "every program and generator has ended, the hardware has not; A.q0 was refused 2 times in a row, as no "
          "receive is posted to B.q0");
}

TEST_CASE("standstill: several queue pairs, in both directions and with other times, are named one by one") {
    const std::string both = R"({"sleep": "20 us"}, {"post": "send", "buffer": ")";
    const ChildResult run = run_pair(both + R"(tx", "qp": "q0"}, {"poll": "q0.send"})",
                                     both + R"(rx", "qp": "q1"}, {"poll": "q1.send"})", {"hosts.A.nic.rnr_timer=12"});
    CHECK(run.outcome == RunOutcome::stalled);
    CHECK_THAT(run.why, Catch::Matchers::ContainsSubstring("; A.q0 was refused ") &&
                            Catch::Matchers::ContainsSubstring(" as no receive is posted to B.q0; "));
    CHECK_THAT(run.why,
               Catch::Matchers::EndsWith("; B.q1 was refused 2 times in a row, as no receive is posted to A.q1"));
}

TEST_CASE("standstill: an empty shared receive queue is named", "[X23]") {
    const ChildResult run = run_text(R"({
        "hosts": {"A": {"buffers": {"tx": {}}},
                  "B": {"srqs": {"s": {}}, "qps": {"q0": {"srq": "s"}}}},
        "programs": {"A": [{"sleep": "20 us"}, {"post": "send", "buffer": "tx"}, {"poll": "q0.send"}],
                     "B": [{"poll": "q0.receive"}]}})");
    INFO(run.why);
    CHECK(run.outcome == RunOutcome::stalled);
    CHECK_THAT(run.why, Catch::Matchers::EndsWith("as no receive is posted to shared receive queue B.s"));
}

TEST_CASE("standstill: credits change nothing of it", "[X18]") {
    const ChildResult run = run_pair(kSend, R"({"sleep": "1 us"})", {"nic.overflow=credit"});
    CHECK(run.outcome == RunOutcome::stalled);
    CHECK_THAT(run.why,
               Catch::Matchers::EndsWith("; A.q0 was refused 2 times in a row, as no receive is posted to B.q0"));
}

TEST_CASE("standstill: messages that are refused again and again, and received one by one, are none") {
    // Messages without credit: all are received in the end, however often they are refused.
    const ChildResult run = run_text(R"({"hosts": {"A": {}, "B": {}}, "traffic": {"t": {"from": "A", "to": "B",
        "size": "64 B", "count": 500, "window": 64, "credits": false, "receives": 1}}})",
                                     kForEver);
    INFO(run.why);
    CHECK(run.outcome == RunOutcome::finished);
    CHECK(run.metric("A.nic.completer.rnr_naks") > 10);
}

// Times of 10 us, and somewhat more than 3 us for a round trip.
TEST_CASE("standstill: a receive that a sleeper posts a hundred times later is waited for") {
    const ChildResult run =
        run_pair(kSend, R"({"sleep": "1400 us"}, {"post": "receive", "buffer": "rx"}, {"poll": "q0.receive"})");
    CHECK(run.outcome == RunOutcome::finished);
    CHECK(run.metric("A.nic.completer.rnr_naks") >= 100);
}

TEST_CASE("standstill: a receive that a program posts when another queue pair's message has come is waited for") {
    // A's second message comes a hundred times later, and B waits for that.
    const ChildResult run = run_pair(
        R"({"sleep": "20 us"}, {"post": "send", "buffer": "tx", "size": "64 B", "qp": "q0"}, {"sleep": "1400 us"},
           {"post": "send", "buffer": "tx", "size": "64 B", "qp": "q1"}, {"poll": "q1.send"}, {"poll": "q0.send"})",
        R"({"post": "receive", "buffer": "rx", "qp": "q1"}, {"poll": "q1.receive"},
           {"post": "receive", "buffer": "rx", "qp": "q0"}, {"poll": "q0.receive"})");
    CHECK(run.outcome == RunOutcome::finished);
    CHECK(run.metric("A.nic.completer.rnr_naks") >= 100);
}

TEST_CASE("standstill: an interrupt that moderation keeps back is waited for") {
    // B posts the receive when it is woken: by the entry of its own Send, 1 ms after that.
    const ChildResult run = run_pair(R"({"post": "receive", "buffer": "tx", "size": "1 KiB", "qp": "q1"}, )" + kSend,
                                     R"({"sleep": "40 us"}, {"moderate": "q1.send", "interval": "1000 us"},
           {"post": "send", "buffer": "rx", "size": "64 B", "qp": "q1"}, {"arm": "q1.send"}, {"wait": "q1.send"},
           {"post": "receive", "buffer": "rx"}, {"poll": "q0.receive"})");
    CHECK(run.outcome == RunOutcome::finished);
    CHECK(run.metric("A.nic.completer.rnr_naks") >= 70);
}

TEST_CASE("standstill: a C++ program that sleeps is waited for, one that waits for an event is not") {
    const auto sender = [](HostContext& host) {
        Objects objects(host);
        objects.connect("B");
        expect(objects.qp->Dispatch->NdkSend(objects.qp, nullptr, nullptr, 0, 0) == STATUS_SUCCESS, "a Send");
        host.sleep(std::chrono::milliseconds{2});
        NDK_RESULT result{};
        if (objects.cq->Dispatch->NdkGetCqResults(objects.cq, &result, 1) == 0) {
            HostEvent event(host);
            event.wait("what never comes");
        }
    };
    const auto receiver = [](HostContext& host, bool posts) {
        Objects objects(host);
        objects.accept();
        host.sleep(std::chrono::milliseconds{1});
        if (posts) {
            expect(objects.qp->Dispatch->NdkReceive(objects.qp, nullptr, nullptr, 0) == STATUS_SUCCESS, "a receive");
        }
        host.sleep(std::chrono::milliseconds{3});
    };
    const auto run = [&](bool posts) {
        RunOptions options;
        options.programs = {{"A", sender}, {"B", [&](HostContext& host) { receiver(host, posts); }}};
        return run_text(R"({"hosts": {"A": {}, "B": {}}})", kForEver, options);
    };
    const ChildResult posted = run(true);
    INFO(posted.why);
    CHECK(posted.outcome == RunOutcome::finished);
    CHECK(posted.metric("A.nic.completer.rnr_naks") >= 70);  // in 1 ms
    const ChildResult never = run(false);
    INFO(never.why);
    CHECK(never.outcome == RunOutcome::stalled);
    CHECK_THAT(never.why, Catch::Matchers::StartsWith("host A waits for what never comes; queue pair "));
    CHECK_THAT(never.why, Catch::Matchers::EndsWith(" times in a row, as no receive is posted for it"));
}

TEST_CASE("standstill: a sender that gives up in the end is waited for") {
    const ChildResult run = run_pair(kSend, R"({"sleep": "1 us"})", {"nic.rnr_retry=6"});
    CHECK(run.outcome == RunOutcome::finished);
    CHECK(run.metric("A.nic.completer.rnr_naks") == 7);
}

TEST_CASE("standstill: a link that may still fail is waited for, since a sender without an answer gives up") {
    // From 2 ms on nothing arrives. The timeout is 16.384 us, and after 7 retries the Send fails.
    const ChildResult run = run_pair(kSend, R"({"sleep": "1 us"})", {"nic.timeout_code=2"},
                                     R"(, "links": {"l0": {"between": ["A", "B"]}},
                                           "faults": [{"down": "l0", "from": "2 ms", "until": "9 s"}])");
    CHECK(run.outcome == RunOutcome::finished);
    CHECK(run.metric("A.nic.completer.timeouts") == 8);
}

TEST_CASE("standstill: faults that are over are none") {
    const ChildResult run =
        run_pair(kSend, R"({"sleep": "1 us"})", {}, R"(, "faults": [{"drop": "B", "packet": 2, "count": 1}])");
    CHECK(run.outcome == RunOutcome::stalled);
}

}  // namespace ndsim::test::standstill_test
