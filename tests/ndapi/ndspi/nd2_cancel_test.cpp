// SPDX-License-Identifier: Apache-2.0
#include "tests/ndapi/ndspi/nd2_ports.hpp"

namespace ndsim::test::nd2_cancel_test {

void make_cq(Nd2Party& party, Ref<IND2CompletionQueue>& created) {
    expect(
        party.adapter->CreateCompletionQueue(IID_IND2CompletionQueue, party.file, 8, 0, 0, created.out()) == ND_SUCCESS,
        "a CQ");
}

void notify(IND2CompletionQueue& cq, ULONG type, Nd2Call& call) {
    expect(cq.Notify(type, &call.overlapped) == ND_PENDING, "a Notify");
}

HRESULT connect(Nd2Party& a, IND2Connector& connector, USHORT port, Nd2Call& call) {
    const sockaddr_in to = a.address("B", port);
    return connector.Connect(a.qp.get(), reinterpret_cast<const sockaddr*>(&to), sizeof to, 1, 1, nullptr, 0,
                             &call.overlapped);
}

// Calls go to two queues by turns, and the second one's are cancelled first. Packets are there without waiting.
TEST_CASE("nd2: cancelling ends the Notify requests of one queue, in the order of their calls", "[R87][R142][B15]") {
    std::vector<Packet> of_second;
    std::vector<Packet> of_first;
    std::vector<HRESULT> statuses;
    HRESULT left_alone = ND_SUCCESS;
    std::vector<Packet> expected_second;
    std::vector<Packet> expected_first;
    run_nd2(
        [&](Nd2Party& a) {
            Nd2Port port(a);
            Ref<IND2CompletionQueue> first;
            Ref<IND2CompletionQueue> second;
            make_cq(a, first);
            make_cq(a, second);
            std::vector<std::unique_ptr<Nd2Call>> calls;
            for (const ULONG type : {ND_CQ_NOTIFY_SOLICITED, ND_CQ_NOTIFY_ANY, ND_CQ_NOTIFY_ERRORS}) {
                for (IND2CompletionQueue* const cq : {first.get(), second.get()}) {
                    calls.push_back(std::make_unique<Nd2Call>(a.os));
                    notify(*cq, type, *calls.back());
                }
            }
            for (std::size_t i = 0; i < calls.size(); ++i) {
                (i % 2 == 0 ? expected_first : expected_second).push_back({&calls[i]->overlapped, ND_CANCELED});
            }
            a.os.sleep(1);
            expect(second->CancelOverlappedRequests() == ND_SUCCESS, "the second queue");
            of_second = packets(port);
            left_alone = calls[0]->now(*first.get());
            expect(first->CancelOverlappedRequests() == ND_SUCCESS, "the first queue");
            of_first = packets(port);
            for (std::size_t i = 0; i < calls.size(); ++i) {
                statuses.push_back(calls[i]->end(i % 2 == 0 ? *first.get() : *second.get()));
            }
        },
        idle);
    CHECK(of_second == expected_second);
    CHECK(of_first == expected_first);
    CHECK(left_alone == ND_PENDING);
    CHECK(statuses == std::vector<HRESULT>(6, ND_CANCELED));
}

// Nobody uses the queues but the program.
TEST_CASE("nd2: releasing a completion queue cancels its Notify requests before it returns", "[R88][B22]") {
    std::vector<Packet> told;
    std::vector<Packet> told_later{{}};
    HRESULT status = ND_PENDING;
    const OVERLAPPED* request = nullptr;
    bool left_alone = false;
    run_nd2(
        [&](Nd2Party& a) {
            Nd2Port port(a);
            Ref<IND2CompletionQueue> cq;
            make_cq(a, cq);
            Nd2Call call(a.os);
            request = &call.overlapped;
            notify(*cq.get(), ND_CQ_NOTIFY_ANY, call);
            cq.reset();
            status = left_in(call);
            told = packets(port);
            scribble(call);
            a.os.sleep(2);
            left_alone = is_scribbled(call);
            told_later = packets(port);
        },
        idle);
    CHECK(status == ND_CANCELED);
    CHECK(told == std::vector<Packet>{{request, ND_CANCELED}});
    CHECK(left_alone);
    CHECK(told_later.empty());
}

TEST_CASE("nd2: releasing a listener cancels its requests before it returns", "[R135][B22]") {
    std::vector<HRESULT> statuses;
    bool left_alone = false;
    run_nd2(
        [&](Nd2Party& a) {
            a.listen();
            Ref<IND2Connector> other;
            a.make_connector(other);
            Nd2Call first(a.os);
            Nd2Call second(a.os);
            expect(a.listener->GetConnectionRequest(a.connector.get(), &first.overlapped) == ND_PENDING &&
                       a.listener->GetConnectionRequest(other.get(), &second.overlapped) == ND_PENDING,
                   "nobody connects");
            a.listener.reset();
            statuses = {left_in(first), left_in(second)};
            scribble(first);
            scribble(second);
            a.os.sleep(2);
            left_alone = is_scribbled(first) && is_scribbled(second);
        },
        idle);
    CHECK(statuses == std::vector<HRESULT>(2, ND_CANCELED));
    CHECK(left_alone);
}

// One connector waits for an answer, the other one for the end of its connection.
TEST_CASE("nd2: releasing a connector ends its requests before it returns", "[B22]") {
    HRESULT of_connect = ND_PENDING;
    HRESULT of_notify = ND_PENDING;
    bool left_alone = false;
    run_nd2(
        [&](Nd2Party& a) {
            a.be_active("B");
            Nd2Link link(a);
            Nd2Call waits_for_answer(a.os);
            Nd2Call waits_for_end(a.os);
            const sockaddr_in to = a.address("B", 5000);
            expect(link.connector->Connect(link.qp.get(), reinterpret_cast<const sockaddr*>(&to), sizeof to, 1, 1,
                                           nullptr, 0, &waits_for_answer.overlapped) == ND_PENDING,
                   "B does not answer");
            expect(a.connector->NotifyDisconnect(&waits_for_end.overlapped) == ND_PENDING, "it is connected");
            a.os.sleep(1);
            link.connector.reset();
            of_connect = left_in(waits_for_answer);
            scribble(waits_for_answer);
            a.connector.reset();
            of_notify = left_in(waits_for_end);
            scribble(waits_for_end);
            a.os.sleep(2);
            left_alone = is_scribbled(waits_for_answer) && is_scribbled(waits_for_end);
        },
        [&](Nd2Party& b) {
            b.be_passive();
            until_ms(b.os, 10);
        });
    CHECK(of_connect == ND_CANCELED);
    CHECK(of_notify != ND_PENDING);
    CHECK(left_alone);
}

TEST_CASE("nd2: cancelling ends a Connect and what waits for a connect request", "[R142][B15]") {
    HRESULT of_connect = ND_PENDING;
    HRESULT of_request = ND_PENDING;
    HRESULT a_connects_again = ND_PENDING;
    std::vector<Packet> at_a;
    std::vector<Packet> at_b;
    const OVERLAPPED* connecting = nullptr;
    const OVERLAPPED* waiting = nullptr;
    run_nd2(
        [&](Nd2Party& a) {
            Nd2Port port(a);
            Nd2Call call(a.os);
            connecting = &call.overlapped;
            until_ms(a.os, 4);
            expect(connect(a, *a.connector.get(), 5000, call) == ND_PENDING, "B takes its time");
            a.os.sleep(1);
            expect(a.connector->CancelOverlappedRequests() == ND_SUCCESS, "cancelled");
            at_a = packets(port);
            of_connect = call.end(*a.connector.get());
            until_ms(a.os, 10);
            a.connector.reset();
            a.make_connector(a.connector);
            a_connects_again = a.connect("B");
        },
        [&](Nd2Party& b) {
            b.listen();
            {
                Nd2Port port(b);
                Nd2Call call(b.os);
                waiting = &call.overlapped;
                expect(b.listener->GetConnectionRequest(b.connector.get(), &call.overlapped) == ND_PENDING,
                       "nobody yet");
                b.os.sleep(1);
                expect(b.listener->CancelOverlappedRequests() == ND_SUCCESS, "cancelled");
                at_b = packets(port);
                of_request = call.end(*b.listener.get());
            }
            until_ms(b.os, 9);
            b.listener.reset();
            until_ms(b.os, 14);
        });
    CHECK(of_connect == ND_CANCELED);
    CHECK(at_a == std::vector<Packet>{{connecting, ND_CANCELED}});
    CHECK(of_request == ND_CANCELED);
    CHECK(at_b == std::vector<Packet>{{waiting, ND_CANCELED}});
    CHECK(a_connects_again == ND_CONNECTION_REFUSED);  // the queue pair is as it was, and the listener is gone
}

TEST_CASE("nd2: cancelling a NotifyDisconnect leaves the connection as it is", "[R101][R142]") {
    HRESULT status = ND_PENDING;
    Endings at_a;
    run_nd2_pair({.program =
                      [&](Nd2Party& a, const Nd2Place&) {
                          Nd2Call call(a.os);
                          expect(a.connector->NotifyDisconnect(&call.overlapped) == ND_PENDING, "it is connected");
                          a.os.sleep(1);
                          expect(a.connector->CancelOverlappedRequests() == ND_SUCCESS, "cancelled");
                          status = call.end(*a.connector.get());
                          expect(a.send(64, 0, context(1)) == ND_SUCCESS, "a Send");
                          at_a = next(a);
                      }},
                 {.program = [](Nd2Party& b, const Nd2Place&) { expect(b.receive(64) == ND_SUCCESS, "a Receive"); }});
    CHECK(status == ND_CANCELED);
    CHECK(at_a == Endings{{kSend, ND_SUCCESS, 1}});
}

}  // namespace ndsim::test::nd2_cancel_test
