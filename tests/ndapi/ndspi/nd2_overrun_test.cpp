// SPDX-License-Identifier: Apache-2.0
#include "tests/ndapi/ndspi/nd2_calls.hpp"

namespace ndsim::test::nd2_overrun_test {

// What B sees of a completion queue of four that a fifth message overruns.
struct Overrun {
    std::vector<HRESULT> before;  // of one Notify of each type, while four results are there
    std::vector<HRESULT> after;   // of the same
    HRESULT returned_later = ND_SUCCESS;
    HRESULT later = ND_PENDING;  // of a Notify after that
    std::vector<HRESULT> posts;
    Endings results;
    Endings further{{}};
};

void overrun(Nd2Party& b, Overrun& seen) {
    Ref<IND2CompletionQueue> other_cq;
    expect(b.adapter->CreateCompletionQueue(IID_IND2CompletionQueue, b.file, 8, 0, 0, other_cq.out()) == ND_SUCCESS,
           "another CQ");
    const auto make_qp = [&](IND2CompletionQueue& receive, IND2CompletionQueue& initiator, Ref<IND2QueuePair>& made) {
        expect(b.adapter->CreateQueuePair(IID_IND2QueuePair, &receive, &initiator, nullptr, 1, 1, 1, 1, 0,
                                          made.out()) == ND_SUCCESS,
               "another QP");
    };
    Ref<IND2QueuePair> receiver;
    Ref<IND2QueuePair> initiator;
    make_qp(*b.cq.get(), *other_cq.get(), receiver);
    make_qp(*other_cq.get(), *b.cq.get(), initiator);
    until_ms(b.os, 6);
    Nd2Call at_once(b.os);
    expect(b.cq->Notify(ND_CQ_NOTIFY_ANY, &at_once.overlapped) == ND_PENDING, "a Notify");
    expect(at_once.end(*b.cq.get()) == ND_SUCCESS, "it tells of the four");
    Nd2Call any(b.os);
    Nd2Call solicited(b.os);
    Nd2Call errors(b.os);
    expect(b.cq->Notify(ND_CQ_NOTIFY_ANY, &any.overlapped) == ND_PENDING &&
               b.cq->Notify(ND_CQ_NOTIFY_SOLICITED, &solicited.overlapped) == ND_PENDING &&
               b.cq->Notify(ND_CQ_NOTIFY_ERRORS, &errors.overlapped) == ND_PENDING,
           "one of each type");
    b.os.sleep(0);
    seen.before = {any.now(*b.cq.get()), solicited.now(*b.cq.get()), errors.now(*b.cq.get())};
    seen.after = {any.end(*b.cq.get()), solicited.end(*b.cq.get()), errors.end(*b.cq.get())};
    Nd2Call later(b.os);
    seen.returned_later = b.cq->Notify(ND_CQ_NOTIFY_ANY, &later.overlapped);
    seen.later = later.end(*b.cq.get());
    seen.posts = {b.receive(64), b.send(64), receiver->Receive(nullptr, nullptr, 0),
                  initiator->Receive(nullptr, nullptr, 0)};
    seen.results = poll(b);
    b.os.sleep(2);
    seen.further = poll(b);
}

TEST_CASE("nd2: a result too many ends a completion queue and all queue pairs that use it",
          "[R18][R72][R73][R74][R75]") {
    Overrun seen;
    HRESULT a_is_told = ND_PENDING;
    Endings at_a;
    run_nd2_pair({.program =
                      [&](Nd2Party& a, const Nd2Place&) {
                          Nd2Call ends(a.os);
                          expect(a.connector->NotifyDisconnect(&ends.overlapped) == ND_PENDING, "it is connected");
                          expect(a.receive(64, context(9)) == ND_SUCCESS, "A could receive");
                          for (int i = 0; i < 4; ++i) {
                              expect(a.send(64) == ND_SUCCESS && a.next().Status == ND_SUCCESS, "four messages");
                          }
                          until_ms(a.os, 10);
                          expect(a.send(64, 0, context(10)) == ND_SUCCESS, "a fifth");
                          a_is_told = ends.end(*a.connector.get());
                          at_a = received(next(a, 2));
                      }},
                 {.program =
                      [&](Nd2Party& b, const Nd2Place&) {
                          for (std::uintptr_t i = 1; i <= 6; ++i) {
                              expect(b.receive(64, context(i)) == ND_SUCCESS, "a Receive");
                          }
                          overrun(b, seen);
                      },
                  .sizes = {.cq_depth = 4}},
                 {"adapter.rounding=exact"});
    CHECK(seen.before == std::vector<HRESULT>(3, ND_PENDING));
    CHECK(seen.after == std::vector<HRESULT>(3, ND_BUFFER_OVERFLOW));
    CHECK(seen.returned_later == ND_PENDING);
    CHECK(seen.later == ND_BUFFER_OVERFLOW);
    CHECK(seen.posts == std::vector<HRESULT>(4, ND_CONNECTION_INVALID));
    CHECK(seen.results == Endings{{kReceive, ND_SUCCESS, 1},
                                  {kReceive, ND_SUCCESS, 2},
                                  {kReceive, ND_SUCCESS, 3},
                                  {kReceive, ND_SUCCESS, 4}});
    CHECK(seen.further.empty());
    CHECK(a_is_told == ND_SUCCESS);
    CHECK(at_a == Endings{{kReceive, ND_CANCELED, 9}});
}

TEST_CASE("nd2: as many results as a completion queue holds are no overrun", "[R72]") {
    HRESULT status = ND_PENDING;
    Endings results;
    run_nd2(
        [&](HostContext& host, ProgramHost& os) {
            Nd2Party a(host, os, ND_MR_FLAG_ALLOW_LOCAL_WRITE, {.cq_depth = 4});
            Nd2Call call(os);
            for (std::uintptr_t i = 1; i <= 4; ++i) {
                expect(a.receive(64, context(i)) == ND_SUCCESS, "a Receive");
            }
            expect(a.qp->Flush() == ND_SUCCESS, "four results");
            os.sleep(1);
            expect(a.cq->Notify(ND_CQ_NOTIFY_ANY, &call.overlapped) == ND_PENDING, "a Notify");
            status = call.end(*a.cq.get());
            results = poll(a);
        },
        idle, {"adapter.rounding=exact"});
    CHECK(status == ND_SUCCESS);
    CHECK(results == Endings{{kReceive, ND_CANCELED, 1},
                             {kReceive, ND_CANCELED, 2},
                             {kReceive, ND_CANCELED, 3},
                             {kReceive, ND_CANCELED, 4}});
}

}  // namespace ndsim::test::nd2_overrun_test
