// SPDX-License-Identifier: Apache-2.0
#include "tests/ndapi/ndspi/nd2_srq.hpp"

namespace ndsim::test::nd2_srq_notify_test {

// The first message leaves enough Receives, the second one does not. All who wait are told.
TEST_CASE("nd2: a shared queue notifies when fewer Receives are left than its threshold", "[R142]") {
    std::vector<HRESULT> before;
    std::vector<HRESULT> after;
    HRESULT cancelled = ND_PENDING;
    run_nd2(send_twice, [&](Nd2Party& b) {
        Srq srq;
        hold_four(b, srq);
        Nd2Call none(b.os);
        expect(srq->Notify(&none.overlapped) == ND_PENDING, "a Notify");
        expect(srq->CancelOverlappedRequests() == ND_SUCCESS, "which is cancelled");
        cancelled = none.end(*srq.get());
        Nd2Call first(b.os);
        Nd2Call second(b.os);
        expect(srq->Notify(&first.overlapped) == ND_PENDING && srq->Notify(&second.overlapped) == ND_PENDING,
               "two Notify requests");
        b.be_passive();
        until_ms(b.os, 6);  // three are left
        before = {first.now(*srq.get()), second.now(*srq.get())};
        until_ms(b.os, 10);  // two are left
        after = {first.now(*srq.get()), second.now(*srq.get())};
        until_ms(b.os, 12);
        b.qp.reset();
    });
    CHECK(before == std::vector<HRESULT>(2, ND_PENDING));
    CHECK(after == std::vector<HRESULT>(2, ND_SUCCESS));
    CHECK(cancelled == ND_CANCELED);
}

// One of two Receives is taken, which is fewer than the threshold. The post that makes two of them again takes 8 us,
// and the event of the queue comes during it.
TEST_CASE("nd2: a Notify of a shared queue behind posts does not end with the event that comes during them", "[R142]") {
    HRESULT first_status = ND_PENDING;
    HRESULT second_status = ND_SUCCESS;
    run_nd2(
        [](Nd2Party& a) {
            a.be_active("B");
            until_ms(a.os, 4);
            expect(a.send(64) == ND_SUCCESS && a.next().Status == ND_SUCCESS, "a Send");
            until_ms(a.os, 8);
        },
        [&](Nd2Party& b) {
            Srq srq;
            expect(create_srq(b, srq, 8, 2, 2) == ND_SUCCESS, "an SRQ with a threshold");
            use_srq(b, srq);
            expect(receive(b, srq, 1) == ND_SUCCESS && receive(b, srq, 2) == ND_SUCCESS, "two Receives");
            b.be_passive();
            Nd2Call first(b.os);
            Nd2Call second(b.os);
            expect(srq->Notify(&first.overlapped) == ND_PENDING, "a Notify");
            (void)b.next();
            expect(receive(b, srq, 3) == ND_SUCCESS, "a post");
            expect(srq->Notify(&second.overlapped) == ND_PENDING, "another Notify");
            until_ms(b.os, 6);
            first_status = first.now(*srq.get());
            second_status = second.now(*srq.get());
            expect(srq->CancelOverlappedRequests() == ND_SUCCESS, "over");
            until_ms(b.os, 10);
            b.qp.reset();
        },
        {"hosts.B.cpu.wqe_build=8us"});
    CHECK(first_status == ND_SUCCESS);
    CHECK(second_status == ND_PENDING);
}

}  // namespace ndsim::test::nd2_srq_notify_test
