// SPDX-License-Identifier: Apache-2.0
#include "tests/ndapi/ndk/ndk_srq_party.hpp"

namespace ndsim::test::ndk_srq_test {

using namespace std::chrono_literals;

TEST_CASE("ndk srq: limits of creation", "[K21][limit]") {
    run_on_a(
        [](SrqParty& party) {
            const NDK_ADAPTER_INFO info = party.info();
            expect(info.MaxSrqDepth == 100, "as the parameter says");
            const auto create = [&](ULONG depth, ULONG sges) {
                Call call(party.host);
                return call.wait(party.pd->Dispatch->NdkCreateSrq(party.pd, depth, sges, 0, nullptr, nullptr, nullptr,
                                                                  Call::created, &call, nullptr));
            };
            expect(create(100, info.MaxReceiveRequestSge) == STATUS_SUCCESS, "both at their limits");
            expect(create(101, 1) == STATUS_INVALID_PARAMETER, "depth");
            expect(create(1, info.MaxReceiveRequestSge + 1) == STATUS_INVALID_PARAMETER, "SGEs");
            expect(create(0, 1) == STATUS_INVALID_PARAMETER, "a depth of 0");
            NDK_SRQ* const srq = party.new_srq(4);
            expect(srq->Header.ObjectType == NdkObjectTypeSrq && srq->Header.Version.Major == 2, "K8");
            NDK_CQ* const cq = party.new_cq();
            const auto create_qp = [&](NDK_PD* pd, ULONG depth, ULONG initiator_sges, ULONG inlined) {
                Call call(party.host);
                return call.wait(pd->Dispatch->NdkCreateQpWithSrq(pd, cq, cq, srq, nullptr, depth, initiator_sges,
                                                                  inlined, Call::created, &call, nullptr));
            };
            expect(create_qp(party.pd, info.MaxInitiatorQueueDepth + 1, 1, 0) == STATUS_INVALID_PARAMETER, "QP depth");
            expect(create_qp(party.pd, 0, 1, 0) == STATUS_INVALID_PARAMETER, "a QP depth of 0");
            expect(create_qp(party.pd, 1, info.MaxInitiatorRequestSge + 1, 0) == STATUS_INVALID_PARAMETER, "QP's SGEs");
            expect(create_qp(party.pd, 1, 1, info.MaxInlineDataSize + 1) == STATUS_INVALID_PARAMETER, "inline data");
            expect(create_qp(party.new_pd(), 1, 1, 0) == STATUS_INVALID_PARAMETER, "an SRQ of another PD");
            expect(create_qp(party.pd, info.MaxInitiatorQueueDepth, info.MaxInitiatorRequestSge,
                             info.MaxInlineDataSize) == STATUS_SUCCESS,
                   "all three at their limits");
        },
        {"nic.srq.max_depth=100"});
}

TEST_CASE("ndk srq: an adapter without shared receive queues creates none", "[K21]") {
    run_on_a(
        [](const SrqParty& party) {
            expect(party.info().MaxSrqDepth == 0, "none");
            expect(party.pd->Dispatch->NdkCreateSrq(party.pd, 1, 1, 0, nullptr, nullptr, nullptr, Call::created,
                                                    nullptr, nullptr) == STATUS_NOT_SUPPORTED,
                   "not supported");
        },
        {"nic.srq.max_depth=0"});
}

TEST_CASE("ndk srq: posts", "[K28][K29][K33][K198][limit]") {
    run_on_a([](SrqParty& party) {
        NDK_SRQ* const srq = party.new_srq(3);
        NDK_QP* const qp = party.new_qp(party.new_cq(), srq);
        expect(qp->Dispatch->NdkReceive(qp, nullptr, nullptr, 0) == STATUS_INVALID_DEVICE_REQUEST,
               "the QP has no receive queue");
        const std::array<NDK_SGE, 2> sgl{};
        expect(srq->Dispatch->NdkSrqReceive(srq, nullptr, sgl.data(), 2) == STATUS_DATA_OVERRUN,
               "one SGE is the limit");
        expect(srq->Dispatch->NdkSrqReceive(srq, nullptr, nullptr, 1) == STATUS_INVALID_PARAMETER, "no list");
        expect(srq->Dispatch->NdkSrqReceive(srq, nullptr, sgl.data(), 1) == STATUS_SUCCESS, "one SGE");
        expect(post(srq) == STATUS_SUCCESS && post(srq) == STATUS_SUCCESS, "three are the limit, not a power of two");
        expect(post(srq) == STATUS_NO_MORE_ENTRIES, "the SRQ is full");
    });
}

TEST_CASE("ndk srq: modified to another depth", "[K28][K193]") {
    run_on_a([](SrqParty& party) {
        NDK_SRQ* const srq = party.new_srq(4);
        for (int i = 0; i < 4; ++i) {
            expect(post(srq) == STATUS_SUCCESS, "four fit");
        }
        expect(party.modify(srq, party.info().MaxSrqDepth + 1, 0) == STATUS_INVALID_PARAMETER, "over the limit");
        expect(party.modify(srq, 3, 0) == STATUS_BUFFER_OVERFLOW, "fewer than are queued");
        expect(post(srq) == STATUS_NO_MORE_ENTRIES, "the depth is still four");
        expect(party.modify(srq, 0, 0) == STATUS_SUCCESS, "nothing changes");
        expect(post(srq) == STATUS_NO_MORE_ENTRIES, "nothing has changed");
        expect(party.modify(srq, 6, 0) == STATUS_SUCCESS, "six");
        expect(post(srq) == STATUS_SUCCESS && post(srq) == STATUS_SUCCESS, "two more fit");
        expect(post(srq) == STATUS_NO_MORE_ENTRIES, "seven do not");
        expect(party.modify(srq, 0, 1) == STATUS_SUCCESS, "a threshold alone");
        expect(post(srq) == STATUS_NO_MORE_ENTRIES, "keeps the depth");
        // While a smaller depth is on its way, as while a larger one is, the smaller of both holds.
        Call call(party.host);
        expect(srq->Dispatch->NdkModifySrq(srq, 20, 0, Call::done, &call) == STATUS_PENDING, "twenty");
        expect(post(srq) == STATUS_NO_MORE_ENTRIES, "not yet");
        call.event.wait("the change");
        expect(call.callbacks == 1 && call.status == STATUS_SUCCESS, "K16");
        expect(post(srq) == STATUS_SUCCESS, "now");
    });
}

TEST_CASE("ndk srq: a threshold that more than are queued arms calls back at once, each time", "[K191][K192][K195]") {
    run_on_a([](SrqParty& party) {
        NDK_SRQ* const srq = party.new_srq(8, 2);
        const auto callbacks = [&] {
            party.host.sleep(100us);
            return std::exchange(party.notifications.count, 0);
        };
        expect(callbacks() == 0, "it is new and empty");
        expect(post(srq) == STATUS_SUCCESS && party.modify(srq, 0, 2) == STATUS_SUCCESS, "two, and one is queued");
        expect(callbacks() == 1, "fewer than the threshold");
        expect(party.modify(srq, 0, 2) == STATUS_SUCCESS && callbacks() == 1, "once more");
        // The post's doorbell and the command go different ways; the post comes first all the same.
        expect(post(srq) == STATUS_SUCCESS && party.modify(srq, 0, 2) == STATUS_SUCCESS, "two are queued");
        expect(callbacks() == 0, "as many as the threshold");
        expect(party.modify(srq, 0, 0) == STATUS_SUCCESS && callbacks() == 0, "0 changes nothing (K193)");
    });
}

TEST_CASE("ndk srq: an SRQ without a callback is armed to no effect", "[K191]") {
    run_on_a([](const SrqParty& party) {
        Call call(party.host);
        expect(call.wait(party.pd->Dispatch->NdkCreateSrq(party.pd, 4, 1, 4, nullptr, nullptr, nullptr, Call::created,
                                                          &call, nullptr)) == STATUS_SUCCESS,
               "an SRQ");
        expect(party.modify(reinterpret_cast<NDK_SRQ*>(call.object), 0, 4) == STATUS_SUCCESS, "armed");
        party.host.sleep(100us);
    });
}

TEST_CASE("ndk srq: closed before its QP it waits for that, and the PD for both", "[K17][K200]") {
    run_on_a([](SrqParty& party) {
        NDK_SRQ* const srq = party.new_srq(4);
        NDK_CQ* const cq = party.new_cq();
        NDK_QP* const qp = party.new_qp(cq, srq);
        expect(post(srq) == STATUS_SUCCESS, "a receive that nobody takes");
        Call pd_call(party.host);
        Call srq_call(party.host);
        Call qp_call(party.host);
        expect(party.pd->Dispatch->NdkClosePd(&party.pd->Header, Call::closed, &pd_call) == STATUS_PENDING, "PD");
        expect(srq->Dispatch->NdkCloseSrq(&srq->Header, Call::closed, &srq_call) == STATUS_PENDING, "SRQ");
        party.host.sleep(100us);
        expect(srq_call.callbacks == 0 && pd_call.callbacks == 0, "both wait for the QP");
        qp_call.wait(qp->Dispatch->NdkCloseQp(&qp->Header, Call::closed, &qp_call));
        srq_call.event.wait("the SRQ to close");
        pd_call.event.wait("the PD to close");
        expect(srq_call.callbacks == 1 && pd_call.callbacks == 1, "both are closed, once");
        Call cq_call(party.host);
        cq_call.wait(cq->Dispatch->NdkCloseCq(&cq->Header, Call::closed, &cq_call));
        party.host.close_adapter(party.adapter);
    });
}

TEST_CASE("ndk srq: a close waits for a change that is under way", "[K202]") {
    run_on_a([](SrqParty& party) {
        NDK_SRQ* const srq = party.new_srq(4);
        Call change(party.host);
        Call close(party.host);
        expect(srq->Dispatch->NdkModifySrq(srq, 8, 0, Call::done, &change) == STATUS_PENDING, "a change");
        expect(srq->Dispatch->NdkCloseSrq(&srq->Header, Call::closed, &close) == STATUS_PENDING, "the close pends");
        close.event.wait("the SRQ to close");
        expect(change.callbacks == 1 && close.callbacks == 1, "the change was told first");
        // Alone, it is closed at once.
        NDK_SRQ* const other = party.new_srq(4);
        expect(other->Dispatch->NdkCloseSrq(&other->Header, Call::closed, &close) == STATUS_SUCCESS, "no callback");
        expect(close.callbacks == 1, "none");
    });
}

}  // namespace ndsim::test::ndk_srq_test
