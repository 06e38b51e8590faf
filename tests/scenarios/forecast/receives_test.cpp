// SPDX-License-Identifier: Apache-2.0
#include "tests/scenarios/forecast/support.hpp"

// Receives that are missing, late or short.

namespace ndsim::test::receives_test {

const std::string kSleep = R"({"sleep": "200 us"}, )";  // far longer than any post takes

// The documents' way: a Send without a receive ends the connection, and its own status is a timeout.
TEST_CASE("forecast: the message behind the last receive will fail, and is named with host, queue pair and place") {
    const Pair pair{.a = kSleep + "\n" +
                         R"(  {"post": "send", "buffer": "m", "count": 3, "as": "s"}, {"poll": "q0.send", "count": 3})",
                    .b = R"({"post": "receive", "buffer": "m", "count": 2}, {"poll": "q0.receive", "count": 2})"};
    const Foreseen found = only(pair);
    CHECK(found.certainty == Certainty::will);
    CHECK(found.kind == ForeseenKind::fails);
    CHECK(found.request == "A.s[2]");
    CHECK(found.queue == "A.q0");
    CHECK(found.statuses == std::vector<std::string>{"io_timeout"});
    CHECK(found.path == "programs.A[1]");
    CHECK(found.at.line == 3);  // of the text that Pair makes: hosts, A's first line, A's second
    CHECK(found.at.column == 3);
    CHECK(found.what.find("B posts 2 receives to q0, and this is message 3") != std::string::npos);
}

TEST_CASE("forecast: where a receiver holds senders off for ever, the message behind the last receive never ends") {
    const Pair pair{
        .a = kSleep + R"({"post": "send", "buffer": "m", "count": 2, "as": "s"}, {"poll": "q0.send", "count": 1})",
        .b = R"({"post": "receive", "buffer": "m"}, {"poll": "q0.receive"})",
        .host_a = R"("nic": {"overflow": "rnr", "rnr_retry": 7})",
        .host_b = R"("nic": {"overflow": "rnr", "rnr_retry": 7})"};
    const Foreseen found = only(pair);
    CHECK(found.certainty == Certainty::will);
    CHECK(found.kind == ForeseenKind::never_ends);
    CHECK(found.request == "A.s[1]");
}

// Both begin at once: nothing but time says that B's post comes first. So too where nobody sleeps long enough.
TEST_CASE("forecast: a message whose receive only time puts before it may fail") {
    const Pair pair{.a = R"({"post": "send", "buffer": "m", "as": "s"}, {"poll": "q0.send"})",
                    .b = R"({"post": "receive", "buffer": "m"}, {"poll": "q0.receive"})"};
    const Foreseen found = only(pair);
    CHECK(found.certainty == Certainty::may);
    CHECK(found.kind == ForeseenKind::fails);
    CHECK(found.request == "A.s");
    CHECK(found.statuses == std::vector<std::string>{"io_timeout"});
}

// The receive comes 200 us after the message: later than all retries of a peer that asks for pauses of 10 us, twice.
TEST_CASE("forecast: the advice about a late receive is what the host of the receive does not do yet") {
    const auto advice = [](const std::string& overflow) {
        return only(Pair{.a = R"({"post": "send", "buffer": "m", "as": "s"}, {"poll": "q0.send"})",
                         .b = kSleep + R"({"post": "receive", "buffer": "m"}, {"poll": "q0.receive"})",
                         .host_b = R"("nic": {"rnr_timer": 1, "rnr_retry": 2, "overflow": ")" + overflow + R"("})"})
            .advice;
    };
    CHECK(advice("terminate") == "post it earlier, send later, or let senders wait: hosts.B.nic.overflow");
    CHECK(advice("rnr") == "post it earlier, send later, or let senders wait longer: hosts.B.nic.rnr_retry");
}

// Two pairs of hosts that no connection joins. A.s misses its receive unless A is some 3 us late. C.s finds its receive
// unless D is late, and comes later than A.s in every run: it does not follow from that.
TEST_CASE("forecast: what may fail on two pairs of hosts is told of both") {
    const Forecast forecast = foreseen_of(R"({
  "hosts": { "A": {"buffers": {"m": {}}, "qps": {"q0": {"connect": "B.q0"}}}, "B": {"buffers": {"m": {}}},
             "C": {"buffers": {"m": {}}, "qps": {"q0": {"connect": "D.q0"}}}, "D": {"buffers": {"m": {}}} },
  "links": { "l0": {"between": ["A", "B"]}, "l1": {"between": ["C", "D"]} },
  "programs": {
    "A": [ {"post": "send", "buffer": "m", "as": "s"}, {"poll": "q0.send"} ],
    "B": [ {"sleep": "4500 ns"}, {"post": "receive", "buffer": "m"}, {"poll": "q0.receive"} ],
    "C": [ {"sleep": "100 us"}, {"post": "send", "buffer": "m", "as": "s"}, {"poll": "q0.send"} ],
    "D": [ {"sleep": "100 us"}, {"post": "receive", "buffer": "m"}, {"poll": "q0.receive"} ] }})");
    REQUIRE(forecast.foreseen.size() == 2);
    CHECK(forecast.foreseen[0].request == "A.s");
    CHECK(forecast.foreseen[1].request == "C.s");
    CHECK(forecast.foreseen[1].certainty == Certainty::may);
}

// A message that its receive would fail anyway, as it is too long for it, or as it invalidates a key that stays valid:
// if the receive comes late, it fails of that before, with another status. B's sleep moves from one side to the other.
TEST_CASE("forecast: of two causes of which time says which one wins, none is certain") {
    const std::string too_long = R"("post": "send", "buffer": "m", "size": "200 B")";
    const std::string of_a_buffer =
        R"("post": "send_and_invalidate", "buffer": "m", "size": "32 B", "invalidates": "B.m")";
    for (const std::string& message : {too_long, of_a_buffer}) {
        for (const int sleep : {0, 500, 1000, 1500, 2000, 3000}) {
            INFO(message << " " << sleep);
            const Pair pair{
                .a = R"({"sleep": "1 us"}, {)" + message + R"(, "as": "s"}, {"poll": "q0.send"})",
                .b = R"({"sleep": ")" + std::to_string(sleep) +
                     R"( ns"}, {"post": "receive", "buffer": "m", "size": "64 B"}, {"poll": "q0.receive"})"};
            for (const Foreseen& one : foreseen_of(pair).foreseen) {
                CHECK(one.request == "A.s");
                CHECK(one.certainty == Certainty::may);
            }
        }
    }
}

// B's NIC is told to wait for its receive, B posts that, and only then hears that A has disconnected, which cancels its
// receives: time says whether the message comes before.
TEST_CASE("forecast: a message whose receive the peer's disconnect may cancel does not fail for certain") {
    for (const std::string api : {"ndk", "ndspi2"}) {
        const Pair pair{.a = R"({"post": "send", "buffer": "m", "as": "s"}, {"disconnect": "q0"}, {"poll": "q0.send"})",
                        .b = R"({"sleep": "3 us"}, {"post": "receive", "buffer": "m"})",
                        .host_a = R"("nic": {"overflow": "rnr", "rnr_retry": 6})",
                        .host_b = R"("api": ")" + api + R"(", "nic": {"overflow": "rnr", "rnr_retry": 6})"};
        for (const Foreseen& one : foreseen_of(pair).foreseen) {
            CHECK((one.request != "A.s" || one.certainty == Certainty::may));
        }
    }
}

TEST_CASE("forecast: a message that is sent long before its receive is posted will fail") {
    const Pair pair{.a = R"({"post": "send", "buffer": "m", "as": "s"}, {"poll": "q0.send"})",
                    .b = R"({"sleep": "2 ms"}, {"post": "receive", "buffer": "m"}, {"poll": "q0.receive"})"};
    const Foreseen found = only(pair);
    CHECK(found.certainty == Certainty::will);
    CHECK(found.request == "A.s");
    CHECK(found.statuses == std::vector<std::string>{"io_timeout"});
}

// B's message tells A that B has posted its receive before.
TEST_CASE("forecast: word of the peer's receive is as good as a sleep") {
    const Pair pair{
        .a =
            R"({"post": "receive", "buffer": "m"}, {"poll": "q0.receive"}, {"post": "send", "buffer": "m"}, {"poll": "q0.send"})",
        .b =
            kSleep +
            R"({"post": "receive", "buffer": "m"}, {"post": "send", "buffer": "m"}, {"poll": "q0.send"}, {"poll": "q0.receive"})"};
    check_nothing(foreseen_of(pair));
}

// [K102] The receiver's status is in its completion; the sender's says that its peer could not take the message.
TEST_CASE("forecast: a message longer than its receive will fail, at the sender as the profile says") {
    Pair pair{.a = kSleep + R"({"post": "send", "buffer": "m", "size": "128 B", "as": "s"}, {"poll": "q0.send"})",
              .b = R"({"post": "receive", "buffer": "m", "size": "64 B"}, {"poll": "q0.receive"})"};
    Foreseen found = only(pair);
    CHECK(found.certainty == Certainty::will);
    CHECK(found.request == "A.s");
    CHECK(found.statuses == std::vector<std::string>{"remote_resources"});
    CHECK(found.what.find("128 bytes are longer than") != std::string::npos);
    pair.members = R"("profile": "infiniband")";
    CHECK(only(pair).statuses == std::vector<std::string>{"data_error"});
}

// All connections break at their first failure, so what is behind it is not said again.
TEST_CASE("forecast: of each connection the first request that fails is named") {
    const Pair pair{
        .a =
            kSleep +
            R"({"post": "send", "buffer": "m", "size": "128 B", "count": 2, "as": "s"}, {"poll": "q0.send", "count": 2})",
        .b = R"({"post": "receive", "buffer": "m", "size": "64 B"}, {"poll": "q0.receive"})"};
    CHECK(only(pair).request == "A.s[0]");
}

}  // namespace ndsim::test::receives_test
