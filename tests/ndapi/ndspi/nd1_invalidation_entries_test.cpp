// SPDX-License-Identifier: Apache-2.0
#include "tests/ndapi/ndspi/nd1_pair.hpp"

// What a SendAndInvalidate waits for, and what room its results need.

namespace ndsim::test::nd1_invalidation_entries_test {

constexpr SIZE_T kHalf = 512 * 1024;

// A reads half a MiB through a window, and then invalidates it, with these flags. The results of both.
Nd1Ends read_and_invalidate(DWORD flags) {
    ND_MW_DESCRIPTOR open{};
    Nd1Ends at_a;
    run_nd1_pair({.program =
                      [&](Nd1Party& a) {
                          expect(a.read(1, kHalf, open) == ND_SUCCESS, "a Read");
                          expect(a.send_and_invalidate(2, 8, open, flags) == ND_SUCCESS, "and the window goes");
                          at_a = a.ended(2);
                      }},
                 {.program = [&](Nd1Party& b) {
                     expect(b.receive(1, 64, kHalf) == ND_SUCCESS, "a Receive");
                     open = b.open_window(0, kHalf, ND_OP_FLAG_ALLOW_READ).descriptor;
                     until_ms(b.os, 10);
                 }});
    return at_a;
}

struct Full {
    HRESULT told = ND_PENDING;  // of a Notify for errors
    Nd1Ends results;
};

// Three messages and a SendAndInvalidate, for an inbound CQ of so many entries that nobody polls until 6 ms.
Full fill_inbound_cq(SIZE_T entries) {
    ND_MW_DESCRIPTOR open{};
    Full full;
    run_nd1_pair({.program =
                      [&](Nd1Party& a) {
                          for (std::size_t number = 1; number <= 3; ++number) {
                              expect(a.send(number, 8) == ND_SUCCESS, "a Send");
                          }
                          expect(a.send_and_invalidate(4, 8, open) == ND_SUCCESS, "a SendAndInvalidate");
                      }},
                 {.sizes = {.inbound_cq = entries, .inbound = 4}, .program = [&](Nd1Party& b) {
                      for (std::size_t number = 1; number <= 4; ++number) {
                          expect(b.receive(number, 64, 8192) == ND_SUCCESS, "a Receive for each");
                      }
                      open = b.open_window(0, 4096).descriptor;
                      Nd1Call call(b.os);
                      expect(b.inbound->Notify(ND_CQ_NOTIFY_ERRORS, &call.overlapped) == ND_PENDING, "it pends");
                      until_ms(b.os, 6);
                      full.told = call.now(*b.inbound);
                      full.results = b.poll(*b.inbound);
                      b.inbound->CancelOverlappedRequests();
                  }});
    return full;
}

TEST_CASE("nd1: a fenced SendAndInvalidate waits for the Reads through its window", "[R45]") {
    CHECK(read_and_invalidate(ND_OP_FLAG_READ_FENCE) == Nd1Ends{{1, ND_SUCCESS}, {2, ND_SUCCESS}});
}

TEST_CASE("nd1: without the fence a Read through the window succeeds or fails, and never hangs", "[R46]") {
    const Nd1Ends ends = read_and_invalidate(0);
    const bool both = ends == Nd1Ends{{1, ND_SUCCESS}, {2, ND_SUCCESS}};
    const bool neither = ends == Nd1Ends{{1, ND_REMOTE_ERROR}, {2, ND_CANCELED}};
    CAPTURE(ends);
    CHECK((both || neither));
}

TEST_CASE("nd1: a Write through the window needs no fence", "[R47]") {
    ND_MW_DESCRIPTOR open{};
    Nd1Ends at_a;
    bool same = false;
    run_nd1_pair({.program =
                      [&](Nd1Party& a) {
                          a.fill(0, kHalf, 0x5C);
                          expect(a.write(1, kHalf, open) == ND_SUCCESS, "a Write");
                          expect(a.send_and_invalidate(2, 8, open) == ND_SUCCESS, "and the window goes");
                          at_a = a.ended(2);
                      }},
                 {.program = [&](Nd1Party& b) {
                     expect(b.receive(1, 64, kHalf) == ND_SUCCESS, "a Receive");
                     open = b.open_window(0, kHalf, ND_OP_FLAG_ALLOW_WRITE).descriptor;
                     expect(b.received() == Nd1Ends{{kInvalidated, ND_SUCCESS}}, "the window is invalidated");
                     same = b.holds(0, kHalf, 0x5C);  // by then all of it is there
                 }});
    CHECK(at_a == Nd1Ends{{1, ND_SUCCESS}, {2, ND_SUCCESS}});
    CHECK(same);
}

// Four Receives and the window: five results for four entries.
TEST_CASE("nd1: the result of a window overruns a CQ that its Receives fill", "[R51][R72][R74]") {
    const Full full = fill_inbound_cq(4);
    CHECK(full.told == ND_BUFFER_OVERFLOW);
    CHECK(full.results == Nd1Ends{{1, ND_SUCCESS}, {2, ND_SUCCESS}, {3, ND_SUCCESS}, {kInvalidated, ND_SUCCESS}});
}

TEST_CASE("nd1: with an entry for the result of the window the CQ holds all", "[R51]") {
    const Full full = fill_inbound_cq(5);
    CHECK(full.told == ND_PENDING);
    CHECK(full.results ==
          Nd1Ends{{1, ND_SUCCESS}, {2, ND_SUCCESS}, {3, ND_SUCCESS}, {kInvalidated, ND_SUCCESS}, {4, ND_SUCCESS}});
}

}  // namespace ndsim::test::nd1_invalidation_entries_test
