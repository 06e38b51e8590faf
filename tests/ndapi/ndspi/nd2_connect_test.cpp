// SPDX-License-Identifier: Apache-2.0
#include "tests/ndapi/ndspi/nd2_calls.hpp"

namespace ndsim::test::nd2_connect_test {

HRESULT connect(Nd2Party& a, IND2Connector& connector, IND2QueuePair& qp, USHORT port, OVERLAPPED& with) {
    const sockaddr_in to = a.address("B", port);
    return connector.Connect(&qp, reinterpret_cast<const sockaddr*>(&to), sizeof to, 1, 1, nullptr, 0, &with);
}

void listen_and_take(Nd2Party& party, Ref<IND2Connector>& requested) {
    party.listen();
    party.make_connector(requested);
    expect(party.next_request(*requested.get()) == ND_SUCCESS, "a connect request");
}

// A connects twice, and does not want it any more when B has accepted: it rejects, and then it releases its connector.
// Returns how B's accepts end.
std::vector<HRESULT> accept_in_vain(const std::vector<std::string>& overrides = {}) {
    std::vector<HRESULT> accepts;
    HRESULT rejected = ND_PENDING;
    run_nd2(
        [&](Nd2Party& a) {
            a.os.sleep(1);
            expect(a.connect("B") == ND_SUCCESS, "B accepts");
            rejected = a.connector->Reject(nullptr, 0);
            Nd2Link second(a);
            until_ms(a.os, 6);
            expect(a.finish(*second.connector.get(),
                            connect(a, *second.connector.get(), *second.qp.get(), 5000, a.overlapped)) == ND_SUCCESS,
                   "B accepts again");
            second.connector.reset();
            until_ms(a.os, 10);
        },
        [&](Nd2Party& b) {
            b.listen();
            Nd2Link second(b);
            expect(b.next_request(*b.connector.get()) == ND_SUCCESS, "a connect request");
            accepts.push_back(b.accept());
            expect(b.next_request(*second.connector.get()) == ND_SUCCESS, "another");
            accepts.push_back(b.finish(*second.connector.get(),
                                       second.connector->Accept(second.qp.get(), 1, 1, nullptr, 0, &b.overlapped)));
            until_ms(b.os, 10);
        },
        overrides);
    CHECK(rejected == ND_SUCCESS);
    return accepts;
}

// B accepts at 10 ms, A completes at 16 ms, both or a little later.
TEST_CASE("nd2: Connect waits for the Accept, and Accept for the CompleteConnect", "[R123][B18]") {
    HRESULT connecting = ND_SUCCESS;
    HRESULT accepting = ND_SUCCESS;
    std::vector<HRESULT> outcomes;
    HRESULT accepted = ND_PENDING;
    std::uint64_t connected_at = 0;
    std::uint64_t accepted_at = 0;
    run_nd2(
        [&](Nd2Party& a) {
            until_ms(a.os, 4);
            Nd2Call call(a.os);
            expect(connect(a, *a.connector.get(), *a.qp.get(), 5000, call.overlapped) == ND_PENDING, "a Connect");
            until_ms(a.os, 8);
            connecting = call.now(*a.connector.get());
            outcomes.push_back(call.end(*a.connector.get()));
            connected_at = a.os.nanoseconds();
            until_ms(a.os, 16);
            outcomes.push_back(a.complete());
            until_ms(a.os, 20);
        },
        [&](Nd2Party& b) {
            b.listen();
            expect(b.next_request(*b.connector.get()) == ND_SUCCESS, "a connect request");
            until_ms(b.os, 10);
            Nd2Call call(b.os);
            expect(b.connector->Accept(b.qp.get(), 1, 1, nullptr, 0, &call.overlapped) == ND_PENDING, "an Accept");
            until_ms(b.os, 14);
            accepting = call.now(*b.connector.get());
            accepted = call.end(*b.connector.get());
            accepted_at = b.os.nanoseconds();
            until_ms(b.os, 20);
        });
    CHECK(connecting == ND_PENDING);
    CHECK(accepting == ND_PENDING);
    CHECK(outcomes == std::vector<HRESULT>(2, ND_SUCCESS));
    CHECK(accepted == ND_SUCCESS);
    CHECK(connected_at >= 10'000'000);
    CHECK(accepted_at >= 16'000'000);
}

TEST_CASE("nd2: who is refused may try again with the same connector", "[R124]") {
    std::vector<HRESULT> attempts;
    run_nd2(
        [&](Nd2Party& a) {
            a.os.sleep(1);
            attempts = {a.connect("B", 5001), a.connect("B"), a.connect("B"), a.complete()};
            until_ms(a.os, 10);
        },
        [](Nd2Party& b) {
            Ref<IND2Connector> first;
            listen_and_take(b, first);
            expect(first->Reject(nullptr, 0) == ND_SUCCESS, "a reject");
            expect(b.next_request(*b.connector.get()) == ND_SUCCESS && b.accept() == ND_SUCCESS, "and an accept");
            until_ms(b.os, 10);
        });
    // Nobody listens, B rejects, B accepts.
    CHECK(attempts == std::vector<HRESULT>{ND_CONNECTION_REFUSED, ND_CONNECTION_REFUSED, ND_SUCCESS, ND_SUCCESS});
}

// B takes the one request that it lets wait at 8 ms. The second connector tries again then.
TEST_CASE("nd2: a listener whose backlog is full refuses", "[R124]") {
    HRESULT first_waits = ND_SUCCESS;
    HRESULT first = ND_PENDING;
    std::vector<HRESULT> second;
    run_nd2(
        [&](Nd2Party& a) {
            Nd2Link link(a);
            until_ms(a.os, 3);
            Nd2Call call(a.os);
            expect(connect(a, *a.connector.get(), *a.qp.get(), 5000, call.overlapped) == ND_PENDING, "a Connect");
            a.os.sleep(1);
            const auto try_second = [&] {
                second.push_back(a.finish(*link.connector.get(),
                                          connect(a, *link.connector.get(), *link.qp.get(), 5000, a.overlapped)));
            };
            try_second();
            first_waits = call.now(*a.connector.get());
            first = call.end(*a.connector.get());
            expect(a.complete() == ND_SUCCESS, "one connection");
            try_second();
            expect(a.finish(*link.connector.get(), link.connector->CompleteConnect(&a.overlapped)) == ND_SUCCESS,
                   "two connections");
            until_ms(a.os, 14);
        },
        [](Nd2Party& b) {
            Nd2Link link(b);
            b.listen(5000, 1);
            until_ms(b.os, 8);
            expect(b.next_request(*b.connector.get()) == ND_SUCCESS && b.accept() == ND_SUCCESS, "one connection");
            link.be_passive();
            until_ms(b.os, 14);
        });
    CHECK(first_waits == ND_PENDING);
    CHECK(first == ND_SUCCESS);
    CHECK(second == std::vector<HRESULT>{ND_CONNECTION_REFUSED, ND_SUCCESS});
}

// B lets one request wait, and takes one at 8 ms. A gives up the first one at 4 ms.
TEST_CASE("nd2: a request that was given up makes room in the backlog", "[R124]") {
    std::vector<HRESULT> connects;
    run_nd2(
        [&](Nd2Party& a) {
            Nd2Link link(a);
            until_ms(a.os, 3);
            Nd2Call call(a.os);
            expect(connect(a, *link.connector.get(), *link.qp.get(), 5000, call.overlapped) == ND_PENDING, "a Connect");
            a.os.sleep(1);
            expect(link.connector->CancelOverlappedRequests() == ND_SUCCESS, "it is given up");
            connects.push_back(call.now(*link.connector.get()));
            a.os.sleep(1);
            connects.push_back(a.connect("B"));
            connects.push_back(a.complete());
            until_ms(a.os, 14);
        },
        [](Nd2Party& b) {
            b.listen(5000, 1);
            until_ms(b.os, 8);
            expect(b.next_request(*b.connector.get()) == ND_SUCCESS && b.accept() == ND_SUCCESS, "the second one");
            until_ms(b.os, 14);
        });
    CHECK(connects == std::vector<HRESULT>{ND_CANCELED, ND_SUCCESS, ND_SUCCESS});
}

// B takes the first request and does nothing with it; it drops it at 8 ms, long after A has given up.
TEST_CASE("nd2: a Connect that nobody answers times out, and may be tried again", "[R125]") {
    std::vector<HRESULT> attempts;
    std::uint64_t took = 0;
    run_nd2(
        [&](Nd2Party& a) {
            a.os.sleep(1);
            const std::uint64_t begun = a.os.nanoseconds();
            attempts.push_back(a.connect("B"));
            took = a.os.nanoseconds() - begun;
            until_ms(a.os, 10);
            attempts.push_back(a.connect("B"));
            attempts.push_back(a.complete());
            until_ms(a.os, 15);
        },
        [](Nd2Party& b) {
            Ref<IND2Connector> first;
            listen_and_take(b, first);
            until_ms(b.os, 8);
            first.reset();
            expect(b.next_request(*b.connector.get()) == ND_SUCCESS && b.accept() == ND_SUCCESS, "another one");
            until_ms(b.os, 15);
        },
        {"nic.connect_timeout=2 ms"});
    CHECK(attempts == std::vector<HRESULT>{ND_IO_TIMEOUT, ND_SUCCESS, ND_SUCCESS});
    CHECK(took >= 2'000'000);
    CHECK(took < 3'000'000);
}

TEST_CASE("nd2: an Accept that the connecting side does not want any more is aborted", "[R126][B18]") {
    CHECK(accept_in_vain() == std::vector<HRESULT>(2, ND_CONNECTION_ABORTED));
}

TEST_CASE("nd2: an Accept that the connecting side does not want any more, by InfiniBand's codes", "[R126][B18]") {
    CHECK(accept_in_vain({"profile=infiniband"}) == std::vector<HRESULT>(2, ND_CONNECTION_REFUSED));
}

// A command takes 4 ms, one that connects a queue pair as well, so that B's answer to an Accept at 40 to 41 ms comes to
// A 6 ms later, a command and half of one for the datagram, and A's Connect completes 4 ms after that. Between the two,
// at 48 to 49 ms, A may not reject yet.
TEST_CASE("nd2: Reject is refused before Connect has completed, also when the answer has come", "[R126]") {
    std::vector<HRESULT> connects;
    std::vector<HRESULT> rejects;
    HRESULT accepted = ND_PENDING;
    run_nd2(
        [&](Nd2Party& a) {
            until_ms(a.os, 30);
            Nd2Call call(a.os);
            expect(connect(a, *a.connector.get(), *a.qp.get(), 5000, call.overlapped) == ND_PENDING, "a Connect");
            until_ms(a.os, 48);
            connects.push_back(call.now(*a.connector.get()));
            rejects.push_back(a.connector->Reject(nullptr, 0));
            connects.push_back(call.end(*a.connector.get()));
            rejects.push_back(a.connector->Reject(nullptr, 0));
            until_ms(a.os, 60);
        },
        [&](Nd2Party& b) {
            b.listen();
            expect(b.next_request(*b.connector.get()) == ND_SUCCESS, "a connect request");
            until_ms(b.os, 40);
            accepted = b.accept();
        },
        {"nic.command_latency=4 ms", "nic.connect_latency=4 ms"});
    CHECK(connects == std::vector<HRESULT>{ND_PENDING, ND_SUCCESS});
    CHECK(rejects == std::vector<HRESULT>{ND_CONNECTION_INVALID, ND_SUCCESS});
    CHECK(accepted == ND_CONNECTION_ABORTED);
}

// Three wait; A connects at 4 and at 8 ms.
TEST_CASE("nd2: each connect request completes one of those who wait for it", "[R134]") {
    std::vector<std::vector<HRESULT>> seen;
    run_nd2(
        [](Nd2Party& a) {
            Nd2Link link(a);
            Nd2Call first(a.os);
            Nd2Call second(a.os);
            until_ms(a.os, 4);
            expect(connect(a, *a.connector.get(), *a.qp.get(), 5000, first.overlapped) == ND_PENDING, "a Connect");
            until_ms(a.os, 8);
            expect(connect(a, *link.connector.get(), *link.qp.get(), 5000, second.overlapped) == ND_PENDING, "another");
            until_ms(a.os, 12);
            a.connector.reset();
            link.connector.reset();
        },
        [&](Nd2Party& b) {
            b.listen();
            std::array<Ref<IND2Connector>, 3> connectors;
            std::array<std::unique_ptr<Nd2Call>, 3> calls;
            for (std::size_t i = 0; i < 3; ++i) {
                b.make_connector(connectors.at(i));
                calls.at(i) = std::make_unique<Nd2Call>(b.os);
                expect(b.listener->GetConnectionRequest(connectors.at(i).get(), &calls.at(i)->overlapped) == ND_PENDING,
                       "it waits");
            }
            for (const std::uint64_t when : {2U, 6U, 10U}) {
                until_ms(b.os, when);
                std::vector<HRESULT> statuses;
                for (const auto& call : calls) {
                    statuses.push_back(call->now(*b.listener.get()));
                }
                seen.push_back(statuses);
            }
            expect(b.listener->CancelOverlappedRequests() == ND_SUCCESS, "enough");
            until_ms(b.os, 14);
        });
    CHECK(seen == std::vector<std::vector<HRESULT>>{{ND_PENDING, ND_PENDING, ND_PENDING},
                                                    {ND_SUCCESS, ND_PENDING, ND_PENDING},
                                                    {ND_SUCCESS, ND_SUCCESS, ND_PENDING}});
}

}  // namespace ndsim::test::nd2_connect_test
