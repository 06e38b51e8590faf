// SPDX-License-Identifier: Apache-2.0
#include "tests/ndapi/ndspi/nd2_calls.hpp"

namespace ndsim::test::nd2_receive_test {

const std::vector<std::string> kInfiniband{"profile=infiniband"};

// A sends a message that is one byte longer than B's Receive, and a short one behind it, for which B has a Receive,
// too. A also has a Receive posted.
void send_too_much(ULONG receive_length, HRESULT receive_status, HRESULT send_status,
                   const std::vector<std::string>& overrides = {}) {
    Endings at_a;
    Endings at_b;
    bool kept_out = false;
    run_nd2_pair({.program =
                      [&](Nd2Party& a, const Nd2Place&) {
                          std::memset(a.buffer.data(), 0x5A, 4096);
                          expect(a.receive(64, context(1), 8192) == ND_SUCCESS, "A could receive");
                          expect(a.send(receive_length + 1, 0, context(2)) == ND_SUCCESS, "too much is sent");
                          expect(a.send(0, 0, context(3)) == ND_SUCCESS, "and something short");
                          at_a = next(a, 3);
                          a.os.sleep(2);
                          expect(poll(a).empty(), "each request has one result");
                      }},
                 {.program =
                      [&](Nd2Party& b, const Nd2Place&) {
                          const ND2_SGE sge = b.piece(receive_length, 4096);
                          expect(b.qp->Receive(context(4), &sge, receive_length == 0 ? 0 : 1) == ND_SUCCESS,
                                 "it is too short");
                          expect(b.receive(4096, context(5), 8192) == ND_SUCCESS, "it would be long enough");
                          at_b = next(b, 2);
                          kept_out = holds(b, 4096 + receive_length, 8192 - receive_length, 0);
                          b.os.sleep(2);
                          expect(poll(b).empty(), "each request has one result");
                      }},
                 overrides);
    CHECK(initiated(at_a) == Endings{{kSend, send_status, 2}, {kSend, ND_CANCELED, 3}});
    CHECK(received(at_a) == Endings{{kReceive, ND_CANCELED, 1}});
    CHECK(at_b == Endings{{kReceive, receive_status, 4}, {kReceive, ND_CANCELED, 5}});
    CHECK(kept_out);
}

// A sends without a Receive at B. Returns how long that took, in nanoseconds.
std::uint64_t send_without_receive(const std::vector<std::string>& overrides) {
    Endings at_a;
    Endings at_b{{}};
    HRESULT b_is_told = ND_PENDING;
    std::uint64_t took = 0;
    run_nd2_pair({.program =
                      [&](Nd2Party& a, const Nd2Place&) {
                          const std::uint64_t begun = a.os.nanoseconds();
                          expect(a.send(64, 0, context(1)) == ND_SUCCESS && a.send(64, 0, context(2)) == ND_SUCCESS,
                                 "two Sends are posted");
                          at_a = next(a);
                          took = a.os.nanoseconds() - begun;
                          at_a.push_back(next(a).front());
                      }},
                 {.program =
                      [&](Nd2Party& b, const Nd2Place&) {
                          Nd2Call ends(b.os);
                          expect(b.connector->NotifyDisconnect(&ends.overlapped) == ND_PENDING, "it is connected");
                          b_is_told = ends.end(*b.connector.get());
                          b.os.sleep(1);
                          at_b = poll(b);
                      }},
                 overrides);
    CHECK(at_a == Endings{{kSend, ND_IO_TIMEOUT, 1}, {kSend, ND_CANCELED, 2}});
    CHECK(at_b.empty());
    CHECK(b_is_told == ND_SUCCESS);
    return took;
}

// Both sides post before anybody listens, and B has two Receives, which are taken in order.
TEST_CASE("nd2: a Receive posted before there is a connection takes its first message", "[R3][R19][R20]") {
    Endings at_a;
    Endings at_b;
    run_nd2(
        [&](Nd2Party& a) {
            expect(a.receive(64, context(1)) == ND_SUCCESS, "A posts");
            a.be_active("B");
            expect(a.send(64, 0, context(2)) == ND_SUCCESS, "A sends");
            at_a = next(a, 2);
            until_ms(a.os, 10);
        },
        [&](Nd2Party& b) {
            expect(b.receive(64, context(3)) == ND_SUCCESS && b.receive(64, context(4)) == ND_SUCCESS, "B posts");
            b.be_passive();
            at_b = next(b);
            expect(b.send(64, 0, context(5)) == ND_SUCCESS, "B sends");
            at_b.push_back(next(b).front());
            expect(poll(b).empty(), "its second Receive is left");
            until_ms(b.os, 10);
        });
    CHECK(initiated(at_a) == Endings{{kSend, ND_SUCCESS, 2}});
    CHECK(received(at_a) == Endings{{kReceive, ND_SUCCESS, 1}});
    CHECK(at_b == Endings{{kReceive, ND_SUCCESS, 3}, {kSend, ND_SUCCESS, 5}});
}

TEST_CASE("nd2: Reads, Writes, Binds and Invalidates of the peer take no Receive", "[R20][R59][R120]") {
    Endings at_a;
    Endings before;
    Endings at_b;
    run_nd2_pair(
        {.program =
             [&](Nd2Party& a, const Nd2Place& b) {
                 Ref<IND2MemoryWindow> window;
                 make_window(a, window);
                 expect(a.write(64, b) == ND_SUCCESS && a.read(64, b) == ND_SUCCESS, "a Write and a Read");
                 expect(a.qp->Write(nullptr, nullptr, 0, b.address, b.token, 0) == ND_SUCCESS, "0 bytes");
                 expect(a.qp->Bind(nullptr, a.region.get(), window.get(), a.buffer.data(), 64, ND_OP_FLAG_ALLOW_READ) ==
                                ND_SUCCESS &&
                            a.qp->Invalidate(nullptr, window.get(), 0) == ND_SUCCESS,
                        "a window comes and goes");
                 at_a = next(a, 5);
                 until_ms(a.os, 8);
                 expect(a.send(64) == ND_SUCCESS && a.send(64) == ND_SUCCESS, "two Sends");
                 next(a, 2);
             }},
        {.rights = kRemoteRights, .program = [&](Nd2Party& b, const Nd2Place&) {
             expect(b.receive(64, context(1)) == ND_SUCCESS && b.receive(64, context(2)) == ND_SUCCESS, "two Receives");
             until_ms(b.os, 6);
             before = poll(b);
             at_b = next(b, 2);
         }});
    CHECK(std::all_of(at_a.begin(), at_a.end(), [](const Ended& each) { return each.status == ND_SUCCESS; }));
    CHECK(before.empty());
    CHECK(at_b == Endings{{kReceive, ND_SUCCESS, 1}, {kReceive, ND_SUCCESS, 2}});
}

TEST_CASE("nd2: a message of no bytes takes a Receive, of whatever size", "[R27][R28]") {
    Endings at_a;
    std::vector<ND2_RESULT> at_b;
    run_nd2_pair({.program =
                      [&](Nd2Party& a, const Nd2Place&) {
                          expect(a.qp->Send(context(1), nullptr, 0, 0) == ND_SUCCESS, "no list");
                          expect(a.qp->Send(context(2), nullptr, 0, 0) == ND_SUCCESS, "no list again");
                          at_a = next(a, 2);
                      }},
                 {.program = [&](Nd2Party& b, const Nd2Place&) {
                     expect(b.receive(64, context(3)) == ND_SUCCESS, "a Receive of 64 bytes");
                     expect(b.qp->Receive(context(4), nullptr, 0) == ND_SUCCESS, "a Receive without a list");
                     at_b.push_back(b.next());
                     at_b.push_back(b.next());
                 }});
    CHECK(at_a == Endings{{kSend, ND_SUCCESS, 1}, {kSend, ND_SUCCESS, 2}});
    REQUIRE(at_b.size() == 2);
    CHECK(ended(at_b[0]) == Ended{kReceive, ND_SUCCESS, 3});
    CHECK(at_b[0].BytesTransferred == 0);
    CHECK(ended(at_b[1]) == Ended{kReceive, ND_SUCCESS, 4});
    CHECK(at_b[1].BytesTransferred == 0);
}

TEST_CASE("nd2: a message longer than its Receive ends the connection", "[R22][R23][R104]") {
    send_too_much(64, ND_BUFFER_OVERFLOW, ND_REMOTE_ERROR);
}

TEST_CASE("nd2: a message longer than its Receive, by InfiniBand's codes", "[R22][R23][B19]") {
    send_too_much(64, ND_DATA_OVERRUN, STATUS_DATA_ERROR, kInfiniband);
}

TEST_CASE("nd2: one byte is too long for a Receive of none", "[R28]") {
    send_too_much(0, ND_BUFFER_OVERFLOW, ND_REMOTE_ERROR);
}

TEST_CASE("nd2: one byte is too long for a Receive of none, by InfiniBand's codes", "[R28]") {
    send_too_much(0, ND_DATA_OVERRUN, STATUS_DATA_ERROR, kInfiniband);
}

// Without retries the answer takes microseconds.
TEST_CASE("nd2: a Send that finds no Receive times out at once", "[R24]") {
    CHECK(send_without_receive({}) < 1'000'000);
}

// Six times the sender is told to wait for 0.64 ms (RNR timer 12), and comes again.
TEST_CASE("nd2: in InfiniBand a Send that finds no Receive times out after its retries", "[R24][B20]") {
    const std::uint64_t took = send_without_receive(kInfiniband);
    CHECK(took >= 6 * 640'000);
    CHECK(took < 10'000'000);
}

// A sends within the fourth millisecond, B receives within the sixth: 1 to 3 ms later, of the 3.84 that A has.
TEST_CASE("nd2: a Receive that comes during the retries lets the Send succeed", "[R25]") {
    Endings at_a;
    Endings at_b;
    std::uint64_t took = 0;
    run_nd2_pair({.program =
                      [&](Nd2Party& a, const Nd2Place&) {
                          const std::uint64_t begun = a.os.nanoseconds();
                          expect(a.send(64, 0, context(1)) == ND_SUCCESS, "a Send");
                          at_a = next(a);
                          took = a.os.nanoseconds() - begun;
                      }},
                 {.program =
                      [&](Nd2Party& b, const Nd2Place&) {
                          until_ms(b.os, 5);
                          expect(b.receive(64, context(2)) == ND_SUCCESS, "a late Receive");
                          at_b = next(b);
                      }},
                 kInfiniband);
    CHECK(at_a == Endings{{kSend, ND_SUCCESS, 1}});
    CHECK(at_b == Endings{{kReceive, ND_SUCCESS, 2}});
    CHECK(took >= 1'000'000);
}

}  // namespace ndsim::test::nd2_receive_test
