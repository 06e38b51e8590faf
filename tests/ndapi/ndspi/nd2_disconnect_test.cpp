// SPDX-License-Identifier: Apache-2.0
#include "tests/ndapi/ndspi/nd2_calls.hpp"

namespace ndsim::test::nd2_disconnect_test {

constexpr ULONG kHalf = 512U << 10U;

// A Notify for the end of a party's connection.
void ask_for_end(Nd2Party& party, Nd2Call& call) {
    expect(party.connector->NotifyDisconnect(&call.overlapped) == ND_PENDING, "it is connected");
}

// A's Read of 512 KiB takes 42 us at 100 Gbps, so it is under way when A disconnects. B looks before it disconnects,
// too.
TEST_CASE("nd2: a disconnect cancels what is posted here, and tells the peer and cancels its Receives",
          "[R96][R97][R98][B17]") {
    Endings at_a;
    Endings at_b;
    HRESULT a_disconnects = ND_PENDING;
    HRESULT b_is_told = ND_PENDING;
    HRESULT b_disconnects = ND_PENDING;
    run_nd2_pair({.program =
                      [&](Nd2Party& a, const Nd2Place& b) {
                          expect(a.receive(64, context(1)) == ND_SUCCESS && a.receive(64, context(2)) == ND_SUCCESS,
                                 "two Receives");
                          expect(a.read(kHalf, b, 0, context(3)) == ND_SUCCESS &&
                                     a.write(64, b, ND_OP_FLAG_READ_FENCE, context(4)) == ND_SUCCESS,
                                 "a long Read, and a Write that waits for it");
                          a_disconnects = a.disconnect();
                          at_a = next(a, 4);
                      }},
                 {.rights = kRemoteRights, .program = [&](Nd2Party& b, const Nd2Place&) {
                      Nd2Call ends(b.os);
                      ask_for_end(b, ends);
                      expect(b.receive(64, context(5)) == ND_SUCCESS && b.receive(64, context(6)) == ND_SUCCESS,
                             "two Receives");
                      b_is_told = ends.end(*b.connector.get());
                      at_b = next(b, 2);
                      b_disconnects = b.disconnect();
                  }});
    CHECK(a_disconnects == ND_SUCCESS);
    CHECK(received(at_a) == Endings{{kReceive, ND_CANCELED, 1}, {kReceive, ND_CANCELED, 2}});
    CHECK(initiated(at_a) == Endings{{kRead, ND_CANCELED, 3}, {kWrite, ND_CANCELED, 4}});
    CHECK(b_is_told == ND_SUCCESS);
    CHECK(at_b == Endings{{kReceive, ND_CANCELED, 5}, {kReceive, ND_CANCELED, 6}});
    CHECK(b_disconnects == ND_SUCCESS);
}

TEST_CASE("nd2: with flush_on_peer_disconnect never, Receives stay until their own side disconnects", "[R98]") {
    Endings before{{}};
    Endings after;
    run_nd2_pair({.program = [](Nd2Party& a, const Nd2Place&) { expect(a.disconnect() == ND_SUCCESS, "over"); }},
                 {.program =
                      [&](Nd2Party& b, const Nd2Place&) {
                          Nd2Call ends(b.os);
                          ask_for_end(b, ends);
                          expect(b.receive(64, context(1)) == ND_SUCCESS, "a Receive");
                          expect(ends.end(*b.connector.get()) == ND_SUCCESS, "it is told");
                          b.os.sleep(2);
                          before = poll(b);
                          expect(b.disconnect() == ND_SUCCESS, "B disconnects, too");
                          after = next(b);
                      }},
                 {"adapter.flush_on_peer_disconnect=never"});
    CHECK(before.empty());
    CHECK(after == Endings{{kReceive, ND_CANCELED, 1}});
}

// When the disconnect has completed A fills its memory with other bytes. B must not get any of them, and A's Read must
// not put anything over them.
TEST_CASE("nd2: a disconnect completes when all DMA has ended, that of silent requests, too", "[R99]") {
    bool sink_left_alone = false;
    bool old_bytes_only = false;
    run_nd2_pair({.program =
                      [&](Nd2Party& a, const Nd2Place& b) {
                          std::memset(a.buffer.data(), 0x5A, kHalf);
                          const ND2_SGE sink = a.piece(kHalf, kHalf);
                          expect(a.qp->Read(nullptr, &sink, 1, b.address + kHalf, b.token, ND_OP_FLAG_SILENT_SUCCESS) ==
                                     ND_SUCCESS,
                                 "a silent Read");
                          expect(a.write(kHalf, b, ND_OP_FLAG_SILENT_SUCCESS) == ND_SUCCESS, "a silent Write");
                          expect(a.disconnect() == ND_SUCCESS, "a disconnect");
                          std::memset(a.buffer.data(), 0xEE, a.buffer.size());
                          a.os.sleep(2);
                          sink_left_alone = holds(a, kHalf, kHalf, 0xEE);
                      }},
                 {.rights = kRemoteRights, .program = [&](Nd2Party& b, const Nd2Place&) {
                      std::memset(b.buffer.data() + kHalf, 0x77, kHalf);
                      Nd2Call ends(b.os);
                      ask_for_end(b, ends);
                      expect(ends.end(*b.connector.get()) == ND_SUCCESS && b.disconnect() == ND_SUCCESS, "it is over");
                      until_ms(b.os, 12);
                      old_bytes_only = std::find(b.buffer.begin(), b.buffer.end(), std::byte{0xEE}) == b.buffer.end();
                  }});
    CHECK(sink_left_alone);
    CHECK(old_bytes_only);
}

TEST_CASE("nd2: releasing a connected queue pair ends its connection", "[R102][R97]") {
    Endings at_a;
    Endings at_b;
    std::vector<HRESULT> a_is_told;
    HRESULT b_is_told = ND_PENDING;
    run_nd2_pair({.program =
                      [&](Nd2Party& a, const Nd2Place&) {
                          Nd2Call before(a.os);
                          Nd2Call after(a.os);
                          ask_for_end(a, before);
                          expect(a.receive(64, context(1)) == ND_SUCCESS && a.receive(64, context(2)) == ND_SUCCESS,
                                 "two Receives");
                          a.qp.reset();
                          a_is_told.push_back(before.end(*a.connector.get()));
                          ask_for_end(a, after);
                          a_is_told.push_back(after.end(*a.connector.get()));
                          a.os.sleep(1);
                          at_a = poll(a);
                      }},
                 {.program = [&](Nd2Party& b, const Nd2Place&) {
                     Nd2Call ends(b.os);
                     ask_for_end(b, ends);
                     expect(b.receive(64, context(3)) == ND_SUCCESS, "a Receive");
                     b_is_told = ends.end(*b.connector.get());
                     at_b = next(b);
                 }});
    CHECK(at_a == Endings{{kReceive, ND_CANCELED, 1}, {kReceive, ND_CANCELED, 2}});
    CHECK(a_is_told == std::vector<HRESULT>(2, ND_SUCCESS));  // the connector is still there
    CHECK(b_is_told == ND_SUCCESS);
    CHECK(at_b == Endings{{kReceive, ND_CANCELED, 3}});
}

// The codes are open; a Connect that were taken would pend.
TEST_CASE("nd2: after a disconnect neither its connector nor its queue pair can connect again", "[R103]") {
    HRESULT old_connector = ND_PENDING;
    HRESULT old_qp = ND_PENDING;
    run_nd2_pair({.program =
                      [&](Nd2Party& a, const Nd2Place&) {
                          expect(a.disconnect() == ND_SUCCESS, "a disconnect");
                          Nd2Link fresh(a);
                          Nd2Call call(a.os);
                          Nd2Call other_call(a.os);
                          const sockaddr_in to = a.address("B", 5000);
                          const auto connect = [&](IND2Connector& connector, IND2QueuePair& qp, Nd2Call& with) {
                              return connector.Connect(&qp, reinterpret_cast<const sockaddr*>(&to), sizeof to, 1, 1,
                                                       nullptr, 0, &with.overlapped);
                          };
                          old_connector = connect(*a.connector.get(), *fresh.qp.get(), call);
                          old_qp = connect(*fresh.connector.get(), *a.qp.get(), other_call);
                      }},
                 {.program = [](Nd2Party& b, const Nd2Place&) {
                     Nd2Call ends(b.os);
                     ask_for_end(b, ends);
                     expect(ends.end(*b.connector.get()) == ND_SUCCESS && b.disconnect() == ND_SUCCESS, "it is over");
                 }});
    CHECK(FAILED(old_connector));
    CHECK(FAILED(old_qp));
}

TEST_CASE("nd2: an error of one queue pair does not disturb another one of its CQ", "[R104][R105]") {
    Endings at_a;
    HRESULT b_is_told = ND_PENDING;
    HRESULT other_is_up = ND_SUCCESS;
    run_nd2_pair({.program =
                      [&](Nd2Party& a, const Nd2Place& b) {
                          Nd2Link link(a);
                          link.be_active("B");
                          expect(a.receive(64, context(1)) == ND_SUCCESS, "a Receive");
                          expect(a.write(64, {b.address, ~b.token}, 0, context(2)) == ND_SUCCESS, "a bad Write");
                          at_a = next(a, 2);
                          expect(a.send(64, 0, context(3)) == ND_SUCCESS, "what is posted later is cancelled, too");
                          at_a.push_back(next(a).front());
                          until_ms(a.os, 8);
                          expect(link.send(64, 4) == ND_SUCCESS, "a Send of the other one");
                          at_a.push_back(next(a).front());
                          until_ms(a.os, 14);
                      }},
                 {.rights = kRemoteRights, .program = [&](Nd2Party& b, const Nd2Place&) {
                      Nd2Call ends(b.os);
                      ask_for_end(b, ends);
                      Nd2Link link(b);
                      expect(link.receive(64) == ND_SUCCESS, "a Receive of the other one");
                      link.be_passive();
                      b_is_told = ends.end(*b.connector.get());
                      Nd2Call other(b.os);
                      expect(link.connector->NotifyDisconnect(&other.overlapped) == ND_PENDING, "it is connected");
                      until_ms(b.os, 12);
                      other_is_up = other.now(*link.connector.get());
                      expect(link.connector->CancelOverlappedRequests() == ND_SUCCESS, "enough");
                      until_ms(b.os, 16);
                  }});
    CHECK(initiated(at_a) == Endings{{kWrite, ND_REMOTE_ERROR, 2}, {kSend, ND_CANCELED, 3}, {kSend, ND_SUCCESS, 4}});
    CHECK(received(at_a) == Endings{{kReceive, ND_CANCELED, 1}});
    CHECK(b_is_told == ND_SUCCESS);
    CHECK(other_is_up == ND_PENDING);
}

// A disconnected queue pair is without a connection (R1).
TEST_CASE("nd2: after a disconnect neither side can send", "[R106]") {
    HRESULT at_a = ND_PENDING;
    HRESULT at_b = ND_PENDING;
    run_nd2_pair({.program =
                      [&](Nd2Party& a, const Nd2Place&) {
                          expect(a.disconnect() == ND_SUCCESS, "a disconnect");
                          at_a = a.send(64);
                      }},
                 {.program = [&](Nd2Party& b, const Nd2Place&) {
                     Nd2Call ends(b.os);
                     ask_for_end(b, ends);
                     expect(ends.end(*b.connector.get()) == ND_SUCCESS && b.disconnect() == ND_SUCCESS, "it is over");
                     at_b = b.send(64);
                 }});
    CHECK(at_a == ND_CONNECTION_INVALID);
    CHECK(at_b == ND_CONNECTION_INVALID);
}

// A message ends at both sides within about a microsecond, and a disconnect takes longer than that to reach the peer.
TEST_CASE("nd2: a disconnect from both sides at once completes at both", "[R107]") {
    HRESULT at_a = ND_PENDING;
    HRESULT at_b = ND_PENDING;
    run_nd2_pair({.program =
                      [&](Nd2Party& a, const Nd2Place&) {
                          expect(a.send(64) == ND_SUCCESS && a.next().Status == ND_SUCCESS, "a Send");
                          at_a = a.disconnect();
                      }},
                 {.program = [&](Nd2Party& b, const Nd2Place&) {
                     expect(b.receive(64) == ND_SUCCESS && b.next().Status == ND_SUCCESS, "a Receive");
                     at_b = b.disconnect();
                 }});
    CHECK(at_a == ND_SUCCESS);
    CHECK(at_b == ND_SUCCESS);
}

TEST_CASE("nd2: the end of a connection can still be asked for while this side disconnects", "[R100][R107]") {
    std::vector<HRESULT> ends;
    run_nd2_pair({.program =
                      [&](Nd2Party& a, const Nd2Place&) {
                          Nd2Call leaving(a.os);
                          Nd2Call told(a.os);
                          expect(a.connector->Disconnect(&leaving.overlapped) == ND_PENDING, "a Disconnect");
                          ask_for_end(a, told);
                          ends = {leaving.end(*a.connector.get()), told.end(*a.connector.get())};
                      }},
                 {.program = [](Nd2Party& b, const Nd2Place&) {
                     b.os.sleep(1);
                     expect(b.disconnect() == ND_SUCCESS, "so does B");
                 }});
    CHECK(ends == std::vector<HRESULT>{ND_SUCCESS, ND_SUCCESS});
}

// A's message leaves 50 us after the call of CompleteConnect, which ends 50 us later. B disconnects in between.
TEST_CASE("nd2: a disconnect of the peer during CompleteConnect cancels the Receives when that ends", "[R98]") {
    Endings at_a;
    HRESULT b_disconnects = ND_PENDING;
    run_nd2(
        [&](Nd2Party& a) {
            expect(a.receive(64, context(1)) == ND_SUCCESS, "a Receive");
            a.be_active("B");
            a.os.sleep(1);
            at_a = poll(a);
            expect(a.disconnect() == ND_SUCCESS, "A disconnects, too");
        },
        [&](Nd2Party& b) {
            b.be_passive();
            b_disconnects = b.disconnect();
        },
        {"hosts.A.nic.command_latency=100 us", "hosts.B.nic.command_latency=1 us"});
    CHECK(at_a == Endings{{kReceive, ND_CANCELED, 1}});
    CHECK(b_disconnects == ND_SUCCESS);
}

}  // namespace ndsim::test::nd2_disconnect_test
