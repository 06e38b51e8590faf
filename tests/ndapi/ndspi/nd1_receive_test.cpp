// SPDX-License-Identifier: Apache-2.0
#include "tests/ndapi/ndspi/nd1_fate.hpp"

namespace ndsim::test::nd1_receive_test {

// Receives of 32 bytes each at places of their own.
void post_receives(Nd1Party& b, std::size_t count) {
    for (std::size_t number = 1; number <= count; ++number) {
        expect(b.receive(number, 32, 4096 * number) == ND_SUCCESS, "a Receive");
    }
}

HRESULT send_64(Nd1Party& a) {
    return a.send(1, 64);
}

TEST_CASE("nd1: a Receive that was posted before Connect takes the first message", "[R3][R19]") {
    Nd1Ends at_b;
    bool same = false;
    run_nd1_pair({.program =
                      [](Nd1Party& a) {
                          a.fill(0, 64, 0x77);
                          expect(a.send(1, 64) == ND_SUCCESS, "a Send");
                      }},
                 {.before =
                      [](Nd1Party& b) {
                          expect(b.receive(1, 64, 4096) == ND_SUCCESS, "before it listens");
                          expect(b.receive(2, 64, 8192) == ND_SUCCESS, "another");
                      },
                  .program =
                      [&](Nd1Party& b) {
                          at_b = b.received();
                          same = b.holds(4096, 64, 0x77) && b.holds(8192, 64, 0);
                      }});
    CHECK(at_b == Nd1Ends{{1, ND_SUCCESS}});
    CHECK(same);
}

TEST_CASE("nd1: messages take one Receive each, the oldest, and other requests of the peer take none", "[R20][R59]") {
    Nd1Ends at_b;
    bool same = false;
    ND_MW_DESCRIPTOR stays{};
    ND_MW_DESCRIPTOR goes{};
    run_nd1_pair(
        {.program =
             [&](Nd1Party& a) {
                 Nd1Window& window = a.new_window();
                 expect(a.write(1, 32, stays) == ND_SUCCESS && a.read(2, 32, stays) == ND_SUCCESS &&
                            a.bind(3, window, 0, 64, ND_OP_FLAG_ALLOW_READ) == ND_SUCCESS &&
                            a.invalidate(4, window) == ND_SUCCESS,
                        "requests that are no messages");
                 expect(a.ended(4).back() == Nd1End{4, ND_SUCCESS}, "they succeed");
                 a.fill(0, 32, 1);
                 expect(a.send(5, 32) == ND_SUCCESS && a.ended().front().status == ND_SUCCESS, "a Send");
                 a.fill(0, 32, 2);
                 expect(a.send_and_invalidate(6, 32, goes) == ND_SUCCESS && a.ended().front().status == ND_SUCCESS,
                        "a SendAndInvalidate");
                 a.fill(0, 32, 3);
                 expect(a.send(7, 32) == ND_SUCCESS && a.ended().front().status == ND_SUCCESS, "a Send");
             }},
        {.program = [&](Nd1Party& b) {
            post_receives(b, 4);
            stays = b.open_window(0, 1024).descriptor;
            goes = b.open_window(1024, 1024).descriptor;
            until_ms(b.os, 10);
            at_b = b.poll(*b.inbound);
            same = b.holds(4096, 32, 1) && b.holds(2 * 4096, 32, 2) && b.holds(3 * 4096, 32, 3);
        }});
    CHECK(at_b == Nd1Ends{{1, ND_SUCCESS}, {kInvalidated, ND_SUCCESS}, {2, ND_SUCCESS}, {3, ND_SUCCESS}});
    CHECK(same);
}

// 64 bytes for a Receive of 32.
TEST_CASE("nd1: a message too long for its Receive ends the connection", "[R22][R23][R104]") {
    const Nd1Fate fate = fate_of(send_64, [](Nd1Party& b) { post_receives(b, 2); });
    check_fatal(fate, ND_REMOTE_ERROR);
    CHECK(fate.at_b == Nd1Ends{{1, ND_BUFFER_OVERFLOW}, {2, ND_CANCELED}});
}

TEST_CASE("nd1: a message too long for its Receive has other statuses in the field", "[R22][R23]") {
    const Nd1Fate fate = fate_of(
        send_64, [](Nd1Party& b) { post_receives(b, 2); }, kInfiniband);
    check_fatal(fate, STATUS_DATA_ERROR);
    CHECK(fate.at_b == Nd1Ends{{1, ND_DATA_OVERRUN}, {2, ND_CANCELED}});
}

TEST_CASE("nd1: without a Receive the Send times out, and the peer's CQ gets nothing", "[R24]") {
    const Nd1Fate fate = fate_of(send_64);
    check_fatal(fate, ND_TIMEOUT);
    CHECK(fate.at_b.empty());
    CHECK(SUCCEEDED(fate.at_a.front().status));  // version 1's code for it is a success by its number
}

// Seven attempts, 0.64 ms apart: timer code 12, six retries.
TEST_CASE("nd1: in the field a Send without a Receive times out after its retries", "[R24]") {
    const Nd1Fate fate = fate_of(
        send_64, [](Nd1Party&) {}, kInfiniband);
    check_fatal(fate, ND_TIMEOUT);
    CHECK(fate.at_b.empty());
}

// The Send comes at 3 ms and is repeated until about 7 ms; the Receive is there from 4 ms on.
TEST_CASE("nd1: a Receive that is posted during the retries lets the Send succeed", "[R25]") {
    Nd1Ends at_a;
    Nd1Ends at_b;
    run_nd1_pair({.program =
                      [&](Nd1Party& a) {
                          expect(a.send(1, 64) == ND_SUCCESS, "a Send");
                          at_a = a.ended();
                      }},
                 {.program =
                      [&](Nd1Party& b) {
                          until_ms(b.os, 4);
                          expect(b.receive(1, 64) == ND_SUCCESS, "a late Receive");
                          at_b = b.received();
                      }},
                 {"nic.overflow=rnr"});
    CHECK(at_a == Nd1Ends{{1, ND_SUCCESS}});
    CHECK(at_b == Nd1Ends{{1, ND_SUCCESS}});
}

TEST_CASE("nd1: a Send without a list is an empty message, which takes a Receive", "[R27][R28][R32]") {
    Nd1Ends at_a;
    Nd1Ends at_b;
    std::vector<SIZE_T> sent;
    std::vector<SIZE_T> received;
    run_nd1_pair({.program =
                      [&](Nd1Party& a) {
                          for (std::size_t number = 1; number <= 2; ++number) {
                              expect(a.endpoint->Send(a.block(number), nullptr, 0, 0) == ND_SUCCESS, "no bytes");
                          }
                          expect(a.send(3, 64) == ND_SUCCESS, "and some");
                          at_a = a.ended(3);
                          sent = {a.blocks[1].BytesTransferred, a.blocks[3].BytesTransferred};
                      }},
                 {.program = [&](Nd1Party& b) {
                     expect(b.receive(1, 64) == ND_SUCCESS, "a Receive with room");
                     expect(b.endpoint->Receive(b.block(2), nullptr, 0) == ND_SUCCESS, "one without");
                     expect(b.receive(3, 64) == ND_SUCCESS, "one for the last");
                     at_b = b.received(3);
                     for (std::size_t number = 1; number <= 3; ++number) {
                         received.push_back(b.blocks[number].BytesTransferred);
                     }
                 }});
    CHECK(at_a == Nd1Ends{{1, ND_SUCCESS}, {2, ND_SUCCESS}, {3, ND_SUCCESS}});
    CHECK(at_b == Nd1Ends{{1, ND_SUCCESS}, {2, ND_SUCCESS}, {3, ND_SUCCESS}});
    CHECK(sent == std::vector<SIZE_T>{0, 64});
    CHECK(received == std::vector<SIZE_T>{0, 0, 64});
}

TEST_CASE("nd1: a byte is too much for a Receive without a list", "[R28]") {
    const Nd1Fate fate = fate_of([](Nd1Party& a) { return a.send(1, 1); },
                                 [](Nd1Party& b) {
                                     expect(b.endpoint->Receive(b.block(1), nullptr, 0) == ND_SUCCESS, "a Receive");
                                     expect(b.receive(2, 64) == ND_SUCCESS, "another");
                                 });
    check_fatal(fate, ND_REMOTE_ERROR);
    CHECK(fate.at_b == Nd1Ends{{1, ND_BUFFER_OVERFLOW}, {2, ND_CANCELED}});
}

}  // namespace ndsim::test::nd1_receive_test
