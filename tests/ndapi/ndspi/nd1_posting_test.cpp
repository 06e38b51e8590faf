// SPDX-License-Identifier: Apache-2.0
#include "tests/ndapi/ndspi/nd1_pair.hpp"

namespace ndsim::test::nd1_posting_test {

TEST_CASE("nd1: a message goes from a program to another", "[R13][R21][R32][R71]") {
    ND_RESULT sent{};
    std::vector<ND_RESULT> received;
    Nd1Ends at_a;
    Nd1Ends at_b;
    bool same = false;
    run_nd1_pair({.program =
                      [&](Nd1Party& a) {
                          a.fill(0, 100, 0x5A);
                          expect(a.send(7, 100) == ND_SUCCESS, "a Send is posted");
                          at_a = a.ended();
                          sent = a.blocks[7];
                          expect(a.send(8, 60) == ND_SUCCESS, "another");
                          (void)a.ended();
                          expect(a.poll(*a.inbound).empty(), "a Send has no result in the inbound CQ");
                      }},
                 {.program = [&](Nd1Party& b) {
                     expect(b.receive(9, 100, 4096) == ND_SUCCESS, "it holds exactly the message");
                     expect(b.receive(10, 100, 8192) == ND_SUCCESS, "this one could hold more");
                     at_b = b.received(2);
                     received = {b.blocks[9], b.blocks[10]};
                     same = b.holds(4096, 100, 0x5A) && b.holds(8192, 60, 0x5A) && b.holds(8192 + 60, 40, 0);
                 }});
    CHECK(at_a == Nd1Ends{{7, ND_SUCCESS}});
    CHECK(sent.BytesTransferred == 100);  // the list's total
    CHECK(at_b == Nd1Ends{{9, ND_SUCCESS}, {10, ND_SUCCESS}});
    REQUIRE(received.size() == 2);
    CHECK(received[0].BytesTransferred == 100);
    CHECK(received[1].BytesTransferred == 60);
    CHECK(same);
}

TEST_CASE("nd1: without a connection Receives are taken and nothing else is", "[R1][R2][R3][R11]") {
    Codes refused;
    HRESULT receive = ND_PENDING;
    Nd1Ends results;
    run_programs(
        [&](Nd1Party& a) {
            a.need_endpoint();
            Nd1Window& window = a.new_window();
            const ND_MW_DESCRIPTOR theirs{};
            refused = {a.send(1, 64),           a.send_and_invalidate(2, 64, theirs),
                       a.read(3, 64, theirs),   a.write(4, 64, theirs),
                       a.invalidate(6, window), a.bind(5, window, 0, 4096, ND_OP_FLAG_ALLOW_READ)};
            receive = a.receive(7, 64);
            a.os.sleep(1);
            results = a.poll(*a.inbound);
            const Nd1Ends others = a.poll(*a.outbound);
            results.insert(results.end(), others.begin(), others.end());
        },
        idle);
    CHECK(refused == Codes(6, ND_CONNECTION_INVALID));
    CHECK(receive == ND_SUCCESS);
    CHECK(results.empty());  // nothing was queued but the Receive, for which nothing came
}

// Eight requests of all six kinds fill a queue of depth 8. The first result that is retrieved gives a slot back.
TEST_CASE("nd1: requests of all kinds share the outbound queue, which refuses the ninth", "[R4][R10][R11][R50][R58]") {
    Codes taken;
    Codes refused;
    Nd1Ends results;
    ND_MW_DESCRIPTOR open{};
    ND_MW_DESCRIPTOR once{};
    run_nd1_pair({.program =
                      [&](Nd1Party& a) {
                          Nd1Window& window = a.new_window();
                          Nd1Window& other = a.new_window();
                          taken = {a.write(1, 64, open),    a.send(2, 64),
                                   a.read(3, 64, open),     a.bind(4, window, 0, 4096, ND_OP_FLAG_ALLOW_READ),
                                   a.invalidate(5, window), a.send_and_invalidate(6, 64, once),
                                   a.read(7, 64, open),     a.write(8, 64, open)};
                          refused = {a.send(20, 64),
                                     a.send_and_invalidate(21, 64, open),
                                     a.read(22, 64, open),
                                     a.write(23, 64, open),
                                     a.bind(24, other, 0, 4096, ND_OP_FLAG_ALLOW_READ),
                                     a.invalidate(25, other)};
                          results = a.ended();
                          taken.push_back(a.send(9, 64));
                          refused.push_back(a.send(26, 64));
                          const Nd1Ends rest = a.ended(8);
                          results.insert(results.end(), rest.begin(), rest.end());
                          a.os.sleep(1);
                          expect(a.poll(*a.outbound).empty(), "there are no results of what was refused");
                      }},
                 {.program = [&](Nd1Party& b) {
                     open = b.open_window(0, 4096).descriptor;
                     once = b.open_window(4096, 4096).descriptor;
                     for (std::size_t number = 1; number <= 3; ++number) {
                         expect(b.receive(number, 64, 8192) == ND_SUCCESS, "a Receive for each message");
                     }
                     until_ms(b.os, 10);
                 }});
    CHECK(taken == Codes(9, ND_SUCCESS));
    CHECK(refused == Codes(7, ND_NO_MORE_ENTRIES));
    Nd1Ends expected;
    for (std::size_t number = 1; number <= 9; ++number) {
        expected.push_back({number, ND_SUCCESS});
    }
    CHECK(results == expected);
}

TEST_CASE("nd1: the inbound queue refuses the ninth Receive, and takes it when one is back", "[R5][R10][R11][R59]") {
    Codes posted;
    Codes refused;
    Nd1Ends results;
    run_nd1_pair({.program =
                      [](Nd1Party& a) {
                          for (std::size_t number = 1; number <= 9; ++number) {
                              expect(a.send(number, 64) == ND_SUCCESS, "a Send");
                              expect(a.ended() == Nd1Ends{{number, ND_SUCCESS}}, "it succeeds");
                          }
                      }},
                 {.program = [&](Nd1Party& b) {
                     for (std::size_t number = 1; number <= 8; ++number) {
                         posted.push_back(b.receive(number, 64));
                     }
                     refused.push_back(b.receive(50, 64));
                     results = b.received();  // which frees a slot
                     posted.push_back(b.receive(9, 64));
                     refused.push_back(b.receive(51, 64));
                     const Nd1Ends rest = b.received(8);
                     results.insert(results.end(), rest.begin(), rest.end());
                     b.os.sleep(1);
                     expect(b.poll(*b.inbound).empty(), "there are no results of what was refused");
                 }});
    CHECK(posted == Codes(9, ND_SUCCESS));
    CHECK(refused == Codes(2, ND_NO_MORE_ENTRIES));
    Nd1Ends expected;
    for (std::size_t number = 1; number <= 9; ++number) {
        expected.push_back({number, ND_SUCCESS});
    }
    CHECK(results == expected);
}

// Created for two pieces, and version 1 gives exactly that (B3): three are too many, as are more than any request has.
TEST_CASE("nd1: a list of more pieces than the endpoint was created for is refused", "[R6][R7][R10][R11]") {
    Codes refused;
    Codes receives_refused;
    Nd1Ends results;
    Nd1Ends at_b;
    ND_MW_DESCRIPTOR open{};
    run_nd1_pair(
        {.program =
             [&](Nd1Party& a) {
                 const std::array<ND_SGE, 3> three{a.piece(8), a.piece(8, 64), a.piece(8, 128)};
                 const std::vector<ND_SGE> thousands(5000, a.piece(0));
                 refused = {a.endpoint->Send(a.block(20), three.data(), 3, 0),
                            a.endpoint->SendAndInvalidate(a.block(21), three.data(), 3, &open, 0),
                            a.endpoint->Read(a.block(22), three.data(), 3, &open, 0, 0),
                            a.endpoint->Write(a.block(23), three.data(), 3, &open, 0, 0),
                            a.endpoint->Send(a.block(24), thousands.data(), thousands.size(), 0)};
                 expect(a.endpoint->Write(a.block(1), three.data(), 2, &open, 0, 0) == ND_SUCCESS &&
                            a.endpoint->Read(a.block(2), three.data(), 2, &open, 0, 0) == ND_SUCCESS &&
                            a.endpoint->Send(a.block(3), three.data(), 2, 0) == ND_SUCCESS &&
                            a.endpoint->SendAndInvalidate(a.block(4), three.data(), 2, &open, ND_OP_FLAG_READ_FENCE) ==
                                ND_SUCCESS,
                        "two pieces go");
                 results = a.ended(4);
                 a.os.sleep(1);
                 expect(a.poll(*a.outbound).empty(), "there are no results of what was refused");
             }},
        {.program = [&](Nd1Party& b) {
            const std::array<ND_SGE, 3> three{b.piece(8, 8192), b.piece(8, 8256), b.piece(8, 8320)};
            open = b.open_window(0, 4096).descriptor;
            receives_refused = {b.endpoint->Receive(b.block(20), three.data(), 3)};
            expect(b.endpoint->Receive(b.block(1), three.data(), 2) == ND_SUCCESS, "two pieces may be received");
            expect(b.endpoint->Receive(b.block(2), three.data(), 2) == ND_SUCCESS, "and again");
            at_b = b.received(3);
            until_ms(b.os, 10);
        }});
    CHECK(refused == Codes(5, ND_DATA_OVERRUN));
    CHECK(receives_refused == Codes(1, ND_DATA_OVERRUN));
    CHECK(results == Nd1Ends{{1, ND_SUCCESS}, {2, ND_SUCCESS}, {3, ND_SUCCESS}, {4, ND_SUCCESS}});
    CHECK(at_b == Nd1Ends{{1, ND_SUCCESS}, {kInvalidated, ND_SUCCESS}, {2, ND_SUCCESS}});
}

// A unit of 64 B holds a Write's header of 32 B and two pieces of 16 B; three need another unit.
TEST_CASE("nd1: in the setting that rounds up, an endpoint takes what its entries hold") {
    Codes codes;
    run_nd1_pair({.sizes = {.sges = 1},
                  .program =
                      [&](Nd1Party& a) {
                          const std::array<ND_SGE, 3> three{a.piece(0), a.piece(0), a.piece(0)};
                          const ND_MW_DESCRIPTOR none{};  // no bytes, so nobody looks at it
                          codes = {a.endpoint->Write(a.block(1), three.data(), 2, &none, 0, 0),
                                   a.endpoint->Write(a.block(2), three.data(), 3, &none, 0, 0)};
                          expect(a.ended() == Nd1Ends{{1, ND_SUCCESS}}, "it succeeds");
                      }},
                 {}, {"adapter.rounding=field"});
    CHECK(codes == Codes{ND_SUCCESS, ND_DATA_OVERRUN});
}

}  // namespace ndsim::test::nd1_posting_test
