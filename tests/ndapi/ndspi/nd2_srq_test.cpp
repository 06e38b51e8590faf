// SPDX-License-Identifier: Apache-2.0
#include "tests/ndapi/ndspi/nd2_srq.hpp"

namespace ndsim::test::nd2_srq_test {

// A sends twice while B's shared queue is empty. B posts 8 ms later: six retries, which are all that `infiniband` has
// for other queues, would be over after 6 x 0.64 ms.
void send_to_empty_srq(const std::vector<std::string>& overrides) {
    Endings at_a;
    Endings at_b;
    std::uint64_t ended = 0;
    run_nd2(
        [&](Nd2Party& a) {
            a.be_active("B");
            until_ms(a.os, 4);
            expect(a.send(64, 0, context(1)) == ND_SUCCESS && a.send(64, 0, context(2)) == ND_SUCCESS, "two Sends");
            at_a = next(a);
            ended = a.os.nanoseconds();
            at_a.push_back(next(a).front());
            until_ms(a.os, 20);
        },
        [&](Nd2Party& b) {
            Srq srq;
            make_and_use_srq(b, srq);
            b.be_passive();
            until_ms(b.os, 12);
            expect(receive(b, srq, 3) == ND_SUCCESS && receive(b, srq, 4) == ND_SUCCESS, "two Receives");
            at_b = next(b, 2);
            until_ms(b.os, 20);
            b.qp.reset();
        },
        overrides);
    CHECK(at_a == Endings{{kSend, ND_SUCCESS, 1}, {kSend, ND_SUCCESS, 2}});
    CHECK(ended >= 12'000'000);
    CHECK(at_b == Endings{{kReceive, ND_SUCCESS, 3}, {kReceive, ND_SUCCESS, 4}});
}

TEST_CASE("nd2: a Send that finds a shared queue empty waits for a Receive", "[R26]") {
    send_to_empty_srq({});
}

TEST_CASE("nd2: a Send that finds a shared queue empty waits for a Receive, in InfiniBand, too", "[R26]") {
    send_to_empty_srq({"profile=infiniband"});
}

TEST_CASE("nd2: a Send that finds a shared queue empty waits for a Receive, whatever the retries", "[R26]") {
    send_to_empty_srq({"nic.overflow=credit", "nic.rnr_retry=0"});
}

// The queue pairs take Receives by turns, in the order in which they were posted.
TEST_CASE("nd2: queue pairs that share a queue take its Receives in order", "[R20]") {
    std::vector<ND2_RESULT> at_b;
    HRESULT own = ND_SUCCESS;
    run_nd2(
        [](Nd2Party& a) {
            a.be_active("B");
            Nd2Link link(a);
            link.be_active("B");
            for (int i = 0; i < 2; ++i) {
                expect(a.send(64) == ND_SUCCESS && a.next().Status == ND_SUCCESS, "a Send on the one");
                expect(link.send(32) == ND_SUCCESS && a.next().Status == ND_SUCCESS, "a Send on the other");
            }
            until_ms(a.os, 8);
        },
        [&](Nd2Party& b) {
            Srq srq;
            make_and_use_srq(b, srq);
            Nd2Link link(b);
            link.qp.reset();
            expect(create_qp(b, srq.get(), link.qp, context(88)) == ND_SUCCESS, "another QP with it");
            for (std::uintptr_t i = 1; i <= 5; ++i) {
                expect(receive(b, srq, i, static_cast<ULONG>(64 * i)) == ND_SUCCESS, "a Receive");
            }
            own = b.receive(64);
            b.be_passive();
            link.be_passive();
            for (int i = 0; i < 4; ++i) {
                at_b.push_back(b.next());
            }
            until_ms(b.os, 10);
            b.qp.reset();
        });
    REQUIRE(at_b.size() == 4);
    for (std::size_t i = 0; i < 4; ++i) {
        CHECK(ended(at_b[i]) == Ended{kReceive, ND_SUCCESS, i + 1});
        CHECK(at_b[i].BytesTransferred == (i % 2 == 0 ? 64 : 32));
        CHECK(at_b[i].QueuePairContext == context(i % 2 == 0 ? 77 : 88));
    }
    CHECK(FAILED(own));  // a queue pair with a shared queue has none of its own
}

TEST_CASE("nd2: a shared queue has its limits", "[R5][R7][R9]") {
    std::vector<HRESULT> taken;
    std::vector<HRESULT> refused;
    run_nd2(
        [&](Nd2Party& a) {
            Srq srq;
            expect(create_srq(a, srq) == ND_SUCCESS, "an SRQ");
            const ULONG half = info_of(a).MaxTransferLength / 2 + 1;
            const std::array<ND2_SGE, 3> three{a.piece(8), a.piece(8), a.piece(8)};
            const std::array<ND2_SGE, 2> too_long{a.piece(half), a.piece(half)};
            refused = {srq->Receive(nullptr, three.data(), 3), srq->Receive(nullptr, too_long.data(), 2)};
            taken = {srq->Receive(nullptr, three.data(), 2), srq->Receive(nullptr, nullptr, 0)};
            for (int i = 0; i < 6; ++i) {
                taken.push_back(receive(a, srq, 0));
            }
            refused.push_back(receive(a, srq, 0));
        },
        idle, {"adapter.rounding=exact"});
    CHECK(taken == std::vector<HRESULT>(8, ND_SUCCESS));
    CHECK(refused == std::vector<HRESULT>{ND_DATA_OVERRUN, ND_BUFFER_OVERFLOW, ND_NO_MORE_ENTRIES});
}

TEST_CASE("nd2: bad arguments of shared queues, and of queue pairs with them, are refused by their places", "[R16]") {
    std::vector<HRESULT> srqs;
    std::vector<HRESULT> qps;
    run_nd2(
        [&](Nd2Party& a) {
            const ND2_ADAPTER_INFO info = info_of(a);
            expect(info.MaxSharedReceiveQueueDepth > 0, "there are shared queues");
            Srq srq;
            expect(create_srq(a, srq, info.MaxSharedReceiveQueueDepth, 1) == ND_SUCCESS, "one at the limit");
            Srq bad;
            srqs = {create_srq(a, bad, info.MaxSharedReceiveQueueDepth + 1, 1), create_srq(a, bad, 0, 1),
                    create_srq(a, bad, 1, info.MaxReceiveSge + 1)};
            const auto qp = [&](IUnknown* receive_cq, IUnknown* initiator_cq, IUnknown* from, ULONG depth, ULONG sges,
                                ULONG inline_bytes) {
                Ref<IND2QueuePair> created;
                qps.push_back(a.adapter->CreateQueuePairWithSrq(IID_IND2QueuePair, receive_cq, initiator_cq, from,
                                                                nullptr, depth, sges, inline_bytes, created.out()));
            };
            IUnknown* const cq = a.cq.get();
            qp(nullptr, cq, srq.get(), 1, 1, 0);
            qp(cq, nullptr, srq.get(), 1, 1, 0);
            qp(cq, cq, nullptr, 1, 1, 0);
            qp(cq, cq, srq.get(), info.MaxInitiatorQueueDepth + 1, 1, 0);
            qp(cq, cq, srq.get(), 1, info.MaxInitiatorSge + 1, 0);
            qp(cq, cq, srq.get(), 1, 1, info.MaxInlineDataSize + 1);
            qp(cq, cq, srq.get(), 1, 1, 0);
        },
        idle);
    CHECK(srqs == std::vector<HRESULT>{ND_INVALID_PARAMETER_3, ND_INVALID_PARAMETER_3, ND_INVALID_PARAMETER_4});
    CHECK(qps == std::vector<HRESULT>{ND_INVALID_PARAMETER_2, ND_INVALID_PARAMETER_3, ND_INVALID_PARAMETER_4,
                                      ND_INVALID_PARAMETER_6, ND_INVALID_PARAMETER_7, ND_INVALID_PARAMETER_8,
                                      ND_SUCCESS});
}

TEST_CASE("nd2: an adapter without shared queues says so") {
    ULONG depth = 1;
    run_nd2(
        [&](Nd2Party& a) {
            depth = info_of(a).MaxSharedReceiveQueueDepth;
            Srq srq;
            expect(FAILED(create_srq(a, srq)), "there are none");
        },
        idle, {"nic.srq.max_depth=0"});
    CHECK(depth == 0);
}

// Codes are those of the page (ndspi.md 4.5).
TEST_CASE("nd2: a shared queue becomes no smaller than what it holds") {
    std::vector<HRESULT> statuses;
    run_nd2(
        [&](Nd2Party& a) {
            Srq srq;
            expect(create_srq(a, srq) == ND_SUCCESS, "an SRQ");
            for (std::uintptr_t i = 1; i <= 8; ++i) {
                expect(receive(a, srq, i) == ND_SUCCESS, "a Receive");
            }
            statuses = {srq->Modify(4, 0), receive(a, srq, 9), srq->Modify(16, 0), receive(a, srq, 9)};
        },
        idle);
    CHECK(statuses == std::vector<HRESULT>{ND_BUFFER_OVERFLOW, ND_NO_MORE_ENTRIES, ND_SUCCESS, ND_SUCCESS});
}

// The threshold is 3 at first, of 8 Receives.
TEST_CASE("nd2: a shared queue's threshold is never above its depth") {
    std::vector<HRESULT> statuses;
    run_nd2(
        [&](Nd2Party& a) {
            Srq srq;
            expect(create_srq(a, srq, 8, 2, 3) == ND_SUCCESS, "an SRQ");
            statuses = {srq->Modify(0, 9), srq->Modify(16, 17), srq->Modify(2, 0),
                        srq->Modify(0, 8), srq->Modify(16, 16), srq->Modify(2, 2)};
        },
        idle);
    CHECK(statuses == std::vector<HRESULT>{ND_INVALID_PARAMETER, ND_INVALID_PARAMETER, ND_INVALID_PARAMETER, ND_SUCCESS,
                                           ND_SUCCESS, ND_SUCCESS});
}

// As above, though the threshold was to be one: two are left in the end.
TEST_CASE("nd2: a shared queue that cannot become so small keeps its threshold, too") {
    std::vector<HRESULT> told;
    run_nd2(send_twice, [&](Nd2Party& b) {
        Srq srq;
        hold_four(b, srq);
        expect(srq->Modify(2, 1) == ND_BUFFER_OVERFLOW, "there are four");
        Nd2Call call(b.os);
        expect(srq->Notify(&call.overlapped) == ND_PENDING, "a Notify");
        b.be_passive();
        for (const std::uint64_t when : {6U, 10U}) {
            until_ms(b.os, when);
            told.push_back(call.now(*srq.get()));
        }
        until_ms(b.os, 12);
        b.qp.reset();
    });
    CHECK(told == std::vector<HRESULT>{ND_PENDING, ND_SUCCESS});
}

}  // namespace ndsim::test::nd2_srq_test
