// SPDX-License-Identifier: Apache-2.0
#include "tests/ndapi/ndspi/nd2_calls.hpp"

namespace ndsim::test::nd2_connect_more_test {

const sockaddr* plain(const sockaddr_in& address) {
    return reinterpret_cast<const sockaddr*>(&address);
}

// Two listeners of B on one address and port, the second one while the first one listens.
HRESULT second_listener(const std::vector<std::string>& overrides = {}) {
    HRESULT second = ND_PENDING;
    run_nd2(
        [&](Nd2Party& a) {
            a.listen();
            Ref<IND2Listener> other;
            expect(a.adapter->CreateListener(IID_IND2Listener, a.file, other.out()) == ND_SUCCESS, "a listener");
            const sockaddr_in same = a.address("", 5000);
            second = other->Bind(plain(same), sizeof same);
            a.listener.reset();
            expect(other->Bind(plain(same), sizeof same) == ND_SUCCESS, "the port is free again");
            expect(other->Listen(0) == ND_SUCCESS, "it listens");
        },
        idle, overrides);
    return second;
}

TEST_CASE("nd2: a second listener on an address and port is refused", "[R133]") {
    CHECK(second_listener() == ND_SHARING_VIOLATION);
}

TEST_CASE("nd2: a second listener on an address and port, by InfiniBand's codes", "[R133]") {
    CHECK(second_listener({"profile=infiniband"}) == STATUS_ADDRESS_ALREADY_ASSOCIATED);
}

TEST_CASE("nd2: a listener or connector that has an address does not get another one", "[B26][R133]") {
    std::vector<HRESULT> statuses;
    run_nd2(
        [&](Nd2Party& a) {
            a.listen();
            const sockaddr_in same = a.address("", 5000);
            const sockaddr_in other = a.address("", 5001);
            statuses = {a.listener->Bind(plain(same), sizeof same), a.listener->Bind(plain(other), sizeof other)};
            const sockaddr_in third = a.address("", 5002);
            expect(a.connector->Bind(plain(third), sizeof third) == ND_SUCCESS, "the connector has an address");
            statuses.push_back(a.connector->Bind(plain(third), sizeof third));
            statuses.push_back(a.connector->Bind(plain(other), sizeof other));
        },
        idle);
    CHECK(statuses == std::vector<HRESULT>(4, STATUS_ADDRESS_ALREADY_ASSOCIATED));
}

TEST_CASE("nd2: a connector that connects does not get another address", "[B26]") {
    HRESULT bound = ND_PENDING;
    run_nd2(
        [&](Nd2Party& a) {
            a.be_active("B");
            const sockaddr_in own = a.address("", 5001);
            bound = a.connector->Bind(plain(own), sizeof own);
        },
        [](Nd2Party& b) {
            b.be_passive();
            until_ms(b.os, 6);
        });
    CHECK(bound == STATUS_ADDRESS_ALREADY_ASSOCIATED);
}

// The queue pair has a connection already, so that another connector is refused at once.
TEST_CASE("nd2: a call that is refused leaves nothing pending in its OVERLAPPED", "[R143]") {
    HRESULT refused = ND_PENDING;
    HRESULT after = ND_PENDING;
    run_nd2(
        [&](Nd2Party& a) {
            a.be_active("B");
            Nd2Link link(a);
            OVERLAPPED second{};
            const sockaddr_in to = a.address("B", 5000);
            refused = link.connector->Connect(a.qp.get(), plain(to), sizeof to, 4, 4, nullptr, 0, &second);
            after = link.connector->GetOverlappedResult(&second, FALSE);
        },
        [](Nd2Party& b) {
            b.be_passive();
            until_ms(b.os, 6);
        });
    CHECK((refused != ND_SUCCESS && refused != ND_PENDING));
    CHECK(after == refused);
}

TEST_CASE("nd2: nobody is at 0.0.0.0, or where the listener was closed", "[B26][R124]") {
    HRESULT nowhere = ND_PENDING;
    HRESULT closed = ND_PENDING;
    run_nd2(
        [&](Nd2Party& a) {
            until_ms(a.os, 5);
            sockaddr_in zero = a.address("B", 5000);
            zero.sin_addr = {};
            nowhere = a.finish(*a.connector.get(), a.connector->Connect(a.qp.get(), plain(zero), sizeof zero, 1, 1,
                                                                        nullptr, 0, &a.overlapped));
            closed = a.connect("B");
        },
        [](Nd2Party& b) {
            b.listen();
            b.listener.reset();
            until_ms(b.os, 10);
        });
    CHECK(nowhere == STATUS_BAD_NETWORK_NAME);
    CHECK(closed == ND_CONNECTION_REFUSED);
}

// B closes its listener at 6 ms while A's request waits there.
TEST_CASE("nd2: a request that waits at a listener is refused when that closes", "[R124]") {
    HRESULT waiting = ND_PENDING;
    run_nd2(
        [&](Nd2Party& a) {
            until_ms(a.os, 3);
            waiting = a.connect("B");
        },
        [](Nd2Party& b) {
            b.listen();
            until_ms(b.os, 6);
            b.listener.reset();
            until_ms(b.os, 10);
        });
    CHECK(waiting == ND_CONNECTION_REFUSED);
}

TEST_CASE("nd2: a connector that is busy does not connect again", "[R136]") {
    std::vector<HRESULT> statuses;
    run_nd2(
        [&](Nd2Party& a) {
            Nd2Link link(a);
            a.os.sleep(1);
            const sockaddr_in to = a.address("B", 5000);
            Nd2Call first(a.os);
            Nd2Call second(a.os);
            const auto connect = [&](IND2QueuePair& qp, Nd2Call& with) {
                return a.connector->Connect(&qp, plain(to), sizeof to, 1, 1, nullptr, 0, &with.overlapped);
            };
            expect(connect(*a.qp.get(), first) == ND_PENDING, "the first one");
            statuses.push_back(connect(*link.qp.get(), second));
            expect(first.end(*a.connector.get()) == ND_SUCCESS && a.complete() == ND_SUCCESS, "it is connected");
            statuses.push_back(connect(*link.qp.get(), second));
            expect(a.send(0) == ND_SUCCESS && a.next().Status == ND_SUCCESS, "the connection is as it was");
        },
        [](Nd2Party& b) {
            expect(b.receive(64) == ND_SUCCESS, "a Receive");
            b.be_passive();
            until_ms(b.os, 10);
        });
    CHECK(statuses == std::vector<HRESULT>(2, ND_CONNECTION_ACTIVE));
}

// Each side thinks for a second and a half, which no timer of the network may take for silence.
TEST_CASE("nd2: a program that takes its time is not timed out", "[R137]") {
    std::vector<HRESULT> statuses;
    HRESULT accepted = ND_PENDING;
    run_nd2(
        [&](Nd2Party& a) {
            a.os.sleep(1);
            statuses.push_back(a.connect("B"));
            a.os.sleep(1500);
            statuses.push_back(a.complete());
            statuses.push_back(a.send(0));
            statuses.push_back(a.next().Status);
        },
        [&](Nd2Party& b) {
            expect(b.receive(64) == ND_SUCCESS, "a Receive");
            b.listen();
            expect(b.next_request(*b.connector.get()) == ND_SUCCESS, "a connect request");
            b.os.sleep(1500);
            accepted = b.accept();
            until_ms(b.os, 3200);
        });
    CHECK(statuses == std::vector<HRESULT>(4, ND_SUCCESS));
    CHECK(accepted == ND_SUCCESS);
}

// B does not answer.
TEST_CASE("nd2: releasing the queue pair cancels its Connect", "[R147]") {
    HRESULT connected = ND_PENDING;
    run_nd2(
        [&](Nd2Party& a) {
            Nd2Call call(a.os);
            a.os.sleep(1);
            const sockaddr_in to = a.address("B", 5000);
            expect(a.connector->Connect(a.qp.get(), plain(to), sizeof to, 1, 1, nullptr, 0, &call.overlapped) ==
                       ND_PENDING,
                   "a Connect");
            a.os.sleep(1);
            a.qp.reset();
            connected = call.end(*a.connector.get());
        },
        [](Nd2Party& b) {
            b.listen();
            until_ms(b.os, 6);
        });
    CHECK(connected == ND_CANCELED);
}

// B accepts, and releases its queue pair at 4 ms; A would complete at 8 ms.
TEST_CASE("nd2: releasing the queue pair cancels its Accept, and the peer hears of it", "[R147]") {
    HRESULT waiting = ND_SUCCESS;
    HRESULT accepted = ND_PENDING;
    std::vector<HRESULT> at_a;
    run_nd2(
        [&](Nd2Party& a) {
            a.os.sleep(1);
            at_a.push_back(a.connect("B"));
            until_ms(a.os, 8);
            at_a.push_back(a.complete());
        },
        [&](Nd2Party& b) {
            b.listen();
            expect(b.next_request(*b.connector.get()) == ND_SUCCESS, "a connect request");
            Nd2Call call(b.os);
            expect(b.connector->Accept(b.qp.get(), 1, 1, nullptr, 0, &call.overlapped) == ND_PENDING, "an Accept");
            until_ms(b.os, 4);
            waiting = call.now(*b.connector.get());
            b.qp.reset();
            accepted = call.end(*b.connector.get());
            until_ms(b.os, 10);
        });
    CHECK(waiting == ND_PENDING);
    CHECK(accepted == ND_CANCELED);
    CHECK(at_a == std::vector<HRESULT>{ND_SUCCESS, ND_CONNECTION_ABORTED});
}

// B does not disconnect.
TEST_CASE("nd2: releasing the queue pair cancels its Disconnect", "[R147]") {
    HRESULT waiting = ND_SUCCESS;
    HRESULT disconnected = ND_PENDING;
    run_nd2_pair({.program =
                      [&](Nd2Party& a, const Nd2Place&) {
                          Nd2Call call(a.os);
                          expect(a.connector->Disconnect(&call.overlapped) == ND_PENDING, "a Disconnect");
                          a.os.sleep(1);
                          waiting = call.now(*a.connector.get());
                          a.qp.reset();
                          disconnected = call.end(*a.connector.get());
                      }},
                 {});
    CHECK(waiting == ND_PENDING);
    CHECK(disconnected == ND_CANCELED);
}

}  // namespace ndsim::test::nd2_connect_more_test
