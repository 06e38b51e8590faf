// SPDX-License-Identifier: Apache-2.0
#include "tests/ndapi/ndspi/nd2_ports.hpp"

namespace ndsim::test::nd2_overlapped_test {

// Overlapped calls of a party, one after the other, all of which succeed: what each returned, and what became of it.
struct Calls {
    explicit Calls(Nd2Party& of) : party(of), port(of) {}

    void add(IND2Overlapped& object, HRESULT result) {
        returned.push_back(result);
        statuses.push_back(party.finish(object, result));
    }
    // With the packets that came.
    void close() {
        party.os.sleep(1);
        for (const Packet& packet : packets(port)) {
            expect(packet.overlapped == &party.overlapped, "a packet has its request");
            told.push_back(packet.status);
        }
    }

    Nd2Party& party;
    Nd2Port port;
    std::vector<HRESULT> returned;
    std::vector<HRESULT> statuses;
    std::vector<HRESULT> told;
};

// All nine overlapped calls of connectors, listeners, regions and completion queues. B's request is there before it
// asks for it, its Notify finds a result, and A has disconnected when B does.
TEST_CASE("nd2: an overlapped call that succeeds pends, and makes one packet", "[R139][B12]") {
    struct Seen {
        std::vector<HRESULT> returned;
        std::vector<HRESULT> statuses;
        std::vector<HRESULT> told;
    };
    Seen at_a;
    Seen at_b;
    const auto note = [](Calls& calls, Seen& seen) {
        calls.close();
        seen = {calls.returned, calls.statuses, calls.told};
    };
    run_nd2(
        [&](Nd2Party& a) {
            Calls calls(a);
            until_ms(a.os, 2);
            const sockaddr_in to = a.address("B", 5000);
            calls.add(*a.connector.get(), a.connector->Connect(a.qp.get(), reinterpret_cast<const sockaddr*>(&to),
                                                               sizeof to, 1, 1, nullptr, 0, &a.overlapped));
            calls.add(*a.connector.get(), a.connector->CompleteConnect(&a.overlapped));
            until_ms(a.os, 8);
            expect(a.send(64) == ND_SUCCESS && a.next().Status == ND_SUCCESS, "a message");
            until_ms(a.os, 12);
            calls.add(*a.connector.get(), a.connector->Disconnect(&a.overlapped));
            note(calls, at_a);
        },
        [&](Nd2Party& b) {
            Calls calls(b);
            calls.add(*b.region.get(), b.region->Deregister(&b.overlapped));
            calls.add(*b.region.get(), b.region->Register(b.buffer.data(), 4096, 1, &b.overlapped));
            b.listen();
            until_ms(b.os, 4);
            calls.add(*b.listener.get(), b.listener->GetConnectionRequest(b.connector.get(), &b.overlapped));
            calls.add(*b.connector.get(), b.connector->Accept(b.qp.get(), 1, 1, nullptr, 0, &b.overlapped));
            expect(b.receive(64) == ND_SUCCESS, "a Receive");
            until_ms(b.os, 10);
            calls.add(*b.cq.get(), b.cq->Notify(ND_CQ_NOTIFY_ANY, &b.overlapped));
            calls.add(*b.connector.get(), b.connector->NotifyDisconnect(&b.overlapped));
            calls.add(*b.connector.get(), b.connector->Disconnect(&b.overlapped));
            note(calls, at_b);
        });
    for (const auto& [seen, count] : {std::pair<const Seen&, std::size_t>(at_a, 3), {at_b, 7}}) {
        CHECK(seen.returned == std::vector<HRESULT>(count, ND_PENDING));
        CHECK(seen.statuses == std::vector<HRESULT>(count, ND_SUCCESS));
        CHECK(seen.told == std::vector<HRESULT>(count, ND_SUCCESS));
    }
}

TEST_CASE("nd2: the status of a request can be asked for at any time, and stays", "[R140][R143]") {
    std::vector<HRESULT> running;
    std::vector<HRESULT> succeeded;
    std::vector<HRESULT> failed;
    run_nd2(
        [&](Nd2Party& a) {
            until_ms(a.os, 4);
            Nd2Call call(a.os);
            const sockaddr_in nobody = a.address("B", 5001);
            expect(a.connector->Connect(a.qp.get(), reinterpret_cast<const sockaddr*>(&nobody), sizeof nobody, 1, 1,
                                        nullptr, 0, &call.overlapped) == ND_PENDING,
                   "a Connect to where nobody listens");
            failed.push_back(call.end(*a.connector.get()));
            a.be_active("B");  // which succeeds
            failed.push_back(call.now(*a.connector.get()));
            failed.push_back(call.end(*a.connector.get()));
            until_ms(a.os, 8);
        },
        [&](Nd2Party& b) {
            b.listen();
            Nd2Call call(b.os);
            expect(b.listener->GetConnectionRequest(b.connector.get(), &call.overlapped) == ND_PENDING, "it pends");
            for (int i = 0; i < 3; ++i) {
                running.push_back(call.now(*b.listener.get()));
            }
            succeeded.push_back(call.end(*b.listener.get()));
            succeeded.push_back(call.now(*b.listener.get()));
            expect(b.accept() == ND_SUCCESS, "the connection is accepted");
            succeeded.push_back(call.end(*b.listener.get()));
            succeeded.push_back(call.now(*b.listener.get()));
            until_ms(b.os, 8);
        });
    CHECK(running == std::vector<HRESULT>(3, ND_PENDING));
    CHECK(succeeded == std::vector<HRESULT>(4, ND_SUCCESS));
    CHECK(failed == std::vector<HRESULT>(3, ND_CONNECTION_REFUSED));
}

// A Notify that succeeds and a Connect that fails, each with and without the low bit of the event's handle.
TEST_CASE("nd2: with the low bit of its event a request makes no packet, without it one", "[R141][B14]") {
    std::vector<Packet> plain;
    std::vector<Packet> marked;
    std::vector<DWORD> events;
    std::vector<HRESULT> statuses;
    const OVERLAPPED* first = nullptr;
    const OVERLAPPED* second = nullptr;
    run_nd2(
        [&](Nd2Party& a) {
            Nd2Port port(a);
            const sockaddr_in nobody = a.address("B", 5001);
            Nd2Call success(a.os);
            Nd2Call failure(a.os);
            Nd2Call silent_success(a.os);
            Nd2Call silent_failure(a.os);
            first = &success.overlapped;
            second = &failure.overlapped;
            const auto try_both = [&](Nd2Call& notify, Nd2Call& connect) {
                const HANDLE notified = notify.overlapped.hEvent;
                const HANDLE refused = connect.overlapped.hEvent;
                const bool marks = &notify == &silent_success;
                for (Nd2Call* const call : {&notify, &connect}) {
                    call->overlapped.hEvent = reinterpret_cast<HANDLE>(
                        reinterpret_cast<ULONG_PTR>(call->overlapped.hEvent) | (marks ? 1U : 0U));
                }
                Nd2Link link(a);
                expect(link.receive(64) == ND_SUCCESS, "a Receive");
                expect(a.cq->Notify(ND_CQ_NOTIFY_ANY, &notify.overlapped) == ND_PENDING, "a Notify");
                expect(link.qp->Flush() == ND_SUCCESS, "a result comes");
                events.push_back(a.os.wait(&notified, 1, false, 5));
                statuses.push_back(notify.end(*a.cq.get()));
                expect(poll(a).size() == 1, "it is retrieved");
                expect(a.connector->Connect(a.qp.get(), reinterpret_cast<const sockaddr*>(&nobody), sizeof nobody, 1, 1,
                                            nullptr, 0, &connect.overlapped) == ND_PENDING,
                       "a Connect to where nobody listens");
                events.push_back(a.os.wait(&refused, 1, false, 5));
                statuses.push_back(connect.end(*a.connector.get()));
                a.os.sleep(1);
            };
            try_both(success, failure);
            plain = packets(port);
            try_both(silent_success, silent_failure);
            marked = packets(port);
        },
        idle);
    CHECK(plain == std::vector<Packet>{{first, ND_SUCCESS}, {second, ND_CONNECTION_REFUSED}});
    CHECK(marked.empty());
    CHECK(events == std::vector<DWORD>(4, WAIT_OBJECT_0));
    CHECK(statuses == std::vector<HRESULT>{ND_SUCCESS, ND_CONNECTION_REFUSED, ND_SUCCESS, ND_CONNECTION_REFUSED});
}

// One gets the bit, and the other loses it, while they are pending.
TEST_CASE("nd2: whether there is a packet is said at the call", "[R141][B14]") {
    std::vector<Packet> seen;
    const OVERLAPPED* plain = nullptr;
    run_nd2(
        [&](Nd2Party& a) {
            Nd2Port port(a);
            Nd2Call without(a.os);
            Nd2Call with(a.os);
            plain = &without.overlapped;
            const HANDLE event = with.overlapped.hEvent;
            const auto marked = [](HANDLE handle) {
                return reinterpret_cast<HANDLE>(reinterpret_cast<ULONG_PTR>(handle) | 1U);
            };
            with.overlapped.hEvent = marked(event);
            for (Nd2Call* const call : {&without, &with}) {
                expect(a.cq->Notify(ND_CQ_NOTIFY_ANY, &call->overlapped) == ND_PENDING, "a Notify");
            }
            without.overlapped.hEvent = marked(without.overlapped.hEvent);
            with.overlapped.hEvent = event;
            expect(a.cq->CancelOverlappedRequests() == ND_SUCCESS, "both end");
            seen = packets(port);
        },
        idle);
    CHECK(seen == std::vector<Packet>{{plain, ND_CANCELED}});
}

// The program closes the handle that it gave, and waits for a duplicate.
TEST_CASE("nd2: a request sets its event even if the handle in its structure is closed meanwhile") {
    DWORD while_pending = 0;
    DWORD at_end = 0;
    run_nd2(
        [&](Nd2Party& a) {
            OVERLAPPED overlapped{};
            overlapped.hEvent = a.os.create_event(true, true);
            const HANDLE duplicate = a.os.duplicate_handle(overlapped.hEvent);
            expect(a.cq->Notify(ND_CQ_NOTIFY_ANY, &overlapped) == ND_PENDING, "a Notify");
            expect(a.os.close_handle(overlapped.hEvent) == 0, "the handle is closed");
            while_pending = a.os.wait(&duplicate, 1, false, 0);
            expect(a.cq->CancelOverlappedRequests() == ND_SUCCESS, "the Notify ends");
            at_end = a.os.wait(&duplicate, 1, false, 0);
        },
        idle);
    CHECK(while_pending == WAIT_TIMEOUT);  // the call has reset it
    CHECK(at_end == WAIT_OBJECT_0);
}

TEST_CASE("nd2: a call whose arguments or state are refused completes nothing", "[B13][R100]") {
    std::vector<HRESULT> returned;
    std::vector<Packet> told{{}};
    DWORD event = WAIT_FAILED;
    run_nd2(
        [&](Nd2Party& a) {
            Nd2Port port(a);
            Nd2Call call(a.os);
            const sockaddr_in to = a.address("B", 5000);
            const std::vector<std::byte> data(info_of(a).MaxCallerData + 1);
            returned = {a.connector->Connect(a.qp.get(), reinterpret_cast<const sockaddr*>(&to), sizeof to, 1, 1,
                                             data.data(), static_cast<ULONG>(data.size()), &call.overlapped),
                        a.connector->CompleteConnect(&call.overlapped), a.connector->NotifyDisconnect(&call.overlapped),
                        a.connector->Disconnect(&call.overlapped)};
            a.os.sleep(2);
            told = packets(port);
            event = a.os.wait(&call.overlapped.hEvent, 1, false, 0);
        },
        idle);
    CHECK(returned == std::vector<HRESULT>{ND_INVALID_BUFFER_SIZE, ND_CONNECTION_INVALID, ND_CONNECTION_INVALID,
                                           ND_CONNECTION_INVALID});
    CHECK(told.empty());
    CHECK(event == WAIT_TIMEOUT);
}

}  // namespace ndsim::test::nd2_overlapped_test
