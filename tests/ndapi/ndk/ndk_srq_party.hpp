// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>

#include "tests/ndapi/ndk/ndk_calls.hpp"
#include "tests/ndapi/ndk/ndk_run.hpp"

// Hosts with shared receive queues, through NDKPI.
namespace ndsim::test {

inline constexpr USHORT kSrqPort = 4000;

// Counts the callbacks of an SRQ.
struct SrqNotifications {
    static void notify(PVOID context, NTSTATUS status) {
        auto& self = *static_cast<SrqNotifications*>(context);
        expect(status == STATUS_SUCCESS, "nothing is broken");
        ++self.count;
    }
    int count = 0;
};

// A host's objects: an adapter, a PD, and what the tests make of them. Messages have no bytes.
struct SrqParty {
    explicit SrqParty(HostContext& context) : host(context) {
        expect(host.open_adapter({2, 1}, &adapter) == STATUS_SUCCESS, "the adapter opens");
        pd = new_pd();
    }
    NDK_PD* new_pd() const {
        NDK_PD* made = nullptr;
        expect(adapter->Dispatch->NdkCreatePd(adapter, nullptr, nullptr, &made) == STATUS_SUCCESS, "a PD");
        return made;
    }
    NDK_ADAPTER_INFO info() const {
        NDK_ADAPTER_INFO result{};
        ULONG size = sizeof result;
        expect(adapter->Dispatch->NdkQueryAdapterInfo(adapter, &result, &size) == STATUS_SUCCESS, "info");
        return result;
    }
    NDK_CQ* new_cq() const {
        Call call(host);
        expect(call.wait(adapter->Dispatch->NdkCreateCq(adapter, 64, nullptr, nullptr, nullptr, Call::created, &call,
                                                        nullptr)) == STATUS_SUCCESS,
               "a CQ");
        return reinterpret_cast<NDK_CQ*>(call.object);
    }
    NDK_SRQ* new_srq(ULONG depth, ULONG threshold = 0) {
        Call call(host);
        expect(call.wait(pd->Dispatch->NdkCreateSrq(pd, depth, 1, threshold, SrqNotifications::notify, &notifications,
                                                    nullptr, Call::created, &call, nullptr)) == STATUS_SUCCESS,
               "an SRQ");
        return reinterpret_cast<NDK_SRQ*>(call.object);
    }
    // With queues of its own if `srq` is null.
    NDK_QP* new_qp(NDK_CQ* cq, NDK_SRQ* srq, PVOID context = nullptr) const {
        Call call(host);
        const NTSTATUS status =
            srq == nullptr
                ? pd->Dispatch->NdkCreateQp(pd, cq, cq, context, 0, 64, 0, 0, 0, Call::created, &call, nullptr)
                : pd->Dispatch->NdkCreateQpWithSrq(pd, cq, cq, srq, context, 64, 0, 0, Call::created, &call, nullptr);
        expect(call.wait(status) == STATUS_SUCCESS, "a QP");
        return reinterpret_cast<NDK_QP*>(call.object);
    }
    // Closes an object, and waits for its end.
    template <class Close>
    void close(Close function, NDK_OBJECT_HEADER& object) const {
        Call call(host);
        call.wait(function(&object, Call::closed, &call));
    }
    NTSTATUS modify(NDK_SRQ* srq, ULONG depth, ULONG threshold) const {
        Call call(host);
        return call.wait(srq->Dispatch->NdkModifySrq(srq, depth, threshold, Call::done, &call));
    }
    void connect(NDK_QP* qp, USHORT port) const {
        NDK_CONNECTOR* connector = nullptr;
        expect(adapter->Dispatch->NdkCreateConnector(adapter, nullptr, nullptr, &connector) == STATUS_SUCCESS,
               "a connector");
        sockaddr_in from = host.address("");
        sockaddr_in to = host.address("B");
        to.sin_port = htons(port);
        NTSTATUS status = STATUS_CONNECTION_REFUSED;
        while (status == STATUS_CONNECTION_REFUSED) {
            Call call(host);
            status = call.wait(connector->Dispatch->NdkConnect(connector, qp, reinterpret_cast<PSOCKADDR>(&from),
                                                               sizeof from, reinterpret_cast<PSOCKADDR>(&to), sizeof to,
                                                               0, 0, nullptr, 0, Call::done, &call));
            host.sleep(std::chrono::microseconds{10});
        }
        expect(status == STATUS_SUCCESS, "a connection");
        Call call(host);
        expect(call.wait(connector->Dispatch->NdkCompleteConnect(connector, nullptr, nullptr, Call::done, &call)) ==
                   STATUS_SUCCESS,
               "the connection is complete");
    }
    NDK_CONNECTOR* accept(NDK_QP* qp, USHORT port) const {
        struct Incoming {
            HostEvent event;
            NDK_CONNECTOR* connector = nullptr;
        } incoming{HostEvent(host)};
        const auto arrived = [](PVOID context, NDK_CONNECTOR* connector) {
            static_cast<Incoming*>(context)->connector = connector;
            static_cast<Incoming*>(context)->event.signal();
        };
        NDK_LISTENER* listener = nullptr;
        expect(adapter->Dispatch->NdkCreateListener(adapter, arrived, &incoming, nullptr, nullptr, &listener) ==
                   STATUS_SUCCESS,
               "a listener");
        sockaddr_in local = host.address("");
        local.sin_port = htons(port);
        Call listening(host);
        expect(listening.wait(listener->Dispatch->NdkListen(listener, reinterpret_cast<PSOCKADDR>(&local), sizeof local,
                                                            Call::done, &listening)) == STATUS_SUCCESS,
               "it listens");
        incoming.event.wait("A to connect");
        Call call(host);
        NDK_CONNECTOR* const connector = incoming.connector;
        expect(call.wait(connector->Dispatch->NdkAccept(connector, qp, 0, 0, nullptr, 0, nullptr, nullptr, Call::done,
                                                        &call)) == STATUS_SUCCESS,
               "a connection");
        return connector;
    }
    NDK_RESULT poll(NDK_CQ* cq) const {
        NDK_RESULT result{};
        for (int polls = 0; cq->Dispatch->NdkGetCqResults(cq, &result, 1) == 0; ++polls) {
            expect(polls < 10'000, "a completion comes");
        }
        return result;
    }

    HostContext& host;
    NDK_ADAPTER* adapter = nullptr;
    NDK_PD* pd = nullptr;
    SrqNotifications notifications;
};

inline NTSTATUS post(NDK_SRQ* srq, PVOID context = nullptr) {
    return srq->Dispatch->NdkSrqReceive(srq, context, nullptr, 0);
}

// A sends messages of no bytes on two queue pairs, those of `order` (0 or 1), the n-th of them at 1 ms + n x 100 us.
inline HostProgram srq_sender(std::vector<int> order) {
    return [order = std::move(order)](HostContext& host) {
        const SrqParty party(host);
        NDK_CQ* const cq = party.new_cq();
        std::array<NDK_QP*, 2> qps{};
        for (std::size_t i = 0; i < qps.size(); ++i) {
            qps.at(i) = party.new_qp(cq, nullptr);
            party.connect(qps.at(i), static_cast<USHORT>(kSrqPort + i));
        }
        Picoseconds when = std::chrono::milliseconds{1};
        for (const int each : order) {
            host.sleep(when - host.clock());
            NDK_QP* const qp = qps.at(static_cast<std::size_t>(each));
            expect(qp->Dispatch->NdkSend(qp, nullptr, nullptr, 0, 0) == STATUS_SUCCESS, "a Send");
            when += std::chrono::microseconds{100};
        }
        for (std::size_t i = 0; i < order.size(); ++i) {
            expect(party.poll(cq).Status == STATUS_SUCCESS, "each Send succeeds");
        }
    };
}

}  // namespace ndsim::test
