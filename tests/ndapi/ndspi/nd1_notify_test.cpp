// SPDX-License-Identifier: Apache-2.0
#include "ndapi/windows/abi/constants.h"
#include "tests/ndapi/ndspi/nd1_pair.hpp"

namespace ndsim::test::nd1_notify_test {

constexpr DWORD kMarked = ND_OP_FLAG_SEND_AND_SOLICIT_EVENT;

// A message of A: in which millisecond, or in that after it, it goes, and how.
struct Message {
    std::uint64_t at = 0;
    DWORD flags = 0;
    SIZE_T length = 8;
};

// A sends these; B, which has Receives of 64 bytes for eight messages, does something from 2 ms on at the latest.
void run_messages(const std::vector<Message>& messages, const std::function<void(Nd1Party& b)>& program) {
    run_nd1_pair({.program =
                      [&](Nd1Party& a) {
                          for (const Message& message : messages) {
                              until_ms(a.os, message.at);
                              expect(a.send(1, message.length, message.flags) == ND_SUCCESS, "a Send");
                              (void)a.ended();
                          }
                      }},
                 {.program = [&](Nd1Party& b) {
                     for (std::size_t number = 1; number <= 8; ++number) {
                         expect(b.receive(number, 64) == ND_SUCCESS, "a Receive");
                     }
                     program(b);
                 }});
}

// A Notify of B's inbound CQ, which is taken and completes later.
struct Notice : Nd1Call {
    Notice(Nd1Party& b, DWORD type) : Nd1Call(b.os), cq(*b.inbound) {
        expect(cq.Notify(type, &overlapped) == ND_PENDING, "a Notify");
    }
    HRESULT status() { return now(cq); }
    HRESULT wait() { return end(cq); }

    INDCompletionQueue& cq;
};

// The first so many Receives.
Nd1Ends receives(std::size_t count) {
    Nd1Ends ends;
    for (std::size_t number = 1; number <= count; ++number) {
        ends.push_back({number, ND_SUCCESS});
    }
    return ends;
}

// A completed Notify would be a packet of the port.
TEST_CASE("nd1: without Notify nobody is notified, be the message marked or not", "[R76][R86]") {
    Win32Error packets = ERROR_SUCCESS;
    Nd1Ends results;
    run_messages({{4}, {6, kMarked}}, [&](Nd1Party& b) {
        const HANDLE port = b.os.create_port(b.adapter->GetFileHandle(), nullptr, 0);
        expect(port != nullptr, "a port");
        PortPacket packet;
        packets = b.os.dequeue(port, packet, 10);
        results = b.poll(*b.inbound);
    });
    CHECK(packets == WAIT_TIMEOUT);
    CHECK(results == receives(2));
}

TEST_CASE("nd1: a Notify pends until the next result, which can then be retrieved", "[R77]") {
    HRESULT before = ND_SUCCESS;
    HRESULT status = ND_PENDING;
    Nd1Ends results;
    run_messages({{6}}, [&](Nd1Party& b) {
        Notice notice(b, ND_CQ_NOTIFY_ANY);
        until_ms(b.os, 4);
        before = notice.status();
        status = notice.wait();
        results = b.poll(*b.inbound);
    });
    CHECK(before == ND_PENDING);
    CHECK(status == ND_SUCCESS);
    CHECK(results == receives(1));
}

TEST_CASE("nd1: a result from before the Notify completes it, if it came after the last look", "[R78]") {
    Nd1Ends before{{}};
    HRESULT status = ND_PENDING;
    run_messages({{4}}, [&](Nd1Party& b) {
        before = b.poll(*b.inbound);
        until_ms(b.os, 8);
        Notice notice(b, ND_CQ_NOTIFY_ANY);
        b.os.sleep(1);
        status = notice.status();
    });
    CHECK(before.empty());
    CHECK(status == ND_SUCCESS);
}

TEST_CASE("nd1: one result completes all Notify requests that wait for any", "[R79]") {
    Codes before;
    Codes after;
    run_messages({{6}}, [&](Nd1Party& b) {
        Notice first(b, ND_CQ_NOTIFY_ANY);
        Notice second(b, ND_CQ_NOTIFY_ANY);
        until_ms(b.os, 4);
        before = {first.status(), second.status()};
        until_ms(b.os, 9);
        after = {first.status(), second.status()};
    });
    CHECK(before == Codes(2, ND_PENDING));
    CHECK(after == Codes(2, ND_SUCCESS));
}

TEST_CASE("nd1: a result that a Notify has told of does not complete the next one", "[R80]") {
    Codes statuses;
    Nd1Ends results;
    run_messages({{4}, {9}}, [&](Nd1Party& b) {
        Notice first(b, ND_CQ_NOTIFY_ANY);
        statuses.push_back(first.wait());
        Notice second(b, ND_CQ_NOTIFY_ANY);
        until_ms(b.os, 7);
        statuses.push_back(second.status());
        statuses.push_back(second.wait());
        results = b.poll(*b.inbound);
    });
    CHECK(statuses == Codes{ND_SUCCESS, ND_PENDING, ND_SUCCESS});
    CHECK(results == receives(2));
}

TEST_CASE("nd1: a Notify for solicited results waits for a marked message", "[R81]") {
    Codes statuses;
    Nd1Ends results;
    run_messages({{4}, {9, kMarked}}, [&](Nd1Party& b) {
        Notice notice(b, NdCqNotifySolicited);
        until_ms(b.os, 7);
        statuses = {notice.status(), notice.wait()};
        results = b.poll(*b.inbound);
    });
    CHECK(statuses == Codes{ND_PENDING, ND_SUCCESS});
    CHECK(results == receives(2));
}

TEST_CASE("nd1: a batch whose last message is marked notifies once, and all Receives are there", "[R82]") {
    HRESULT status = ND_PENDING;
    HRESULT again = ND_SUCCESS;
    Nd1Ends results;
    run_messages({{4}, {4}, {4}, {4, kMarked}}, [&](Nd1Party& b) {
        Notice notice(b, ND_CQ_NOTIFY_SOLICITED);
        status = notice.wait();
        results = b.poll(*b.inbound);
        Notice another(b, ND_CQ_NOTIFY_SOLICITED);
        until_ms(b.os, 10);
        again = another.status();
        expect(b.inbound->CancelOverlappedRequests() == ND_SUCCESS, "no more of it");
    });
    CHECK(status == ND_SUCCESS);
    CHECK(results == receives(4));
    CHECK(again == ND_PENDING);
}

TEST_CASE("nd1: a result that is an error completes a Notify for solicited ones", "[R83]") {
    Codes statuses;
    run_messages({}, [&](Nd1Party& b) {
        Notice notice(b, ND_CQ_NOTIFY_SOLICITED);
        b.os.sleep(1);
        statuses.push_back(notice.status());
        expect(b.endpoint->Flush() == ND_SUCCESS, "a Flush");
        statuses.push_back(notice.wait());
    });
    CHECK(statuses == Codes{ND_PENDING, ND_SUCCESS});
}

TEST_CASE("nd1: with a Notify for any an unmarked message completes that for solicited ones, too", "[R84]") {
    Codes before;
    Codes after;
    run_messages({{6}}, [&](Nd1Party& b) {
        Notice solicited(b, ND_CQ_NOTIFY_SOLICITED);
        Notice any(b, ND_CQ_NOTIFY_ANY);
        until_ms(b.os, 4);
        before = {solicited.status(), any.status()};
        until_ms(b.os, 9);
        after = {solicited.status(), any.status()};
    });
    CHECK(before == Codes(2, ND_PENDING));
    CHECK(after == Codes(2, ND_SUCCESS));
}

// Two messages go well, one of them marked; the third is a byte too long for its Receive.
TEST_CASE("nd1: a Notify for errors waits for a result that is one", "[R85]") {
    Codes statuses;
    run_messages({{4}, {7, kMarked}, {11, 0, 65}}, [&](Nd1Party& b) {
        Notice notice(b, ND_CQ_NOTIFY_ERRORS);
        until_ms(b.os, 6);
        statuses.push_back(notice.status());
        until_ms(b.os, 9);
        statuses.push_back(notice.status());
        statuses.push_back(notice.wait());
        expect(b.received(3) == Nd1Ends{{1, ND_SUCCESS}, {2, ND_SUCCESS}, {3, ND_BUFFER_OVERFLOW}}, "the results");
    });
    CHECK(statuses == Codes{ND_PENDING, ND_PENDING, ND_SUCCESS});
}

TEST_CASE("nd1: there are no other types of Notify") {
    Codes codes;
    run_messages({}, [&](Nd1Party& b) {
        Nd1Call call(b.os);
        codes = {b.inbound->Notify(3, &call.overlapped), b.inbound->Notify(MAXULONG, &call.overlapped)};
    });
    CHECK(codes == Codes(2, ND_INVALID_PARAMETER));
}

TEST_CASE("nd1: cancelling ends the Notify requests of that CQ in their order", "[R87][R142]") {
    Codes statuses;
    std::vector<int> order;
    HRESULT other = ND_SUCCESS;
    run_messages({}, [&](Nd1Party& b) {
        const HANDLE port = b.os.create_port(b.adapter->GetFileHandle(), nullptr, 0);
        Notice first(b, ND_CQ_NOTIFY_ERRORS);
        Notice second(b, ND_CQ_NOTIFY_ANY);
        Notice third(b, ND_CQ_NOTIFY_SOLICITED);
        Nd1Call elsewhere(b.os);
        expect(b.outbound->Notify(ND_CQ_NOTIFY_ANY, &elsewhere.overlapped) == ND_PENDING, "one of the other CQ");
        expect(b.inbound->CancelOverlappedRequests() == ND_SUCCESS, "they are cancelled");
        statuses = {first.status(), second.status(), third.status()};
        PortPacket packet;
        while (b.os.dequeue(port, packet, 0) == ERROR_SUCCESS) {
            order.push_back(packet.overlapped == &first.overlapped    ? 1
                            : packet.overlapped == &second.overlapped ? 2
                            : packet.overlapped == &third.overlapped  ? 3
                                                                      : 4);
        }
        other = elsewhere.now(*b.outbound);
        b.outbound->CancelOverlappedRequests();
    });
    CHECK(statuses == Codes(3, ND_CANCELED));
    CHECK(order == std::vector<int>{1, 2, 3});
    CHECK(other == ND_PENDING);
}

TEST_CASE("nd1: releasing a CQ ends its Notify requests", "[R88]") {
    ULONG_PTR status = 0;
    run_messages({}, [&](Nd1Party& b) {
        Ref<INDCompletionQueue> cq;
        b.make_cq(cq, 8);
        Nd1Call call(b.os);
        expect(cq->Notify(ND_CQ_NOTIFY_ANY, &call.overlapped) == ND_PENDING, "a Notify");
        cq.reset();
        status = call.overlapped.Internal;  // where GetOverlappedResult would have found it
    });
    CHECK(static_cast<HRESULT>(status) == ND_CANCELED);
}

}  // namespace ndsim::test::nd1_notify_test
