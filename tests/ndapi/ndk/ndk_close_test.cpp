// SPDX-License-Identifier: Apache-2.0
#include "tests/ndapi/ndk/ndk_pair.hpp"

namespace ndsim::test::ndk_close_test {

using namespace std::chrono_literals;

NDK_MR* new_mr(Party& party, BOOLEAN fast_register) {
    NDK_MR* mr = nullptr;
    party.make(mr, [&](Call& call, NDK_MR** out) {
        return party.pd->Dispatch->NdkCreateMr(party.pd, fast_register, Call::created, &call, out);
    });
    return mr;
}

// A request of an MR, and the MR's close while that is under way.
struct Overtaken {
    explicit Overtaken(HostContext& host) : request(host), closing(host) {}

    static void closed(PVOID context) {
        auto& both = *static_cast<Overtaken*>(context);
        expect(both.request.callbacks == 1, "the request has ended before");
        Call::closed(&both.closing);
    }
    void close(NDK_MR* mr) {
        expect(mr->Dispatch->NdkCloseMr(&mr->Header, closed, this) == STATUS_PENDING, "the request is under way");
        closing.event.wait("the MR to close");
        expect(request.callbacks == 1 && closing.callbacks == 1, "each once");
    }

    Call request;
    Call closing;
};

TEST_CASE("close: everything in the wrong order waits for what depends on it", "[K199][K200][K206]") {
    run_pair(
        [](Party& a) {
            a.be_active("B");
            Call cq(a.host);
            Call pd(a.host);
            Call qp(a.host);
            expect(a.pd->Dispatch->NdkClosePd(&a.pd->Header, Call::closed, &pd) == STATUS_PENDING, "PD");
            expect(a.cq->Dispatch->NdkCloseCq(&a.cq->Header, Call::closed, &cq) == STATUS_PENDING, "CQ");
            expect(a.qp->Dispatch->NdkCloseQp(&a.qp->Header, Call::closed, &qp) == STATUS_PENDING, "QP");
            a.host.sleep(1ms);
            expect(pd.callbacks + cq.callbacks + qp.callbacks == 0, "the connector is open");
            a.close(a.connector);
            a.host.sleep(100us);
            expect(qp.callbacks == 1 && cq.callbacks == 1, "QP and CQ are closed");
            expect(pd.callbacks == 0, "the PD has an MR");
            Call mr(a.host);
            a.mr->Dispatch->NdkCloseMr(&a.mr->Header, Call::closed, &mr);  // nobody waits for it
            pd.event.wait("the PD to close");
            expect(mr.callbacks == 1, "after the MR");
            a.host.close_adapter(a.adapter);
        },
        [](Party& b) {
            b.be_passive();
            b.left.wait("A to close its queue pair, which is an abort (K207)");
            b.close_all();
        });
}

TEST_CASE("close: no close is reported while the callback of one that it waited for runs", "[K201][K204]") {
    struct Slow {
        Party& party;
        int left = 0;  // returns of the callback of the QP, and calls of that of the CQ
        int cq = 0;
    };
    run_pair(
        [](Party& a) {
            Slow slow{a};
            expect(
                a.cq->Dispatch->NdkCloseCq(
                    &a.cq->Header, [](PVOID context) { ++static_cast<Slow*>(context)->cq; }, &slow) == STATUS_PENDING,
                "the CQ has a QP");
            expect(a.qp->Dispatch->NdkCloseQp(
                       &a.qp->Header,
                       [](PVOID context) {
                           auto& inside = *static_cast<Slow*>(context);
                           expect(inside.cq == 0, "the CQ's close is not reported before");
                           for (int i = 0; i < 20; ++i) {  // 100 ns each
                               inside.party.cq->Dispatch->NdkArmCq(inside.party.cq, NDK_CQ_NOTIFY_ANY);
                           }
                           expect(inside.cq == 0, "nor meanwhile");
                           ++inside.left;
                       },
                       &slow) == STATUS_PENDING,
                   "a QP closes later");
            a.host.sleep(100us);
            expect(slow.left == 1 && slow.cq == 1, "each once");
            a.close(a.mr->Dispatch->NdkCloseMr, a.mr);
            Call pd(a.host);
            a.pd->Dispatch->NdkClosePd(&a.pd->Header, Call::closed, &pd);
            a.host.close_adapter(a.adapter);
        },
        nothing);
}

TEST_CASE("close: a queue pair without a connection leaves its cancelled requests to be polled", "[K207]") {
    run_pair(
        [](Party& a) {
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
        [](Party& a) {
            a.host.sleep(1ms - a.host.clock());
            Closer closer{a.host};
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
            a.host.sleep(100us);
            expect(closer.requests == 1 && closer.closes == 1, "each once");
            a.close_all();
        },
        nothing);
}

TEST_CASE("close: an MR's registration that is under way ends first, and leaves no token behind", "[K202]") {
    run_connected_pair(
        {.program =
             [](Party& a, const Place&) {
                 NDK_MR* const mr = new_mr(a, FALSE);
                 MDL mdl;
                 mdl.VirtualAddress = a.buffer.data();
                 mdl.ByteCount = 4096;
                 Overtaken both(a.host);
                 expect(mr->Dispatch->NdkRegisterMr(mr, &mdl, 4096, 0, Call::done, &both.request) == STATUS_PENDING,
                        "a registration");
                 NDK_SGE piece = a.piece(64);
                 piece.MemoryRegionToken = mr->Dispatch->NdkGetLocalTokenFromMr(mr);
                 both.close(mr);
                 expect(a.qp->Dispatch->NdkSend(a.qp, nullptr, &piece, 1, 0) == STATUS_SUCCESS,
                        "a Send with its token");
                 expect(a.next().Status == STATUS_ACCESS_VIOLATION, "which is dead");
             }},
        {});
}

// The initialisation is a command of 100 us, and so is what the NIC forgets the key by.
TEST_CASE("close: an MR's initialisation that is under way ends first, and the NIC forgets the key", "[K202]") {
    run_pair(
        [](Party& a) {
            NDK_MR* const mr = new_mr(a, TRUE);
            Overtaken both(a.host);
            const Picoseconds begun = a.host.clock();
            expect(mr->Dispatch->NdkInitializeFastRegisterMr(mr, 16, TRUE, Call::done, &both.request) == STATUS_PENDING,
                   "an initialisation");
            both.close(mr);
            expect(a.host.clock() - begun >= 200us, "two commands, one after the other");
            a.close_all();
        },
        nothing, {"nic.command_latency=100 us", "nic.deregistration=100 us"});
}

}  // namespace ndsim::test::ndk_close_test
