// SPDX-License-Identifier: Apache-2.0
#include "tests/ndapi/ndspi/nd2_calls.hpp"

namespace ndsim::test::nd2_flush_test {

// B has no Receives, and its Sends are held off, so A's three Sends stay under way. A's queue pair has a CQ for each
// direction.
TEST_CASE("nd2: Flush cancels what is posted in both directions, each in its CQ and in order", "[R92]") {
    HRESULT flushed = ND_PENDING;
    Endings inbound;
    Endings outbound;
    run_nd2(
        [&](Nd2Party& a) {
            Ref<IND2CompletionQueue> outbound_cq;
            expect(a.adapter->CreateCompletionQueue(IID_IND2CompletionQueue, a.file, 16, 0, 0, outbound_cq.out()) ==
                       ND_SUCCESS,
                   "another CQ");
            a.qp.reset();
            expect(a.adapter->CreateQueuePair(IID_IND2QueuePair, a.cq.get(), outbound_cq.get(), nullptr, 8, 8, 2, 2, 0,
                                              a.qp.out()) == ND_SUCCESS,
                   "a QP with two CQs");
            a.be_active("B");
            for (std::uintptr_t i = 1; i <= 4; ++i) {
                expect(a.receive(64, context(i)) == ND_SUCCESS, "a Receive");
            }
            for (std::uintptr_t i = 5; i <= 7; ++i) {
                expect(a.send(64, 0, context(i)) == ND_SUCCESS, "a Send");
            }
            a.os.sleep(1);
            expect(poll_of(*a.cq.get()).empty() && poll_of(*outbound_cq.get()).empty(), "nothing has ended");
            flushed = a.qp->Flush();
            inbound = next_of(*a.cq.get(), 4);
            outbound = next_of(*outbound_cq.get(), 3);
            a.os.sleep(1);
            expect(poll_of(*a.cq.get()).empty() && poll_of(*outbound_cq.get()).empty(), "each has one result");
        },
        [](Nd2Party& b) {
            b.be_passive();
            until_ms(b.os, 15);
        },
        {"nic.overflow=rnr", "nic.rnr_retry=7"});
    CHECK(flushed == ND_SUCCESS);
    CHECK(inbound == Endings{{kReceive, ND_CANCELED, 1},
                             {kReceive, ND_CANCELED, 2},
                             {kReceive, ND_CANCELED, 3},
                             {kReceive, ND_CANCELED, 4}});
    CHECK(outbound == Endings{{kSend, ND_CANCELED, 5}, {kSend, ND_CANCELED, 6}, {kSend, ND_CANCELED, 7}});
}

TEST_CASE("nd2: Flush of one queue pair leaves others of its CQ alone", "[R93]") {
    Endings flushed;
    Endings at_b;
    run_nd2_pair({.program =
                      [](Nd2Party& a, const Nd2Place&) {
                          until_ms(a.os, 8);
                          expect(a.send(64) == ND_SUCCESS && a.next().Status == ND_SUCCESS, "a Send");
                      }},
                 {.program = [&](Nd2Party& b, const Nd2Place&) {
                     Nd2Link link(b);
                     expect(b.receive(64, context(1)) == ND_SUCCESS && link.receive(64, 2) == ND_SUCCESS,
                            "a Receive of each");
                     expect(link.qp->Flush() == ND_SUCCESS, "a Flush of the one");
                     b.os.sleep(1);
                     flushed = poll(b);
                     at_b = next(b);
                 }});
    CHECK(flushed == Endings{{kReceive, ND_CANCELED, 2}});
    CHECK(at_b == Endings{{kReceive, ND_SUCCESS, 1}});
}

TEST_CASE("nd2: Flush works without a connection, and notifies once of all", "[R92][R94]") {
    HRESULT notified = ND_PENDING;
    HRESULT again = ND_SUCCESS;
    Endings results;
    run_nd2(
        [&](Nd2Party& a) {
            expect(a.receive(64, context(1)) == ND_SUCCESS && a.receive(64, context(2)) == ND_SUCCESS, "two Receives");
            Nd2Call call(a.os);
            expect(a.cq->Notify(ND_CQ_NOTIFY_ANY, &call.overlapped) == ND_PENDING, "a Notify");
            expect(a.qp->Flush() == ND_SUCCESS, "a Flush");
            notified = call.end(*a.cq.get());
            results = next(a, 2);
            Nd2Call second(a.os);
            expect(a.cq->Notify(ND_CQ_NOTIFY_ANY, &second.overlapped) == ND_PENDING, "another Notify");
            a.os.sleep(1);
            again = second.now(*a.cq.get());
            expect(a.cq->CancelOverlappedRequests() == ND_SUCCESS, "it is over");
        },
        idle);
    CHECK(notified == ND_SUCCESS);
    CHECK(results == Endings{{kReceive, ND_CANCELED, 1}, {kReceive, ND_CANCELED, 2}});
    CHECK(again == ND_PENDING);
}

TEST_CASE("nd2: what is posted after Flush is taken and cancelled", "[R95]") {
    std::vector<HRESULT> posted;
    Endings at_a;
    Endings at_b{{kReceive, ND_SUCCESS, 0}};
    run_nd2_pair({.program =
                      [&](Nd2Party& a, const Nd2Place& b) {
                          expect(a.qp->Flush() == ND_SUCCESS, "a Flush");
                          a.os.sleep(1);
                          posted = {a.receive(64, context(1)), a.send(64, 0, context(2)), a.write(64, b, 0, context(3)),
                                    a.read(64, b, 0, context(4))};
                          at_a = next(a, 4);
                      }},
                 {.rights = kRemoteRights, .program = [&](Nd2Party& b, const Nd2Place&) {
                      expect(b.receive(64) == ND_SUCCESS, "a Receive");
                      until_ms(b.os, 10);
                      at_b = poll(b);
                  }});
    CHECK(posted == std::vector<HRESULT>(4, ND_SUCCESS));
    CHECK(received(at_a) == Endings{{kReceive, ND_CANCELED, 1}});
    CHECK(initiated(at_a) == Endings{{kSend, ND_CANCELED, 2}, {kWrite, ND_CANCELED, 3}, {kRead, ND_CANCELED, 4}});
    CHECK(std::none_of(at_b.begin(), at_b.end(), [](const Ended& each) { return each.status == ND_SUCCESS; }));
}

}  // namespace ndsim::test::nd2_flush_test
