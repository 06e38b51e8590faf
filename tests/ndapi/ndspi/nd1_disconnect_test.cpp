// SPDX-License-Identifier: Apache-2.0
#include "tests/ndapi/ndspi/nd1_pair.hpp"

// Flush, and the ends of connections.

namespace ndsim::test::nd1_disconnect_test {

void post_receives(Nd1Party& party, std::size_t first, std::size_t last) {
    for (std::size_t number = first; number <= last; ++number) {
        expect(party.receive(number, 64) == ND_SUCCESS, "a Receive");
    }
}

Nd1Ends cancelled(std::size_t first, std::size_t last) {
    Nd1Ends ends;
    for (std::size_t number = first; number <= last; ++number) {
        ends.push_back({number, ND_CANCELED});
    }
    return ends;
}

// Pends until the connection ends.
struct Ending : Nd1Call {
    explicit Ending(Nd1Party& party) : Nd1Call(party.os), connector(*party.connector) {
        expect(connector.NotifyDisconnect(&overlapped) == ND_PENDING, "it is connected");
    }
    HRESULT status() { return now(connector); }
    HRESULT wait() { return end(connector); }

    INDConnector& connector;
};

// B when A leaves: it has two Receives, sees what becomes of them, and leaves, too.
struct Left {
    HRESULT told = ND_PENDING;
    Nd1Ends before;  // it disconnects
    Nd1Ends after;
    HRESULT outcome = ND_PENDING;
};
Nd1Side leaving_second(Left& left) {
    return {.program = [&left](Nd1Party& b) {
        post_receives(b, 1, 2);
        Ending ending(b);
        left.told = ending.wait();
        b.os.sleep(1);
        left.before = b.poll(*b.inbound);
        left.outcome = b.disconnect();
        b.os.sleep(1);
        left.after = b.poll(*b.inbound);
    }};
}

// Half a MiB takes 42 us; the Flush comes at once.
TEST_CASE("nd1: Flush cancels what is outstanding in both directions", "[R58][R59][R92]") {
    ND_MW_DESCRIPTOR open{};
    HRESULT code = ND_PENDING;
    Nd1Ends inbound;
    Nd1Ends outbound;
    run_nd1_pair({.program =
                      [&](Nd1Party& a) {
                          post_receives(a, 1, 3);
                          expect(a.read(4, 512 * 1024, open) == ND_SUCCESS && a.write(5, 64, open) == ND_SUCCESS &&
                                     a.read(6, 64, open) == ND_SUCCESS,
                                 "a long Read, and what must wait for it or its result");
                          code = a.endpoint->Flush();
                          inbound = a.received(3);
                          outbound = a.ended(3);
                      }},
                 {.program = [&](Nd1Party& b) {
                     open = b.open_window(0, 512 * 1024).descriptor;
                     until_ms(b.os, 10);
                 }});
    CHECK(code == ND_SUCCESS);
    CHECK(inbound == cancelled(1, 3));
    CHECK(outbound == cancelled(4, 6));
}

TEST_CASE("nd1: Flush works without a connection, and one notification tells of all Receives", "[R94]") {
    HRESULT status = ND_PENDING;
    Nd1Ends results;
    run_programs(
        [&](Nd1Party& a) {
            a.need_endpoint();
            post_receives(a, 1, 2);
            Nd1Call call(a.os);
            expect(a.inbound->Notify(ND_CQ_NOTIFY_ANY, &call.overlapped) == ND_PENDING, "a Notify");
            expect(a.endpoint->Flush() == ND_SUCCESS, "a Flush");
            status = call.end(*a.inbound);
            results = a.received(2);
        },
        idle);
    CHECK(status == ND_SUCCESS);
    CHECK(results == cancelled(1, 2));
}

TEST_CASE("nd1: what is posted after a Flush is taken and cancelled", "[R95]") {
    Codes codes;
    Nd1Ends inbound;
    Nd1Ends outbound;
    run_nd1_pair({.program =
                      [&](Nd1Party& a) {
                          expect(a.endpoint->Flush() == ND_SUCCESS, "a Flush");
                          codes = {a.receive(1, 64), a.send(2, 64)};
                          a.os.sleep(1);
                          codes.push_back(a.receive(3, 64));
                          codes.push_back(a.send(4, 64));
                          inbound = a.received(2);
                          outbound = a.ended(2);
                      }},
                 {.before = [](Nd1Party& b) { post_receives(b, 1, 2); }});
    CHECK(codes == Codes(4, ND_SUCCESS));
    CHECK(inbound == Nd1Ends{{1, ND_CANCELED}, {3, ND_CANCELED}});
    CHECK(outbound == Nd1Ends{{2, ND_CANCELED}, {4, ND_CANCELED}});
}

TEST_CASE("nd1: a Disconnect cancels the requests of both sides at once, and neither can send then",
          "[R96][R97][R98][R103][R106]") {
    Left left;
    HRESULT outcome = ND_PENDING;
    Nd1Ends inbound;
    Codes sends;
    HRESULT again = ND_SUCCESS;
    Nd1Side b = leaving_second(left);
    b.program = [&sends, then = b.program](Nd1Party& party) {
        then(party);
        sends.push_back(party.send(9, 8));
    };
    run_nd1_pair({.program =
                      [&](Nd1Party& a) {
                          post_receives(a, 1, 2);
                          outcome = a.disconnect();
                          inbound = a.received(2);
                          sends.push_back(a.send(9, 8));
                          again = a.connect("B");
                      }},
                 b);
    CHECK(outcome == ND_SUCCESS);
    CHECK(inbound == cancelled(1, 2));
    CHECK(left.told == ND_SUCCESS);
    CHECK(left.before == cancelled(1, 2));
    CHECK(left.outcome == ND_SUCCESS);
    CHECK(left.after.empty());
    CHECK(sends == Codes(2, ND_CONNECTION_INVALID));
    CHECK(FAILED(again));
}

TEST_CASE("nd1: where a peer's disconnect does not flush, one's own does", "[R96][R97][R98]") {
    Left left;
    run_nd1_pair({.program = [](Nd1Party& a) { expect(a.disconnect() == ND_SUCCESS, "A leaves"); }},
                 leaving_second(left), {"adapter.flush_on_peer_disconnect=never"});
    CHECK(left.told == ND_SUCCESS);
    CHECK(left.before.empty());
    CHECK(left.after == cancelled(1, 2));
}

// A overwrites what it has written from as soon as it is disconnected.
TEST_CASE("nd1: a Disconnect is over when nothing of the endpoint moves any more", "[R99]") {
    ND_MW_DESCRIPTOR open{};
    HRESULT outcome = ND_PENDING;
    bool clean = false;
    run_nd1_pair({.program =
                      [&](Nd1Party& a) {
                          a.fill(0, a.buffer.size(), 0x01);
                          expect(a.write(1, a.buffer.size(), open, ND_OP_FLAG_SILENT_SUCCESS) == ND_SUCCESS,
                                 "a silent Write of a MiB");
                          outcome = a.disconnect();
                          a.fill(0, a.buffer.size(), 0xFF);
                      }},
                 {.program = [&](Nd1Party& b) {
                     open = b.open_window(0, b.buffer.size()).descriptor;
                     Ending ending(b);
                     expect(ending.wait() == ND_SUCCESS && b.disconnect() == ND_SUCCESS, "B leaves, too");
                     until_ms(b.os, 10);
                     clean = std::ranges::find(b.buffer, std::byte{0xFF}) == b.buffer.end();
                 }});
    CHECK(outcome == ND_SUCCESS);
    CHECK(clean);
}

TEST_CASE("nd1: without a connection there is nothing to disconnect", "[R100]") {
    Codes codes;
    run_programs(
        [&](Nd1Party& a) {
            codes = {a.connector->Disconnect(&a.call.overlapped), a.connector->NotifyDisconnect(&a.call.overlapped)};
        },
        idle);
    CHECK(codes == Codes(2, ND_CONNECTION_INVALID));
}

TEST_CASE("nd1: a NotifyDisconnect can be cancelled, and the connection goes on", "[R101][R142]") {
    HRESULT status = ND_PENDING;
    Nd1Ends at_a;
    run_nd1_pair({.program =
                      [&](Nd1Party& a) {
                          Ending ending(a);
                          expect(a.connector->CancelOverlappedRequests() == ND_SUCCESS, "it is cancelled");
                          status = ending.status();
                          expect(a.send(1, 8) == ND_SUCCESS, "a Send");
                          at_a = a.ended();
                      }},
                 {.before = [](Nd1Party& b) { post_receives(b, 1, 1); }});
    CHECK(status == ND_CANCELED);
    CHECK(at_a == Nd1Ends{{1, ND_SUCCESS}});
}

TEST_CASE("nd1: releasing a connected endpoint ends the connection", "[R102]") {
    Nd1Ends at_a;
    Nd1Ends at_b;
    HRESULT told = ND_PENDING;
    run_nd1_pair({.program =
                      [&](Nd1Party& a) {
                          post_receives(a, 1, 2);
                          a.endpoint.reset();
                          at_a = a.received(2);
                      }},
                 {.program = [&](Nd1Party& b) {
                     post_receives(b, 1, 2);
                     Ending ending(b);
                     told = ending.wait();
                     at_b = b.received(2);
                 }});
    CHECK(at_a == cancelled(1, 2));
    CHECK(told == ND_SUCCESS);
    CHECK(at_b == cancelled(1, 2));
}

// Each side's word is under way when the other one says its own.
TEST_CASE("nd1: both sides may disconnect at once", "[R107]") {
    Codes outcomes;
    const auto leave = [&](Nd1Party& party) {
        until_ms(party.os, 5);
        outcomes.push_back(party.disconnect());
    };
    run_nd1_pair({.program = leave}, {.program = leave});
    CHECK(outcomes == Codes(2, ND_SUCCESS));
}

}  // namespace ndsim::test::nd1_disconnect_test
