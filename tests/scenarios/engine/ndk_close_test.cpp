// SPDX-License-Identifier: Apache-2.0
#include "tests/scenarios/engine/ndk_pair.hpp"

using namespace ndsim;
using namespace ndsim::test;
using namespace std::chrono_literals;

TEST_CASE("close: everything in the wrong order waits for what depends on it", "[K199][K200][K206]") {
    run_pair(
        [](HostContext& host) {
            Party a(host);
            a.be_active("B");
            Call cq(host);
            Call pd(host);
            Call qp(host);
            expect(a.pd->Dispatch->NdkClosePd(&a.pd->Header, Call::closed, &pd) == STATUS_PENDING, "PD");
            expect(a.cq->Dispatch->NdkCloseCq(&a.cq->Header, Call::closed, &cq) == STATUS_PENDING, "CQ");
            expect(a.qp->Dispatch->NdkCloseQp(&a.qp->Header, Call::closed, &qp) == STATUS_PENDING, "QP");
            host.sleep(1ms);
            expect(pd.callbacks + cq.callbacks + qp.callbacks == 0, "the connector is open");
            a.close(a.connector);
            host.sleep(100us);
            expect(qp.callbacks == 1 && cq.callbacks == 1, "QP and CQ are closed");
            expect(pd.callbacks == 0, "the PD has an MR");
            Call mr(host);
            a.mr->Dispatch->NdkCloseMr(&a.mr->Header, Call::closed, &mr);  // nobody waits for it
            pd.event.wait("the PD to close");
            expect(mr.callbacks == 1, "after the MR");
            host.close_adapter(a.adapter);
        },
        [](HostContext& host) {
            Party b(host);
            b.be_passive();
            b.left.wait("A to close its queue pair, which is an abort (K207)");
            b.close_all();
        });
}

TEST_CASE("close: no close is reported while the callback of one that it waited for runs", "[K201][K204]") {
    struct Slow {
        HostContext& host;
        Picoseconds left{};  // when the callback of the QP returned
        Picoseconds cq{};
    };
    run_pair(
        [](HostContext& host) {
            Party a(host);
            Slow slow{host};
            expect(a.cq->Dispatch->NdkCloseCq(
                       &a.cq->Header, [](PVOID context) { static_cast<Slow*>(context)->cq += 1ns; }, &slow) ==
                       STATUS_PENDING,
                   "the CQ has a QP");
            expect(a.qp->Dispatch->NdkCloseQp(
                       &a.qp->Header,
                       [](PVOID context) {
                           auto& inside = *static_cast<Slow*>(context);
                           expect(inside.cq == 0ns, "the CQ's close is not reported before");
                           inside.left += 1ns;
                       },
                       &slow) == STATUS_PENDING,
                   "a QP closes later");
            host.sleep(100us);
            expect(slow.left == 1ns && slow.cq == 1ns, "each once");
            a.close(a.mr->Dispatch->NdkCloseMr, a.mr);
            Call pd(host);
            a.pd->Dispatch->NdkClosePd(&a.pd->Header, Call::closed, &pd);
            host.close_adapter(a.adapter);
        },
        nothing);
}

TEST_CASE("close: a queue pair without a connection leaves its cancelled requests to be polled", "[K207]") {
    run_pair(
        [](HostContext& host) {
            Party a(host);
            int context = 0;
            expect(a.qp->Dispatch->NdkReceive(a.qp, &context, nullptr, 0) == STATUS_SUCCESS, "a receive");
            a.close(a.qp->Dispatch->NdkCloseQp, a.qp);
            NDK_RESULT result{};
            expect(a.cq->Dispatch->NdkGetCqResults(a.cq, &result, 1) == 1, "its completion is there by then");
            expect(result.Status == STATUS_CANCELLED && result.RequestContext == &context, "cancelled");
            expect(result.QPContext == &a, "with the context of the closed QP");
        },
        nothing);
}

TEST_CASE("close: a completion callback may close the object that its call was made on", "[K18][K16]") {
    struct Closer {
        HostContext& host;
        NDK_CONNECTOR* connector = nullptr;
        HostEvent event{host};
        int requests = 0;
        int closes = 0;
    };
    run_pair(
        [](HostContext& host) {
            Party a(host);
            host.sleep(1ms - host.clock());
            Closer closer{host};
            closer.connector = a.new_connector();
            sockaddr_in source = a.address("", 0);
            sockaddr_in target = a.address("B", 4000);
            const auto done = [](PVOID context, NTSTATUS) {
                auto& inside = *static_cast<Closer*>(context);
                ++inside.requests;
                const NTSTATUS status = inside.connector->Dispatch->NdkCloseConnector(
                    &inside.connector->Header,
                    [](PVOID again) {
                        ++static_cast<Closer*>(again)->closes;
                        static_cast<Closer*>(again)->event.signal();
                    },
                    context);
                if (status == STATUS_SUCCESS) {
                    ++inside.closes;
                    inside.event.signal();
                }
            };
            expect(closer.connector->Dispatch->NdkConnect(closer.connector, a.qp, reinterpret_cast<PSOCKADDR>(&source),
                                                          sizeof source, reinterpret_cast<PSOCKADDR>(&target),
                                                          sizeof target, 1, 1, nullptr, 0, done,
                                                          &closer) == STATUS_PENDING,
                   "refused in a moment: nobody listens");
            closer.event.wait("the connector to close");
            host.sleep(100us);
            expect(closer.requests == 1 && closer.closes == 1, "each once");
            a.close_all();
        },
        nothing);
}
