// SPDX-License-Identifier: Apache-2.0
#include "models/transport/ack_state.hpp"

#include <optional>

#include "tests/support/catch.hpp"

namespace ndsim::test::ack_state_test {

using namespace std::chrono_literals;

// A state that expects PSN 100.
AckState fresh(Psn expected = Psn{100}) {
    AckState state;
    state.begin(expected);
    return state;
}

void says(AckState& state, Picoseconds now, std::uint32_t psn, std::uint8_t syndrome, std::uint32_t msn) {
    const std::optional<AckState::Answer> answer = state.answer(now);
    REQUIRE(answer.has_value());
    CHECK(answer->psn == Psn{psn});
    CHECK(answer->syndrome == syndrome);
    CHECK(answer->msn == msn);
}

void says_nothing(AckState& state, Picoseconds now) {
    CHECK_FALSE(state.answer(now).has_value());
}

TEST_CASE("ack state: before anything has come, the PSN before the first is acknowledged", "[X12]") {
    AckState state = fresh();
    state.repeat();
    says(state, 0ns, 99, Aeth::kAck, 0);
    AckState wrapped = fresh(Psn{0});
    wrapped.repeat();
    says(wrapped, 0ns, 0xFF'FFFF, Aeth::kAck, 0);
}

TEST_CASE("ack state: an acknowledgement leaves when its request is executed, and covers all before it", "[X12]") {
    AckState state = fresh();
    const auto first = state.accept(Psn{100}, 0, false);
    const auto second = state.accept(Psn{101}, 1, true);
    CHECK_FALSE(state.executed(first, 10ns));
    CHECK(state.executed(second, 30ns) == 30ns);
    says_nothing(state, 29ns);  // 100 is executed, and does not ask
    says(state, 30ns, 101, Aeth::kAck, 1);
}

// Each request has made an acknowledgement ready. If the lane is free, the first leaves before the second is looked at.
TEST_CASE("ack state: what the last acknowledgement has said is not said again", "[X12]") {
    AckState state = fresh();
    const auto first = state.accept(Psn{100}, 1, true);
    const auto second = state.accept(Psn{101}, 2, true);
    CHECK(state.executed(first, 30ns) == 30ns);
    CHECK(state.executed(second, 30ns) == 30ns);
    says(state, 30ns, 101, Aeth::kAck, 2);
    says_nothing(state, 30ns);
}

TEST_CASE("ack state: what is done earlier waits for those in front of it", "[X12]") {
    AckState state = fresh();
    const auto first = state.accept(Psn{100}, 1, true);
    const auto second = state.accept(Psn{101}, 2, true);
    CHECK_FALSE(state.executed(second, 10ns));
    says_nothing(state, 50ns);
    // Both are done at 100 ns: one acknowledgement is enough, and it says so.
    CHECK(state.executed(first, 100ns) == 100ns);
    says(state, 100ns, 101, Aeth::kAck, 2);
}

TEST_CASE("ack state: one that asks is acknowledged even if the one in front of it does not ask", "[X12]") {
    AckState state = fresh();
    const auto first = state.accept(Psn{100}, 0, false);
    const auto second = state.accept(Psn{101}, 1, true);
    CHECK_FALSE(state.executed(second, 10ns));
    CHECK(state.executed(first, 100ns) == 100ns);
    says(state, 100ns, 101, Aeth::kAck, 1);
}

TEST_CASE("ack state: the message number goes with the last PSN that is acknowledged, and wraps", "[X17]") {
    AckState state = fresh(Psn{0xFF'FFFF});
    (void)state.executed(state.accept(Psn{0xFF'FFFF}, 0xFF'FFFF, true), 10ns);
    (void)state.executed(state.accept(Psn{0}, 0, true), 20ns);
    says(state, 10ns, 0xFF'FFFF, Aeth::kAck, 0xFF'FFFF);
    says(state, 20ns, 0, Aeth::kAck, 0);
}

TEST_CASE("ack state: a NAK is said once, and then what was acknowledged before only to who asks again", "[X8][X9]") {
    AckState state = fresh();
    (void)state.executed(state.accept(Psn{100}, 1, true), 10ns);
    CHECK(state.refuse(Aeth::kNakSequence, Psn{101}, 40ns) == 40ns);
    CHECK(state.nak_open());
    says(state, 20ns, 100, Aeth::kAck, 1);  // it is not built yet
    says(state, 40ns, 101, Aeth::kNakSequence, 1);
    says_nothing(state, 41ns);
    state.repeat();  // 100 has come again
    says(state, 42ns, 100, Aeth::kAck, 1);
    CHECK(state.nak_open());  // until the packet comes
    state.missing_came();
    CHECK_FALSE(state.nak_open());
}

TEST_CASE("ack state: a NAK leaves although the packet comes meanwhile", "[X8]") {
    AckState state = fresh();
    (void)state.executed(state.accept(Psn{100}, 1, true), 10ns);
    CHECK(state.refuse(Aeth::kNakSequence, Psn{101}, 40ns) == 40ns);
    state.missing_came();
    CHECK_FALSE(state.nak_open());  // another gap is another NAK
    (void)state.executed(state.accept(Psn{101}, 2, true), 30ns);
    says(state, 30ns, 100, Aeth::kAck, 1);  // nothing passes the NAK
    says(state, 40ns, 101, Aeth::kNakSequence, 1);
    says(state, 41ns, 101, Aeth::kAck, 2);
}

TEST_CASE("ack state: a NAK waits for the requests before it", "[X8][X31]") {
    AckState state = fresh();
    const auto first = state.accept(Psn{100}, 0, false);
    CHECK_FALSE(state.refuse(Aeth::kNakInvalidRequest, Psn{101}, 40ns));
    says_nothing(state, 50ns);
    CHECK(state.executed(first, 200ns) == 200ns);
    says(state, 200ns, 101, Aeth::kNakInvalidRequest, 0);
}

// The acknowledgement is due before the NAK is built, so each leaves at its own time.
TEST_CASE("ack state: a NAK leaves behind an acknowledgement that waited for the same request", "[X8][X31]") {
    AckState state = fresh();
    const auto first = state.accept(Psn{100}, 1, true);
    CHECK_FALSE(state.refuse(Aeth::kNakInvalidRequest, Psn{101}, 40ns));
    CHECK(state.executed(first, 30ns) == 30ns);
    CHECK(state.nak_behind() == 40ns);
    CHECK_FALSE(state.nak_behind());
    says(state, 30ns, 100, Aeth::kAck, 1);
    says(state, 40ns, 101, Aeth::kNakInvalidRequest, 1);
}

TEST_CASE("ack state: a NAK leaves when the last request before it is executed", "[X8]") {
    AckState state = fresh();
    (void)state.executed(state.accept(Psn{100}, 0, false), 300ns);
    CHECK(state.refuse(Aeth::kNakSequence, Psn{101}, 40ns) == 300ns);
}

TEST_CASE("ack state: silence begins with a PSN", "[X38]") {
    AckState state = fresh();
    (void)state.executed(state.accept(Psn{100}, 1, true), 10ns);
    (void)state.executed(state.accept(Psn{101}, 2, true), 20ns);
    state.fall_silent(Psn{101});
    says(state, 1us, 100, Aeth::kAck, 1);
    CHECK(state.nak_open());
}

// 101 is in the middle of the message whose last packet, 102, is refused in silence.
TEST_CASE("ack state: what has not asked before the silence is not acknowledged in its place", "[X38]") {
    AckState state = fresh();
    (void)state.executed(state.accept(Psn{100}, 1, true), 10ns);
    says(state, 10ns, 100, Aeth::kAck, 1);
    (void)state.executed(state.accept(Psn{101}, 1, false), 20ns);
    state.fall_silent(Psn{102});
    says_nothing(state, 1us);
}

TEST_CASE("ack state: an acknowledgement does not pass the responses of a Read", "[X13][X17]") {
    AckState state = fresh();
    (void)state.executed(state.accept(Psn{100}, 1, true), 10ns);
    (void)state.executed(state.accept(Psn{102}, 2, false), 10ns);  // a Read of 101 and 102
    state.read_begins(Psn{101}, Psn{103});
    (void)state.executed(state.accept(Psn{103}, 3, true), 20ns);
    says(state, 20ns, 100, Aeth::kAck, 1);
    CHECK_FALSE(state.response_sent(Psn{101}));
    says_nothing(state, 21ns);
    CHECK(state.response_sent(Psn{102}));  // now what waited is due
    says(state, 22ns, 103, Aeth::kAck, 3);
    CHECK(state.new_reads() == 0);
}

TEST_CASE("ack state: a repeated answer does not pass the responses of a Read", "[X9][X13]") {
    AckState state = fresh();
    (void)state.executed(state.accept(Psn{100}, 1, true), 10ns);
    says(state, 10ns, 100, Aeth::kAck, 1);
    (void)state.executed(state.accept(Psn{101}, 2, false), 15ns);  // a Read of 101
    state.read_begins(Psn{101}, Psn{102});
    (void)state.executed(state.accept(Psn{102}, 3, true), 20ns);
    says_nothing(state, 20ns);
    state.repeat();  // the peer has sent 100 again
    says(state, 21ns, 100, Aeth::kAck, 1);
    says_nothing(state, 22ns);
    CHECK(state.response_sent(Psn{101}));
    says(state, 23ns, 102, Aeth::kAck, 3);
    // The peer has lost the response, asks for it again, and sends 102 again.
    state.read_begins(Psn{101}, Psn{102}, true);
    state.repeat();
    says_nothing(state, 30ns);
    CHECK(state.response_sent(Psn{101}));
    says(state, 31ns, 102, Aeth::kAck, 3);
}

TEST_CASE("ack state: nothing is due behind a Read for which nothing waited") {
    AckState state = fresh();
    (void)state.executed(state.accept(Psn{100}, 1, false), 10ns);
    state.read_begins(Psn{100}, Psn{101});
    CHECK_FALSE(state.response_sent(Psn{100}));
    says_nothing(state, 20ns);
}

// The responses acknowledge the Reads themselves.
TEST_CASE("ack state: Reads behind what is acknowledged ask for nothing", "[X12]") {
    AckState state = fresh();
    (void)state.executed(state.accept(Psn{100}, 1, true), 10ns);
    for (const std::uint32_t psn : {101U, 102U}) {
        (void)state.executed(state.accept(Psn{psn}, psn - 99, false), 5ns);
        state.read_begins(Psn{psn}, Psn{psn + 1});
    }
    says(state, 10ns, 100, Aeth::kAck, 1);
    CHECK_FALSE(state.response_sent(Psn{101}));
    CHECK_FALSE(state.response_sent(Psn{102}));
}

TEST_CASE("ack state: a NAK does not pass the responses of a Read", "[X31]") {
    AckState state = fresh();
    (void)state.executed(state.accept(Psn{100}, 1, false), 10ns);
    state.read_begins(Psn{100}, Psn{101});
    CHECK(state.refuse(Aeth::kNakInvalidRequest, Psn{101}, 40ns) == 40ns);
    says_nothing(state, 40ns);
    CHECK(state.response_sent(Psn{100}));
    says(state, 50ns, 101, Aeth::kNakInvalidRequest, 1);
}

// A Write of 100 and 101, a Read of 102, and what comes behind it is refused.
// The Read 100 was overtaken by the Read 101, which is dropped. A response to 100 in front of the NAK for it would make
// the NAK an old one to the peer, and nobody would ask for 101 again.
TEST_CASE("ack state: a NAK goes in front of the responses of the Read that it asks for", "[X8][X17][X31]") {
    AckState state = fresh();
    CHECK(state.refuse(Aeth::kNakSequence, Psn{100}, 40ns) == 40ns);
    state.missing_came();
    (void)state.executed(state.accept(Psn{100}, 1, true), 48ns);
    state.read_begins(Psn{100}, Psn{101});
    says(state, 40ns, 100, Aeth::kNakSequence, 0);
}

// The NAK waits for the Write 100, which is executed when the first of the two responses to the Read 101 has left.
TEST_CASE("ack state: a NAK behind the responses of the Read that it asked for asks for what comes next", "[X8][X17]") {
    AckState state = fresh();
    const auto write = state.accept(Psn{100}, 1, false);
    CHECK_FALSE(state.refuse(Aeth::kNakSequence, Psn{101}, 40ns));
    state.missing_came();
    CHECK_FALSE(state.executed(state.accept(Psn{102}, 2, true), 48ns));
    state.read_begins(Psn{101}, Psn{103});
    CHECK_FALSE(state.response_sent(Psn{101}));
    CHECK(state.executed(write, 200ns) == 200ns);
    says_nothing(state, 200ns);  // the second response has not left, and the Write does not ask
    CHECK(state.response_sent(Psn{102}));
    says(state, 300ns, 103, Aeth::kNakSequence, 2);
}

TEST_CASE("ack state: what waits behind a Read acknowledges nothing before it that is not executed", "[X12][X31]") {
    AckState state = fresh();
    const auto first = state.accept(Psn{100}, 0, false);
    const auto second = state.accept(Psn{101}, 1, true);
    (void)state.executed(first, 10ns);
    (void)state.executed(state.accept(Psn{102}, 2, false), 15ns);
    state.read_begins(Psn{102}, Psn{103});
    CHECK_FALSE(state.refuse(Aeth::kNakSequence, Psn{103}, 20ns));
    says_nothing(state, 30ns);  // PSN 100 does not ask, and the NAK waits
    CHECK(state.covers_only_executed(Psn{100}, 30ns));
    CHECK_FALSE(state.covers_only_executed(Psn{101}, 30ns));
    CHECK(state.executed(second, 90ns) == 90ns);
    says_nothing(state, 89ns);
    CHECK_FALSE(state.covers_only_executed(Psn{101}, 89ns));
    says(state, 90ns, 101, Aeth::kAck, 1);  // the Read's response comes before the NAK
    CHECK(state.response_sent(Psn{102}));
    says(state, 91ns, 103, Aeth::kNakSequence, 2);
}

TEST_CASE("ack state: a Read that ends early lets the NAK in its place go", "[X26]") {
    AckState state = fresh();
    (void)state.executed(state.accept(Psn{102}, 1, false), 10ns);
    (void)state.executed(state.accept(Psn{104}, 2, false), 10ns);
    state.read_begins(Psn{100}, Psn{103});
    state.read_begins(Psn{103}, Psn{105});
    state.read_begins(Psn{100}, Psn{101}, true);
    CHECK_FALSE(state.response_sent(Psn{100}));
    // The first Read is refused at 101; the two behind it get nothing.
    state.cut_read(2, Psn{101}, true);
    CHECK(state.refuse(Aeth::kNakRemoteAccess, Psn{101}, 40ns) == 40ns);
    says(state, 40ns, 101, Aeth::kNakRemoteAccess, 0);
}

TEST_CASE("ack state: a repeated Read that ends early lets what waited for it go", "[X11]") {
    AckState state = fresh();
    (void)state.executed(state.accept(Psn{101}, 1, false), 10ns);
    state.read_begins(Psn{100}, Psn{102}, true);
    state.read_begins(Psn{100}, Psn{101}, true);
    CHECK(state.new_reads() == 0);
    (void)state.executed(state.accept(Psn{102}, 2, true), 20ns);
    says_nothing(state, 20ns);
    CHECK(state.cut_read(1, Psn{100}, false));
    says_nothing(state, 21ns);  // the next one holds it, too
    CHECK(state.response_sent(Psn{100}));
    says(state, 22ns, 102, Aeth::kAck, 2);
}

TEST_CASE("ack state: a NAK that waits behind a Read is given up together with it", "[X33]") {
    AckState state = fresh();
    (void)state.executed(state.accept(Psn{102}, 1, false), 10ns);
    state.read_begins(Psn{100}, Psn{103});
    CHECK(state.refuse(Aeth::kRnrNak, Psn{103}, 40ns) == 40ns);
    says_nothing(state, 40ns);
    CHECK(state.owes_nak());
    state.give_up();
    CHECK_FALSE(state.owes_nak());
    CHECK(state.new_reads() == 0);
}

TEST_CASE("ack state: when a Read is given up, nothing from its first missing response on is acknowledged", "[X33]") {
    AckState state = fresh();
    (void)state.executed(state.accept(Psn{100}, 1, true), 10ns);
    const std::uint32_t read = state.accept(Psn{102}, 2, false);
    state.read_begins(Psn{101}, Psn{103});
    (void)state.executed(read, 20ns);
    (void)state.executed(state.accept(Psn{103}, 3, true), 30ns);
    state.give_up();
    says(state, 30ns, 100, Aeth::kAck, 1);  // the request before the Read
    says_nothing(state, 31ns);
}

TEST_CASE("ack state: an answer that was to be repeated behind a Read is given up together with it", "[X33]") {
    AckState state = fresh();
    (void)state.executed(state.accept(Psn{101}, 1, true), 10ns);
    says(state, 10ns, 101, Aeth::kAck, 1);
    state.read_begins(Psn{100}, Psn{101}, true);
    state.repeat();
    says_nothing(state, 20ns);
    state.give_up();
    says_nothing(state, 21ns);
}

}  // namespace ndsim::test::ack_state_test
