// SPDX-License-Identifier: Apache-2.0
#include "tests/ndapi/ndspi/nd1_link.hpp"

namespace ndsim::test::nd1_send_and_invalidate_test {

// SendAndInvalidate that goes well (seed 001). A sends, B owns the windows, whose results are the blocks 60 and 61.

using namespace ndsim;
using namespace ndsim::test;

TEST_CASE("nd1: a SendAndInvalidate has one result for its caller and two for the owner of the window",
          "[R13][R32][R33][R34]") {
    ND_MW_DESCRIPTOR open{};
    Nd1Ends at_a;
    Nd1Ends at_b;
    SIZE_T sent = 0;
    SIZE_T received = 0;
    bool same = false;
    bool nothing_else = true;
    run_nd1_pair({.program =
                      [&](Nd1Party& a) {
                          a.fill(0, 48, 0x42);
                          expect(a.send_and_invalidate(1, 48, open) == ND_SUCCESS, "it is posted");
                          at_a = a.ended();
                          sent = a.blocks[1].BytesTransferred;
                          until_ms(a.os, 6);
                          nothing_else = nothing_else && a.poll(*a.inbound).empty() && a.poll(*a.outbound).empty();
                      }},
                 {.program = [&](Nd1Party& b) {
                     expect(b.receive(1, 64, 8192) == ND_SUCCESS, "a Receive");
                     open = b.open_window(0, 4096).descriptor;
                     at_b = b.received(2);
                     received = b.blocks[1].BytesTransferred;
                     same = b.holds(8192, 48, 0x42) && b.holds(8192 + 48, 16, 0);
                     until_ms(b.os, 6);
                     nothing_else = nothing_else && b.poll(*b.inbound).empty() && b.poll(*b.outbound).empty();
                 }});
    CHECK(at_a == Nd1Ends{{1, ND_SUCCESS}});
    CHECK(sent == 48);
    CHECK(at_b == Nd1Ends{{kInvalidated, ND_SUCCESS}, {1, ND_SUCCESS}});
    CHECK(received == 48);
    CHECK(same);
    CHECK(nothing_else);
}

TEST_CASE("nd1: nothing comes between the result of a window and that of its Receive", "[R34][R35][R59]") {
    ND_MW_DESCRIPTOR first{};
    ND_MW_DESCRIPTOR second{};
    Nd1Ends at_b;
    run_nd1_pair({.program =
                      [&](Nd1Party& a) {
                          expect(a.send(1, 8) == ND_SUCCESS && a.send_and_invalidate(2, 8, second) == ND_SUCCESS &&
                                     a.send(3, 8) == ND_SUCCESS && a.send_and_invalidate(4, 8, first) == ND_SUCCESS &&
                                     a.send(5, 8) == ND_SUCCESS,
                                 "five messages at once");
                          expect(a.ended(5).back() == Nd1End{5, ND_SUCCESS}, "they succeed");
                      }},
                 {.program = [&](Nd1Party& b) {
                     for (std::size_t number = 1; number <= 5; ++number) {
                         expect(b.receive(number, 64, 8192) == ND_SUCCESS, "a Receive for each");
                     }
                     first = b.open_window(0, 64, kReadWrite, 60).descriptor;
                     second = b.open_window(64, 64, kReadWrite, 61).descriptor;
                     at_b = b.received(7);
                 }});
    CHECK(at_b == Nd1Ends{{1, ND_SUCCESS},
                          {61, ND_SUCCESS},
                          {2, ND_SUCCESS},
                          {3, ND_SUCCESS},
                          {60, ND_SUCCESS},
                          {4, ND_SUCCESS},
                          {5, ND_SUCCESS}});
}

// First to another part of the buffer, then on another endpoint.
TEST_CASE("nd1: a window that the peer has invalidated can be bound again", "[R37][R113]") {
    ND_MW_DESCRIPTOR places[3]{};
    Nd1Ends at_a;
    Nd1Ends at_b;
    bool same = false;
    run_nd1_pair({.program =
                      [&](Nd1Party& a) {
                          Nd1Link link(a);
                          link.be_active("B");
                          a.fill(0, 64, 0x31);
                          expect(a.send_and_invalidate(1, 8, places[0]) == ND_SUCCESS, "the first invalidation");
                          until_ms(a.os, 6);
                          expect(a.write(2, 64, places[1]) == ND_SUCCESS, "a Write to the second place");
                          expect(a.send_and_invalidate(3, 8, places[1]) == ND_SUCCESS, "the second invalidation");
                          until_ms(a.os, 9);
                          expect(link.write(4, 64, places[2]) == ND_SUCCESS, "a Write to the third place");
                          at_a = a.ended(4);
                      }},
                 {.program = [&](Nd1Party& b) {
                     expect(b.receive(1, 64) == ND_SUCCESS && b.receive(2, 64) == ND_SUCCESS, "two Receives");
                     Nd1Window& window = b.open_window(0, 1024);
                     places[0] = window.descriptor;
                     Nd1Link link(b);
                     link.be_passive();
                     at_b = b.received(2);
                     expect(b.bind(10, window, 4096, 1024, kReadWrite) == ND_SUCCESS, "the second Bind");
                     places[1] = window.descriptor;
                     const Nd1Ends more = b.received(2);
                     at_b.insert(at_b.end(), more.begin(), more.end());
                     expect(link.bind(11, window, 8192, 1024, kReadWrite) == ND_SUCCESS, "the third Bind");
                     places[2] = window.descriptor;
                     expect(b.ended(2) == Nd1Ends{{10, ND_SUCCESS}, {11, ND_SUCCESS}}, "they succeed");
                     until_ms(b.os, 12);
                     same = b.holds(4096, 64, 0x31) && b.holds(8192, 64, 0x31);
                 }});
    CHECK(at_a == Nd1Ends{{1, ND_SUCCESS}, {2, ND_SUCCESS}, {3, ND_SUCCESS}, {4, ND_SUCCESS}});
    CHECK(at_b == Nd1Ends{{kInvalidated, ND_SUCCESS}, {1, ND_SUCCESS}, {kInvalidated, ND_SUCCESS}, {2, ND_SUCCESS}});
    CHECK(same);
}

TEST_CASE("nd1: memory can be deregistered when the peer has invalidated its window", "[R38][R116]") {
    ND_MW_DESCRIPTOR open{};
    HRESULT before = ND_PENDING;
    HRESULT after = ND_PENDING;
    run_nd1_pair({.program =
                      [&](Nd1Party& a) {
                          expect(a.send_and_invalidate(1, 8, open) == ND_SUCCESS, "it is posted");
                          expect(a.ended() == Nd1Ends{{1, ND_SUCCESS}}, "it succeeds");
                      }},
                 {.program = [&](Nd1Party& b) {
                     expect(b.receive(1, 64) == ND_SUCCESS, "a Receive");
                     open = b.open_window(0, 4096).descriptor;
                     before = b.deregister(b.handle);
                     expect(b.received(2).back() == Nd1End{1, ND_SUCCESS}, "both results");
                     after = b.deregister(b.handle);
                 }});
    CHECK(before == ND_DEVICE_BUSY);
    CHECK(after == ND_SUCCESS);
}

TEST_CASE("nd1: a SendAndInvalidate without a list takes a Receive and has both results", "[R43]") {
    ND_MW_DESCRIPTOR open{};
    Nd1Ends at_b;
    SIZE_T received = 1;
    run_nd1_pair({.program =
                      [&](Nd1Party& a) {
                          expect(a.endpoint->SendAndInvalidate(a.block(1), nullptr, 0, &open, 0) == ND_SUCCESS,
                                 "no bytes");
                          expect(a.send(2, 8) == ND_SUCCESS, "and some");
                          expect(a.ended(2) == Nd1Ends{{1, ND_SUCCESS}, {2, ND_SUCCESS}}, "they succeed");
                      }},
                 {.program = [&](Nd1Party& b) {
                     expect(b.receive(1, 64) == ND_SUCCESS && b.receive(2, 64) == ND_SUCCESS, "two Receives");
                     open = b.open_window(0, 4096).descriptor;
                     at_b = b.received(3);
                     received = b.blocks[1].BytesTransferred;
                 }});
    CHECK(at_b == Nd1Ends{{kInvalidated, ND_SUCCESS}, {1, ND_SUCCESS}, {2, ND_SUCCESS}});
    CHECK(received == 0);
}

TEST_CASE("nd1: a silent SendAndInvalidate is silent for its caller alone", "[R44][R67]") {
    ND_MW_DESCRIPTOR open{};
    Nd1Ends at_a;
    Nd1Ends at_b;
    run_nd1_pair({.program =
                      [&](Nd1Party& a) {
                          expect(a.send_and_invalidate(1, 8, open, ND_OP_FLAG_SILENT_SUCCESS) == ND_SUCCESS,
                                 "it is posted");
                          expect(a.send(2, 8) == ND_SUCCESS, "a Send that is not silent");
                          at_a = a.ended();
                      }},
                 {.program = [&](Nd1Party& b) {
                     expect(b.receive(1, 64) == ND_SUCCESS && b.receive(2, 64) == ND_SUCCESS, "two Receives");
                     open = b.open_window(0, 4096).descriptor;
                     at_b = b.received(3);
                 }});
    CHECK(at_a == Nd1Ends{{2, ND_SUCCESS}});
    CHECK(at_b == Nd1Ends{{kInvalidated, ND_SUCCESS}, {1, ND_SUCCESS}, {2, ND_SUCCESS}});
}

// The first message is not marked. The second one is sent not before 5 ms.
TEST_CASE("nd1: a marked SendAndInvalidate notifies when both of its results are there", "[R48][R81]") {
    ND_MW_DESCRIPTOR first{};
    ND_MW_DESCRIPTOR second{};
    HRESULT status = ND_PENDING;
    std::uint64_t told_at = 0;
    Nd1Ends at_b;
    run_nd1_pair({.program =
                      [&](Nd1Party& a) {
                          expect(a.send_and_invalidate(1, 8, first) == ND_SUCCESS, "one without the mark");
                          until_ms(a.os, 5);
                          expect(a.send_and_invalidate(2, 8, second, ND_OP_FLAG_SEND_AND_SOLICIT_EVENT) == ND_SUCCESS,
                                 "one with it");
                      }},
                 {.program = [&](Nd1Party& b) {
                     expect(b.receive(1, 64) == ND_SUCCESS && b.receive(2, 64) == ND_SUCCESS, "two Receives");
                     first = b.open_window(0, 64, kReadWrite, 60).descriptor;
                     second = b.open_window(64, 64, kReadWrite, 61).descriptor;
                     Nd1Call call(b.os);
                     expect(b.inbound->Notify(ND_CQ_NOTIFY_SOLICITED, &call.overlapped) == ND_PENDING, "it pends");
                     status = call.end(*b.inbound);
                     told_at = b.os.nanoseconds();
                     at_b = b.poll(*b.inbound);
                 }});
    CHECK(status == ND_SUCCESS);
    CHECK(told_at >= 5'000'000);
    CHECK(at_b == Nd1Ends{{60, ND_SUCCESS}, {1, ND_SUCCESS}, {61, ND_SUCCESS}, {2, ND_SUCCESS}});
}

TEST_CASE("nd1: the results of a SendAndInvalidate complete a Notify for any", "[R49]") {
    ND_MW_DESCRIPTOR open{};
    HRESULT status = ND_PENDING;
    Nd1Ends at_b;
    run_nd1_pair(
        {.program = [&](Nd1Party& a) { expect(a.send_and_invalidate(1, 8, open) == ND_SUCCESS, "it is posted"); }},
        {.program = [&](Nd1Party& b) {
            expect(b.receive(1, 64) == ND_SUCCESS, "a Receive");
            open = b.open_window(0, 64).descriptor;
            Nd1Call call(b.os);
            expect(b.inbound->Notify(ND_CQ_NOTIFY_ANY, &call.overlapped) == ND_PENDING, "it pends");
            status = call.end(*b.inbound);
            at_b = b.received(2);
        }});
    CHECK(status == ND_SUCCESS);
    CHECK(at_b == Nd1Ends{{kInvalidated, ND_SUCCESS}, {1, ND_SUCCESS}});
}

}  // namespace ndsim::test::nd1_send_and_invalidate_test
