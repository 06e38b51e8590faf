// SPDX-License-Identifier: Apache-2.0
#include "tests/ndapi/ndspi/nd2_calls.hpp"

// Connecting calls that are cancelled, or whose queue pair is released. Joining a queue pair to its peer takes 2 ms
// here, and datagrams take some microseconds: with a Connect at 1 ms, and a peer that waits for it, the passive side
// joins until 3 ms, and the active side, which then has the answer, until 5 ms.
namespace ndsim::test::nd2_cancel_connect_test {

const std::vector<std::string> kSlow{"nic.connect_latency=2 ms"};

void connect_at_1_ms(Nd2Party& a, Nd2Call& call) {
    until_ms(a.os, 1);
    const sockaddr_in to = a.address("B", 5000);
    expect(a.connector->Connect(a.qp.get(), reinterpret_cast<const sockaddr*>(&to), sizeof to, 1, 1, nullptr, 0,
                                &call.overlapped) == ND_PENDING,
           "a Connect");
}

// A cancels its Connect at `ms`, and connects the same queue pair again at 8 ms. Its Receive was posted before.
void connect_again_after(std::uint64_t ms, HRESULT of_b_accept) {
    HRESULT connected = ND_PENDING;
    HRESULT accepted = ND_PENDING;
    HRESULT again = ND_PENDING;
    Endings at_a;
    Endings before;
    run_nd2(
        [&](Nd2Party& a) {
            expect(a.receive(64, context(1)) == ND_SUCCESS, "a Receive");
            Nd2Call call(a.os);
            connect_at_1_ms(a, call);
            until_ms(a.os, ms);
            expect(call.now(*a.connector.get()) == ND_PENDING, "it takes longer");
            expect(a.connector->CancelOverlappedRequests() == ND_SUCCESS, "cancelled");
            connected = call.end(*a.connector.get());
            until_ms(a.os, 8);
            before = poll(a);
            a.make_connector(a.connector);
            again = a.connect("B");
            expect(a.complete() == ND_SUCCESS, "the second connect is completed");
            at_a = next(a);
        },
        [&](Nd2Party& b) {
            b.listen();
            expect(b.next_request(*b.connector.get()) == ND_SUCCESS, "a connect request");
            accepted = b.accept();
            Nd2Link link(b);
            link.be_passive();
            expect(link.send(64) == ND_SUCCESS && next(b).front().status == ND_SUCCESS, "a Send");
            until_ms(b.os, 20);
        },
        kSlow);
    CHECK(connected == ND_CANCELED);
    CHECK(accepted == of_b_accept);
    CHECK(before.empty());
    CHECK(again == ND_SUCCESS);
    CHECK(at_a == Endings{{kReceive, ND_SUCCESS, 1}});
}

TEST_CASE("nd2: a Connect cancelled before the peer has accepted leaves the queue pair as it was", "[R142]") {
    connect_again_after(2, ND_CONNECTION_ABORTED);
}

TEST_CASE("nd2: a Connect cancelled when the peer has accepted leaves the queue pair as it was", "[R126][R142]") {
    connect_again_after(4, ND_CONNECTION_ABORTED);
}

TEST_CASE("nd2: releasing the queue pair cancels its Connect when the peer has accepted, too", "[R147]") {
    HRESULT connected = ND_PENDING;
    HRESULT accepted = ND_PENDING;
    run_nd2(
        [&](Nd2Party& a) {
            Nd2Call call(a.os);
            connect_at_1_ms(a, call);
            until_ms(a.os, 4);
            expect(call.now(*a.connector.get()) == ND_PENDING, "it takes until 5 ms");
            a.qp.reset();
            connected = call.end(*a.connector.get());
            until_ms(a.os, 8);
        },
        [&](Nd2Party& b) {
            b.listen();
            expect(b.next_request(*b.connector.get()) == ND_SUCCESS, "a connect request");
            accepted = b.accept();
        },
        kSlow);
    CHECK(connected == ND_CANCELED);
    CHECK(accepted == ND_CONNECTION_ABORTED);
}

// Joining takes 4 ms: B joins until 5 ms and gives up at 6 ms; A joins until 9 ms, and calls `end` at 7 ms.
void end_when_given_up(const std::function<void(Nd2Party&)>& end, const std::function<void(Nd2Party&)>& then,
                       const std::function<void(Nd2Link&)>& b_then) {
    HRESULT connected = ND_PENDING;
    HRESULT accepted = ND_PENDING;
    run_nd2(
        [&](Nd2Party& a) {
            expect(a.receive(64, context(1)) == ND_SUCCESS, "a Receive");
            Nd2Call call(a.os);
            connect_at_1_ms(a, call);
            until_ms(a.os, 7);
            expect(call.now(*a.connector.get()) == ND_PENDING, "it takes until 9 ms");
            end(a);
            connected = call.end(*a.connector.get());
            expect(a.os.nanoseconds() < 8'000'000, "at once");
            then(a);
        },
        [&](Nd2Party& b) {
            b.listen();
            expect(b.next_request(*b.connector.get()) == ND_SUCCESS, "a connect request");
            Nd2Call call(b.os);
            expect(b.connector->Accept(b.qp.get(), 1, 1, nullptr, 0, &call.overlapped) == ND_PENDING, "an Accept");
            until_ms(b.os, 6);
            expect(b.connector->CancelOverlappedRequests() == ND_SUCCESS, "cancelled");
            accepted = call.end(*b.connector.get());
            Nd2Link link(b);
            b_then(link);
        },
        {"nic.connect_latency=4 ms"});
    CHECK(connected == ND_CANCELED);
    CHECK(accepted == ND_CANCELED);
}

TEST_CASE("nd2: a Connect cancelled when the peer has given up its Accept leaves the queue pair as it was", "[R142]") {
    Endings before;
    Endings at_a;
    end_when_given_up([](Nd2Party& a) { expect(a.connector->CancelOverlappedRequests() == ND_SUCCESS, "cancelled"); },
                      [&](Nd2Party& a) {
                          until_ms(a.os, 10);
                          before = poll(a);
                          a.make_connector(a.connector);
                          expect(a.connect("B") == ND_SUCCESS && a.complete() == ND_SUCCESS, "connected again");
                          at_a = next(a);
                      },
                      [](Nd2Link& b) {
                          b.be_passive();
                          expect(b.send(64) == ND_SUCCESS && next(b.party).front().status == ND_SUCCESS, "a Send");
                      });
    CHECK(before.empty());
    CHECK(at_a == Endings{{kReceive, ND_SUCCESS, 1}});
}

TEST_CASE("nd2: releasing the queue pair cancels its Connect when the peer has given up, too", "[R147]") {
    end_when_given_up([](Nd2Party& a) { a.qp.reset(); }, [](Nd2Party& a) { until_ms(a.os, 10); }, [](Nd2Link&) {});
}

// B's Accept pends from 1 ms on, has B's queue pair joined at 3 ms, and waits for A, which would complete at 8 ms.
void cancel_accept_at(std::uint64_t ms, const std::vector<HRESULT>& of_a) {
    HRESULT accepted = ND_PENDING;
    std::vector<HRESULT> at_a;
    Endings at_b;
    run_nd2(
        [&](Nd2Party& a) {
            Nd2Call call(a.os);
            connect_at_1_ms(a, call);
            at_a.push_back(call.end(*a.connector.get()));
            until_ms(a.os, 8);
            if (at_a.front() == ND_SUCCESS) {
                at_a.push_back(a.complete());
            }
        },
        [&](Nd2Party& b) {
            expect(b.receive(64, context(1)) == ND_SUCCESS, "a Receive");
            b.listen();
            expect(b.next_request(*b.connector.get()) == ND_SUCCESS, "a connect request");
            Nd2Call call(b.os);
            expect(b.connector->Accept(b.qp.get(), 1, 1, nullptr, 0, &call.overlapped) == ND_PENDING, "an Accept");
            until_ms(b.os, ms);
            expect(b.connector->CancelOverlappedRequests() == ND_SUCCESS, "cancelled");
            accepted = call.end(*b.connector.get());
            at_b = next(b);
            until_ms(b.os, 10);
        },
        kSlow);
    CHECK(accepted == ND_CANCELED);
    CHECK(at_a == of_a);
    CHECK(at_b == Endings{{kReceive, ND_CANCELED, 1}});  // the connector and its queue pair are of no use any more
}

TEST_CASE("nd2: cancelling an Accept before its answer has left refuses the connect", "[R142]") {
    cancel_accept_at(2, {ND_CONNECTION_REFUSED});
}

TEST_CASE("nd2: cancelling an Accept that waits for the peer ends what the peer would complete", "[R142]") {
    cancel_accept_at(6, {ND_SUCCESS, ND_CONNECTION_ABORTED});
}

// A's CompleteConnect ends when its message has left, or is cancelled, or loses its queue pair before.
void end_complete_by(const std::function<void(Nd2Party&)>& end) {
    HRESULT completed = ND_PENDING;
    Endings at_b;
    run_nd2(
        [&](Nd2Party& a) {
            a.os.sleep(1);
            expect(a.connect("B") == ND_SUCCESS, "the connect is accepted");
            Nd2Call call(a.os);
            expect(a.connector->CompleteConnect(&call.overlapped) == ND_PENDING, "a CompleteConnect");
            end(a);
            completed = call.end(*a.connector.get());
            until_ms(a.os, 10);
        },
        [&](Nd2Party& b) {
            expect(b.receive(64, context(1)) == ND_SUCCESS, "a Receive");
            b.listen();
            expect(b.next_request(*b.connector.get()) == ND_SUCCESS, "a connect request");
            (void)b.accept();  // A's messages are under way together
            at_b = next(b);
        },
        kSlow);
    CHECK(completed == ND_CANCELED);
    CHECK(at_b == Endings{{kReceive, ND_CANCELED, 1}});
}

TEST_CASE("nd2: cancelling a CompleteConnect ends the connection on both sides", "[R142]") {
    end_complete_by([](Nd2Party& a) { expect(a.connector->CancelOverlappedRequests() == ND_SUCCESS, "cancelled"); });
}

TEST_CASE("nd2: releasing the queue pair cancels its CompleteConnect", "[R147]") {
    end_complete_by([](Nd2Party& a) { a.qp.reset(); });
}

// The connection ends all the same.
TEST_CASE("nd2: cancelling a Disconnect ends the call", "[R142]") {
    HRESULT disconnected = ND_PENDING;
    HRESULT told = ND_PENDING;
    Endings at_a;
    run_nd2_pair({.program =
                      [&](Nd2Party& a, const Nd2Place&) {
                          expect(a.receive(64, context(1)) == ND_SUCCESS, "a Receive");
                          Nd2Call call(a.os);
                          expect(a.connector->Disconnect(&call.overlapped) == ND_PENDING, "a Disconnect");
                          expect(a.connector->CancelOverlappedRequests() == ND_SUCCESS, "cancelled");
                          disconnected = call.end(*a.connector.get());
                          at_a = next(a);
                      }},
                 {.program = [&](Nd2Party& b, const Nd2Place&) {
                     Nd2Call ends(b.os);
                     expect(b.connector->NotifyDisconnect(&ends.overlapped) == ND_PENDING, "it is connected");
                     told = ends.end(*b.connector.get());
                 }});
    CHECK(disconnected == ND_CANCELED);
    CHECK(told == ND_SUCCESS);
    CHECK(at_a == Endings{{kReceive, ND_CANCELED, 1}});
}

}  // namespace ndsim::test::nd2_cancel_connect_test
