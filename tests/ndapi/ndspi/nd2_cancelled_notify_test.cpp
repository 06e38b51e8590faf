// SPDX-License-Identifier: Apache-2.0
#include "tests/ndapi/ndspi/nd2_receiver.hpp"

// Requests behind one that was cancelled.

namespace ndsim::test::nd2_cancelled_notify_test {

// The first message comes when nobody waits any more, and is taken. The second one is new.
TEST_CASE("nd2: a Notify after a cancelled one completes with the next result", "[R77][R87]") {
    HRESULT before = ND_SUCCESS;
    HRESULT after = ND_PENDING;
    run_receiver({{5}, {8}}, [&](Nd2Party& b) {
        Nd2Call cancelled(b.os);
        Nd2Call again(b.os);
        notify(b, ND_CQ_NOTIFY_ANY, cancelled);
        expect(b.cq->CancelOverlappedRequests() == ND_SUCCESS, "nobody waits");
        until_ms(b.os, 6);
        expect(next(b).front().status == ND_SUCCESS, "the first message");
        notify(b, ND_CQ_NOTIFY_ANY, again);
        until_ms(b.os, 7);
        before = now(b, again);
        until_ms(b.os, 9);
        after = now(b, again);
        expect(b.cq->CancelOverlappedRequests() == ND_SUCCESS, "over");
    });
    CHECK(before == ND_PENDING);
    CHECK(after == ND_SUCCESS);
}

// A poll sees the first message before its interrupt is there, which the cancelled request no longer waits for.
TEST_CASE("nd2: the notification of a cancelled Notify does not end the next one", "[R77][R80][R87]") {
    std::vector<HRESULT> statuses;
    run_receiver({{5}, {8}}, [&](Nd2Party& b) {
        Nd2Call cancelled(b.os);
        Nd2Call again(b.os);
        notify(b, ND_CQ_NOTIFY_ANY, cancelled);
        expect(next(b).front().status == ND_SUCCESS, "the first message");
        expect(b.cq->CancelOverlappedRequests() == ND_SUCCESS, "nobody waits");
        notify(b, ND_CQ_NOTIFY_ANY, again);
        until_ms(b.os, 7);
        statuses = {now(b, cancelled), now(b, again)};
        until_ms(b.os, 9);
        statuses.push_back(now(b, again));
    });
    CHECK(statuses == std::vector<HRESULT>{ND_CANCELED, ND_PENDING, ND_SUCCESS});
}

// The first message meets only the request that was cancelled.
TEST_CASE("nd2: a Notify for marked messages takes no notification of a cancelled one for any", "[R81][R87]") {
    std::vector<HRESULT> statuses;
    const auto cancel_and_wait = [&](Nd2Party& b) {
        Nd2Call cancelled(b.os);
        Nd2Call marked(b.os);
        notify(b, ND_CQ_NOTIFY_ANY, cancelled);
        expect(b.cq->CancelOverlappedRequests() == ND_SUCCESS, "nobody waits");
        notify(b, ND_CQ_NOTIFY_SOLICITED, marked);
        until_ms(b.os, 7);
        statuses = {now(b, cancelled), now(b, marked)};
        until_ms(b.os, 9);
        statuses.push_back(now(b, marked));
    };
    run_receiver({{5}, {8, kMarked}}, cancel_and_wait, {"nic.cq.arm_immediate=typed"});
    CHECK(statuses == std::vector<HRESULT>{ND_CANCELED, ND_PENDING, ND_SUCCESS});
}

}  // namespace ndsim::test::nd2_cancelled_notify_test
