// SPDX-License-Identifier: Apache-2.0
#include "tests/ndapi/ndspi/nd1_pair.hpp"

// The owner of a window, B, invalidates it itself.

namespace ndsim::test::nd1_invalidate_test {

// B invalidates its window at about this time; A, which sends a SendAndInvalidate of it at 3 to 4 ms, has it as well.
struct Race {
    Nd1Ends invalidate;  // of B's Invalidate, 10
    Nd1Ends inbound;     // at B
    Nd1Ends caller;      // of A's SendAndInvalidate, 1
};
Race race_at(std::uint64_t milliseconds) {
    ND_MW_DESCRIPTOR open{};
    Race race;
    run_nd1_pair({.program =
                      [&](Nd1Party& a) {
                          expect(a.send_and_invalidate(1, 8, open) == ND_SUCCESS, "A's");
                          race.caller = a.ended();
                      }},
                 {.program = [&](Nd1Party& b) {
                     expect(b.receive(1, 64, 8192) == ND_SUCCESS, "a Receive");
                     Nd1Window& window = b.open_window(0, 4096);
                     open = window.descriptor;
                     until_ms(b.os, milliseconds);
                     expect(b.invalidate(10, window) == ND_SUCCESS, "B's");
                     race.invalidate = b.ended();
                     until_ms(b.os, 15);
                     race.inbound = b.poll(*b.inbound);
                 }});
    return race;
}

// Exactly one of them succeeds.
void check_peer_won(const Race& race) {
    CHECK(race.invalidate == Nd1Ends{{10, ND_INVALIDATION_ERROR}});
    CHECK(race.inbound == Nd1Ends{{kInvalidated, ND_SUCCESS}, {1, ND_SUCCESS}});
    CHECK(race.caller == Nd1Ends{{1, ND_SUCCESS}});
}
void check_owner_won(const Race& race) {
    CHECK(race.invalidate == Nd1Ends{{10, ND_SUCCESS}});
    CHECK(race.inbound == Nd1Ends{{1, ND_INVALIDATION_ERROR}});
    CHECK(race.caller == Nd1Ends{{1, ND_REMOTE_ERROR}});
}

TEST_CASE("nd1: a window that its owner invalidates is closed, and can be bound again", "[R36][R52]") {
    ND_MW_DESCRIPTOR first{};
    ND_MW_DESCRIPTOR second{};
    Nd1Ends at_a;
    Nd1Ends owner;
    Nd1Ends inbound;
    bool same = false;
    run_nd1_pair({.program =
                      [&](Nd1Party& a) {
                          a.fill(0, 64, 0x21);
                          expect(a.write(1, 64, first) == ND_SUCCESS, "while it is open");
                          until_ms(a.os, 9);
                          expect(a.write(2, 64, second) == ND_SUCCESS, "when it is bound again");
                          expect(a.write(3, 64, first) == ND_SUCCESS, "by its old descriptor");
                          at_a = a.ended(3);
                      }},
                 {.program = [&](Nd1Party& b) {
                     expect(b.receive(1, 64, 65536) == ND_SUCCESS, "a Receive");
                     Nd1Window& window = b.open_window(0, 4096);
                     first = window.descriptor;
                     until_ms(b.os, 6);
                     expect(b.invalidate(10, window) == ND_SUCCESS, "the owner closes it");
                     owner = b.ended();
                     expect(b.bind(11, window, 8192, 4096, kReadWrite) == ND_SUCCESS, "and opens it again");
                     second = window.descriptor;
                     owner.push_back(b.ended().front());
                     until_ms(b.os, 15);
                     inbound = b.poll(*b.inbound);
                     same = b.holds(0, 64, 0x21) && b.holds(8192, 64, 0x21);
                 }});
    CHECK(at_a == Nd1Ends{{1, ND_SUCCESS}, {2, ND_SUCCESS}, {3, ND_REMOTE_ERROR}});
    CHECK(owner == Nd1Ends{{10, ND_SUCCESS}, {11, ND_SUCCESS}});
    CHECK(inbound == Nd1Ends{{1, ND_CANCELED}});
    CHECK(same);
}

TEST_CASE("nd1: an Invalidate in front of the peer's SendAndInvalidate wins", "[R54]") {
    check_owner_won(race_at(2));
}

TEST_CASE("nd1: an Invalidate behind the peer's SendAndInvalidate loses", "[R53][R54]") {
    check_peer_won(race_at(6));
}

TEST_CASE("nd1: of an Invalidate and a SendAndInvalidate at the same time one wins", "[R54]") {
    const Race race = race_at(3);
    if (race.invalidate == Nd1Ends{{10, ND_SUCCESS}}) {
        check_owner_won(race);
    } else {
        check_peer_won(race);
    }
}

// A MiB takes 84 us at 100 Gbps; B invalidates 40 us after the beginning, of which a message tells.
TEST_CASE("nd1: a window that closes during a Read makes the Read fail", "[R55]") {
    ND_MW_DESCRIPTOR open{};
    Nd1Ends at_a;
    Nd1Ends owner;
    run_nd1_pair({.program =
                      [&](Nd1Party& a) {
                          expect(a.send(1, 8) == ND_SUCCESS, "the beginning");
                          expect(a.read(2, a.buffer.size(), open) == ND_SUCCESS, "a MiB");
                          at_a = a.ended(2);
                      }},
                 {.program = [&](Nd1Party& b) {
                     expect(b.receive(1, 64) == ND_SUCCESS, "a Receive");
                     Nd1Window& window = b.open_window(0, b.buffer.size(), ND_OP_FLAG_ALLOW_READ);
                     open = window.descriptor;
                     expect(b.received() == Nd1Ends{{1, ND_SUCCESS}}, "it begins");
                     const std::uint64_t begun = b.os.nanoseconds();
                     while (b.os.nanoseconds() < begun + 40'000) {
                     }
                     expect(b.invalidate(10, window) == ND_SUCCESS, "in the middle");
                     owner = b.ended();
                 }});
    CHECK(at_a == Nd1Ends{{1, ND_SUCCESS}, {2, ND_REMOTE_ERROR}});
    CHECK(owner == Nd1Ends{{10, ND_SUCCESS}});
}

// One window is invalidated by its owner, another is bound when the endpoint is flushed and disconnected.
TEST_CASE("nd1: the result of a window tells of invalidations by the peer alone", "[R56]") {
    Nd1Ends inbound;
    run_nd1_pair({.program = [](Nd1Party& a) { expect(a.disconnect() == ND_SUCCESS, "A disconnects"); }},
                 {.program = [&](Nd1Party& b) {
                     expect(b.receive(1, 64, 65536) == ND_SUCCESS, "a Receive");
                     Nd1Window& window = b.open_window(0, 4096, kReadWrite, 60);
                     b.open_window(4096, 4096, kReadWrite, 61);
                     expect(b.invalidate(10, window) == ND_SUCCESS, "an Invalidate");
                     expect(b.ended() == Nd1Ends{{10, ND_SUCCESS}}, "it succeeds");
                     inbound = b.received();
                     expect(b.endpoint->Flush() == ND_SUCCESS && b.disconnect() == ND_SUCCESS, "B leaves, too");
                     until_ms(b.os, 10);
                     const Nd1Ends late = b.poll(*b.inbound);
                     inbound.insert(inbound.end(), late.begin(), late.end());
                 }});
    CHECK(inbound == Nd1Ends{{1, ND_CANCELED}});
}

}  // namespace ndsim::test::nd1_invalidate_test
