// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "tests/ndapi/ndk/ndk_pair.hpp"
#include "tests/ndapi/ndk/ndk_program.hpp"

namespace ndsim::test::ndk_program_test {

TEST_CASE("ndk: opening an adapter agrees on the highest minor of a major", "[K10][K11]") {
    run_on_a([](HostContext& host) {
        NDK_ADAPTER* adapter = nullptr;
        expect(host.open_adapter({3, 0}, &adapter) == NDIS_STATUS_BAD_VERSION, "there is no version 3");
        expect(host.open_adapter({1, 9}, &adapter) == NDIS_STATUS_BAD_VERSION, "there is no version 1.9");
        expect(host.open_adapter({1, 0}, &adapter) == STATUS_SUCCESS, "1.0 is spoken");
        host.close_adapter(adapter);
    });
}

TEST_CASE("ndk: adapter info says how much room it needs", "[K12][K13]") {
    run_on_a([](HostContext& host) {
        NDK_ADAPTER* adapter = nullptr;
        expect(host.open_adapter({2, 0}, &adapter) == STATUS_SUCCESS, "2.0 is spoken");
        NDK_ADAPTER_INFO info{};
        ULONG size = 10;
        expect(adapter->Dispatch->NdkQueryAdapterInfo(adapter, &info, &size) == STATUS_BUFFER_TOO_SMALL, "too small");
        expect(size == 104, "the size of the structure (ndkpi.md 1.1)");
        expect(adapter->Dispatch->NdkQueryAdapterInfo(adapter, &info, &size) == STATUS_SUCCESS, "now it fits");
        expect(info.FRMRPageCount >= 16, "K211");
        NDK_EXTENSION_INTERFACE extension{};
        const GUID unknown{};
        expect(adapter->Dispatch->NdkQueryExtension(&adapter->Header, &unknown, {1, 0}, &extension) ==
                   STATUS_NOT_SUPPORTED,
               "no extension is known");
        host.close_adapter(adapter);
    });
}

TEST_CASE("ndk: limits of creation", "[K21][limit]") {
    run_on_a([](Objects& objects) {
        NDK_ADAPTER_INFO info{};
        ULONG size = sizeof info;
        expect(objects.adapter->Dispatch->NdkQueryAdapterInfo(objects.adapter, &info, &size) == STATUS_SUCCESS, "info");
        const auto create = [&](ULONG receive, ULONG initiator, ULONG sges, ULONG inlined) {
            return objects.pd->Dispatch->NdkCreateQp(objects.pd, objects.cq, objects.cq, nullptr, receive, initiator,
                                                     sges, sges, inlined, Call::created, nullptr, nullptr);
        };
        expect(create(info.MaxReceiveQueueDepth + 1, 1, 1, 0) == STATUS_INVALID_PARAMETER, "receive depth");
        expect(create(1, info.MaxInitiatorQueueDepth + 1, 1, 0) == STATUS_INVALID_PARAMETER, "initiator depth");
        expect(create(1, 0, 1, 0) == STATUS_INVALID_PARAMETER, "an initiator depth of 0");
        expect(create(1, 1, info.MaxInitiatorRequestSge + 1, 0) == STATUS_INVALID_PARAMETER, "SGEs");
        expect(create(1, 1, 1, info.MaxInlineDataSize + 1) == STATUS_INVALID_PARAMETER, "inline data");
        expect(objects.adapter->Dispatch->NdkCreateCq(objects.adapter, info.MaxCqDepth + 1, nullptr, nullptr, nullptr,
                                                      Call::created, nullptr, nullptr) == STATUS_INVALID_PARAMETER,
               "CQ depth");
    });
}

TEST_CASE("ndk: posts on a queue pair that is not connected", "[K22][K24][K28][K29][K32][K33][limit]") {
    run_on_a([](const Objects& objects) {
        const auto& call = *objects.qp->Dispatch;
        expect(call.NdkSend(objects.qp, nullptr, nullptr, 0, 0) == STATUS_CONNECTION_INVALID,
               "Send needs a connection");
        expect(call.NdkSend(objects.qp, nullptr, nullptr, 0, NDK_OP_FLAG_ALLOW_REMOTE_READ) == STATUS_INVALID_PARAMETER,
               "a flag of Bind is none of Send");
        expect(call.NdkSend(objects.qp, nullptr, nullptr, 1, 0) == STATUS_INVALID_PARAMETER, "a count without a list");
        std::array<NDK_SGE, 3> sgl{};
        expect(call.NdkReceive(objects.qp, nullptr, sgl.data(), 3) == STATUS_DATA_OVERRUN, "two SGEs are the limit");
        expect(call.NdkReceive(objects.qp, nullptr, sgl.data(), 2) == STATUS_SUCCESS, "receives need no connection");
        expect(call.NdkReceive(objects.qp, nullptr, nullptr, 0) == STATUS_SUCCESS, "nor buffers");
        expect(call.NdkReceive(objects.qp, nullptr, nullptr, 0) == STATUS_NO_MORE_ENTRIES,
               "two receives are the limit");
    });
}

TEST_CASE("ndk: flush cancels what is pending, and closing in the wrong order waits", "[K147][K199][K200]") {
    run_on_a([](Objects& objects) {
        int context = 0;
        expect(objects.qp->Dispatch->NdkReceive(objects.qp, &context, nullptr, 0) == STATUS_SUCCESS, "a receive");
        objects.qp->Dispatch->NdkFlush(objects.qp);
        NDK_RESULT result{};
        for (int polls = 0; objects.cq->Dispatch->NdkGetCqResults(objects.cq, &result, 1) == 0; ++polls) {
            expect(polls < 1000, "the completion comes");
        }
        expect(result.Status == STATUS_CANCELLED, "it is cancelled");
        expect(result.RequestContext == &context && result.QPContext == &objects, "contexts come back (K34)");
        // CQ and PD first: they stay until the QP is gone.
        Call cq_call(objects.host);
        Call pd_call(objects.host);
        expect(objects.cq->Dispatch->NdkCloseCq(&objects.cq->Header, Call::closed, &cq_call) == STATUS_PENDING, "CQ");
        expect(objects.pd->Dispatch->NdkClosePd(&objects.pd->Header, Call::closed, &pd_call) == STATUS_PENDING, "PD");
        objects.host.sleep(std::chrono::microseconds{100});
        expect(cq_call.callbacks == 0 && pd_call.callbacks == 0, "both wait for the QP");
        objects.close(objects.qp->Dispatch->NdkCloseQp, objects.qp);
        cq_call.event.wait("the CQ to close");
        expect(cq_call.callbacks == 1 && pd_call.callbacks == 1, "both are closed, once");
        objects.host.close_adapter(objects.adapter);
    });
}

// B's memory is not the peer's to write. The result of the run has both queue pairs, by their numbers; whether that is
// a failure only the programs know.
TEST_CASE("ndk: queue pairs of programs that fail are among the connections that an error ends") {
    const ChildResult run =
        run_connected_pair({.program =
                                [](Party& a, const Place& peer) {
                                    expect(a.write(64, peer) == STATUS_SUCCESS, "a Write");
                                    expect(a.next().Status == STATUS_REMOTE_RESOURCES, "B refuses it");
                                }},
                           {});
    INFO(run.why);
    REQUIRE(run.outcome == RunOutcome::finished);
    REQUIRE(run.dead_connections.size() == 2);
    CHECK(run.dead_connections[0].ends.starts_with("B.0x"));
    CHECK(run.dead_connections[0].why == "a request of the peer used memory that it may not use (loc_access)");
    CHECK(run.dead_connections[1].ends.starts_with("A.0x"));
    CHECK(run.dead_connections[1].why == "a request used memory of the peer that it may not use (rem_access)");
    CHECK(run.dead_connections[1].expected);
}

}  // namespace ndsim::test::ndk_program_test
