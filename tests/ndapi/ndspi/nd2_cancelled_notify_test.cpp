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

// The post takes 8 us, and the interrupt of the message that B has polled comes 1.2 us into it.
TEST_CASE("nd2: a Notify behind posts does not end with the notification that comes during them", "[R80]") {
    std::vector<HRESULT> statuses;
    const auto post_and_wait = [&](Nd2Party& b) {
        Nd2Call first(b.os);
        Nd2Call second(b.os);
        notify(b, ND_CQ_NOTIFY_ANY, first);
        expect(next(b).front().status == ND_SUCCESS, "a message");
        expect(b.receive(64, context(9)) == ND_SUCCESS, "a post");
        notify(b, ND_CQ_NOTIFY_ANY, second);
        until_ms(b.os, 6);
        statuses = {now(b, first), now(b, second)};
        expect(b.cq->CancelOverlappedRequests() == ND_SUCCESS, "over");
    };
    run_receiver({{4}}, post_and_wait, {"hosts.B.cpu.wqe_build=8us"});
    CHECK(statuses == std::vector<HRESULT>{ND_SUCCESS, ND_PENDING});
}

// Thirty posts take B some microseconds behind the first message of a round, in which it looks at nothing. The second
// message, which comes earlier or later in them, ends the Notify, or it is new to the next one.
TEST_CASE("nd2: a result that comes while a program is busy is told before its Notify is cancelled, or to the next one",
          "[R78][R87][B15]") {
    constexpr int kRounds = 20;
    int ended = 0;
    int lost = 0;
    run_nd2_pair({.program =
                      [&](Nd2Party& a, const Nd2Place& b) {
                          for (int round = 0; round < kRounds; ++round) {
                              a.os.sleep(2);
                              expect(a.send(64) == ND_SUCCESS, "the first message");
                              for (int i = 0; i < round; ++i) {  // 120 ns each
                                  expect(a.write(64, b, ND_OP_FLAG_SILENT_SUCCESS) == ND_SUCCESS, "a Write");
                              }
                              expect(a.send(64) == ND_SUCCESS, "the second message");
                              next(a, 2);
                          }
                      },
                  .sizes = {.initiator_depth = 64}},
                 {.rights = kRemoteRights,
                  .program =
                      [&](Nd2Party& b, const Nd2Place&) {
                          expect(b.receive(64) == ND_SUCCESS && b.receive(64) == ND_SUCCESS, "two Receives");
                          for (int round = 0; round < kRounds; ++round) {
                              Nd2Call first(b.os);
                              Nd2Call second(b.os);
                              expect(next(b).front().status == ND_SUCCESS, "the first message");
                              notify(b, ND_CQ_NOTIFY_ANY, first);
                              for (int i = 0; i < 30; ++i) {
                                  expect(b.receive(64) == ND_SUCCESS, "a Receive");
                              }
                              expect(b.cq->CancelOverlappedRequests() == ND_SUCCESS, "nobody waits");
                              ended += now(b, first) == ND_SUCCESS ? 1 : 0;
                              if (now(b, first) == ND_CANCELED) {
                                  notify(b, ND_CQ_NOTIFY_ANY, second);
                                  lost += b.os.wait(&second.overlapped.hEvent, 1, false, 1) == WAIT_OBJECT_0 ? 0 : 1;
                                  expect(b.cq->CancelOverlappedRequests() == ND_SUCCESS, "over");
                              }
                              expect(next(b).front().status == ND_SUCCESS, "the second message");
                          }
                      },
                  .sizes = {.receive_depth = 1024}});
    CHECK(ended > 0);
    CHECK(ended < kRounds);
    CHECK(lost == 0);
}

}  // namespace ndsim::test::nd2_cancelled_notify_test
