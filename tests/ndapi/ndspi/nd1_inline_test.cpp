// SPDX-License-Identifier: Apache-2.0
#include "tests/ndapi/ndspi/nd1_pair.hpp"

// Data without a handle, and requests without data.

namespace ndsim::test::nd1_inline_test {

ND_SGE unregistered(std::vector<unsigned char>& data) {
    return {data.data(), data.size(), nullptr};
}

// Each has as many bytes as may be inline. All of them are overwritten as soon as the calls have returned.
TEST_CASE("nd1: data without a handle is taken during the call", "[R144][R146][R32]") {
    ND_MW_DESCRIPTOR open{};
    ND_MW_DESCRIPTOR once{};
    Nd1Ends at_a;
    Nd1Ends at_b;
    SIZE_T limit = 0;
    std::vector<SIZE_T> sent;
    bool same = false;
    run_nd1_pair(
        {.program =
             [&](Nd1Party& a) {
                 limit = a.inline_bytes;
                 std::vector<unsigned char> data(limit, 0x11);
                 const ND_SGE sge = unregistered(data);
                 expect(a.endpoint->Send(a.block(1), &sge, 1, 0) == ND_SUCCESS, "a Send");
                 std::ranges::fill(data, static_cast<unsigned char>(0x22));
                 expect(a.endpoint->Write(a.block(2), &sge, 1, &open, 0, 0) == ND_SUCCESS, "a Write");
                 std::ranges::fill(data, static_cast<unsigned char>(0x33));
                 expect(a.endpoint->SendAndInvalidate(a.block(3), &sge, 1, &once, 0) == ND_SUCCESS,
                        "a SendAndInvalidate");
                 std::ranges::fill(data, static_cast<unsigned char>(0xFF));
                 at_a = a.ended(3);
                 sent = {a.blocks[1].BytesTransferred, a.blocks[2].BytesTransferred, a.blocks[3].BytesTransferred};
             }},
        {.program = [&](Nd1Party& b) {
            expect(b.receive(1, 4096, 8192) == ND_SUCCESS && b.receive(2, 4096, 16384) == ND_SUCCESS, "two Receives");
            open = b.open_window(0, 4096).descriptor;
            once = b.open_window(4096, 4096).descriptor;
            at_b = b.received(3);
            until_ms(b.os, 10);
            same = b.holds(8192, b.inline_bytes, 0x11) && b.holds(0, b.inline_bytes, 0x22) &&
                   b.holds(16384, b.inline_bytes, 0x33);
        }});
    CHECK(limit > 0);
    CHECK(at_a == Nd1Ends{{1, ND_SUCCESS}, {2, ND_SUCCESS}, {3, ND_SUCCESS}});
    CHECK(at_b == Nd1Ends{{1, ND_SUCCESS}, {kInvalidated, ND_SUCCESS}, {2, ND_SUCCESS}});
    CHECK(sent == std::vector<SIZE_T>(3, limit));
    CHECK(same);
}

TEST_CASE("nd1: pieces with a handle and without may be mixed, up to the limit of both", "[R6][R144]") {
    std::vector<HRESULT> codes;
    Nd1Ends at_b;
    bool same = false;
    run_nd1_pair({.program =
                      [&](Nd1Party& a) {
                          std::vector<unsigned char> data(20, 0x44);
                          a.fill(0, 10, 0x55);
                          const std::array<ND_SGE, 3> list{unregistered(data), a.piece(10), unregistered(data)};
                          codes = {a.endpoint->Send(a.block(1), list.data(), 2, 0),
                                   a.endpoint->Send(a.block(2), list.data(), 3, 0)};
                          expect(a.ended() == Nd1Ends{{1, ND_SUCCESS}}, "it succeeds");
                      }},
                 {.program = [&](Nd1Party& b) {
                     expect(b.receive(1, 64, 4096) == ND_SUCCESS, "a Receive");
                     at_b = b.received();
                     same = b.blocks[1].BytesTransferred == 30 && b.holds(4096, 20, 0x44) && b.holds(4116, 10, 0x55);
                 }});
    CHECK(codes == std::vector<HRESULT>{ND_SUCCESS, ND_DATA_OVERRUN});  // pieces count, inline or not
    CHECK(at_b == Nd1Ends{{1, ND_SUCCESS}});
    CHECK(same);
}

TEST_CASE("nd1: batches change nothing", "[R58]") {
    Nd1Ends at_a;
    run_nd1_pair({.program =
                      [&](Nd1Party& a) {
                          a.endpoint->StartRequestBatch();
                          expect(a.send(1, 8) == ND_SUCCESS && a.send(2, 8) == ND_SUCCESS, "two Sends");
                          a.endpoint->SubmitRequestBatch();
                          at_a = a.ended(2);
                      }},
                 {.before = [](Nd1Party& b) {
                     expect(b.receive(1, 64) == ND_SUCCESS && b.receive(2, 64) == ND_SUCCESS, "two Receives");
                 }});
    CHECK(at_a == Nd1Ends{{1, ND_SUCCESS}, {2, ND_SUCCESS}});
}

// A's sink is overwritten by nothing, B's Receive is left for a Send.
TEST_CASE("nd1: a Read or Write of nothing succeeds, moves nothing and takes no Receive", "[R20][R32][R119][R120]") {
    ND_MW_DESCRIPTOR open{};
    Nd1Ends at_a;
    Nd1Ends at_b;
    std::vector<SIZE_T> sent;
    bool a_unchanged = false;
    bool b_unchanged = false;
    run_nd1_pair({.program =
                      [&](Nd1Party& a) {
                          expect(a.endpoint->Read(a.block(1), nullptr, 0, &open, 0, 0) == ND_SUCCESS, "a Read");
                          expect(a.endpoint->Write(a.block(2), nullptr, 0, &open, 0, 0) == ND_SUCCESS, "a Write");
                          at_a = a.ended(2);
                          sent = {a.blocks[1].BytesTransferred, a.blocks[2].BytesTransferred};
                          until_ms(a.os, 6);
                          expect(a.send(3, 8) == ND_SUCCESS, "a Send");
                          a_unchanged = a.holds(0, a.buffer.size(), 0);
                      }},
                 {.program = [&](Nd1Party& b) {
                     b.fill(0, 4096, 0x77);
                     expect(b.receive(1, 64, 8192) == ND_SUCCESS, "a Receive");
                     open = b.open_window(0, 4096).descriptor;
                     until_ms(b.os, 5);
                     expect(b.poll(*b.inbound).empty(), "nothing was received");
                     at_b = b.received();
                     b_unchanged = b.holds(0, 4096, 0x77);
                 }});
    CHECK(at_a == Nd1Ends{{1, ND_SUCCESS}, {2, ND_SUCCESS}});
    CHECK(sent == std::vector<SIZE_T>{0, 0});
    CHECK(at_b == Nd1Ends{{1, ND_SUCCESS}});
    CHECK(a_unchanged);
    CHECK(b_unchanged);
}

TEST_CASE("nd1: a Read of nothing fails if the peer has gone", "[R119]") {
    ND_MW_DESCRIPTOR open{};
    Nd1Ends at_a;
    run_nd1_pair({.program =
                      [&](Nd1Party& a) {
                          Nd1Call call(a.os);
                          expect(a.connector->NotifyDisconnect(&call.overlapped) == ND_PENDING, "B is there");
                          expect(call.end(*a.connector) == ND_SUCCESS, "B has gone");
                          expect(a.endpoint->Read(a.block(1), nullptr, 0, &open, 0, 0) == ND_SUCCESS, "a Read");
                          at_a = a.ended();
                      }},
                 {.program = [&](Nd1Party& b) {
                     open = b.open_window(0, 4096).descriptor;
                     until_ms(b.os, 6);
                     b.endpoint.reset();
                 }});
    CHECK(at_a == Nd1Ends{{1, ND_CANCELED}});
}

}  // namespace ndsim::test::nd1_inline_test
