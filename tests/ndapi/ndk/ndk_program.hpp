// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string_view>

#include "tests/ndapi/ndk/ndk_calls.hpp"
#include "tests/ndapi/ndk/ndk_run.hpp"

// What tests with C++ programs share.
namespace ndsim::test {

// An adapter with a PD, a CQ for everything and a QP of two requests each way that may carry 16 bytes inline.
struct Objects {
    explicit Objects(HostContext& context) : host(context) {
        expect(host.open_adapter({1, 2}, &adapter) == STATUS_SUCCESS, "the adapter opens");
        expect(adapter->Dispatch->NdkCreatePd(adapter, nullptr, nullptr, &pd) == STATUS_SUCCESS, "a PD is created");
        Call call(host);
        expect(call.wait(adapter->Dispatch->NdkCreateCq(adapter, 8, nullptr, nullptr, nullptr, Call::created, &call,
                                                        nullptr)) == STATUS_SUCCESS,
               "a CQ is created");
        cq = reinterpret_cast<NDK_CQ*>(call.object);
        Call qp_call(host);
        expect(qp_call.wait(pd->Dispatch->NdkCreateQp(pd, cq, cq, this, 2, 2, 2, 2, 16, Call::created, &qp_call,
                                                      nullptr)) == STATUS_SUCCESS,
               "a QP is created");
        qp = reinterpret_cast<NDK_QP*>(qp_call.object);
    }
    // The active side: tries again while the peer is not listening yet.
    void connect(std::string_view peer, ULONG reads = 1);
    // The passive side.
    void accept(ULONG reads = 1);
    template <class Close, class Object>
    void close(Close* function, Object* object) {
        Call call(host);
        call.wait(function(&object->Header, Call::closed, &call));
    }

    HostContext& host;
    NDK_ADAPTER* adapter = nullptr;
    NDK_PD* pd = nullptr;
    NDK_CQ* cq = nullptr;
    NDK_QP* qp = nullptr;
    NDK_CONNECTOR* connector = nullptr;
    NDK_LISTENER* listener = nullptr;

private:
    static constexpr USHORT kPort = 5000;
};

inline void Objects::connect(std::string_view peer, ULONG reads) {
    expect(adapter->Dispatch->NdkCreateConnector(adapter, nullptr, nullptr, &connector) == STATUS_SUCCESS, "connector");
    sockaddr_in from = host.address("");
    sockaddr_in to = host.address(peer);
    to.sin_port = htons(kPort);
    NTSTATUS status = STATUS_CONNECTION_REFUSED;
    while (status == STATUS_CONNECTION_REFUSED) {
        Call call(host);
        status = call.wait(connector->Dispatch->NdkConnect(connector, qp, reinterpret_cast<PSOCKADDR>(&from),
                                                           sizeof from, reinterpret_cast<PSOCKADDR>(&to), sizeof to,
                                                           reads, reads, nullptr, 0, Call::done, &call));
        host.sleep(std::chrono::microseconds{10});
    }
    Call call(host);
    expect(status == STATUS_SUCCESS && call.wait(connector->Dispatch->NdkCompleteConnect(
                                           connector, nullptr, nullptr, Call::done, &call)) == STATUS_SUCCESS,
           "the connection is made");
}

inline void Objects::accept(ULONG reads) {
    struct Incoming {
        HostEvent event;
        NDK_CONNECTOR* connector = nullptr;
    } incoming{HostEvent(host)};
    const auto event = [](PVOID context, NDK_CONNECTOR* came) {
        auto& there = *static_cast<Incoming*>(context);
        there.connector = came;
        there.event.signal();
    };
    expect(
        adapter->Dispatch->NdkCreateListener(adapter, event, &incoming, nullptr, nullptr, &listener) == STATUS_SUCCESS,
        "listener");
    sockaddr_in local = host.address("");
    local.sin_port = htons(kPort);
    Call listening(host);
    expect(listening.wait(listener->Dispatch->NdkListen(listener, reinterpret_cast<PSOCKADDR>(&local), sizeof local,
                                                        Call::done, &listening)) == STATUS_SUCCESS,
           "it listens");
    incoming.event.wait("a connect request");
    connector = incoming.connector;
    Call call(host);
    expect(call.wait(connector->Dispatch->NdkAccept(connector, qp, reads, reads, nullptr, 0, nullptr, nullptr,
                                                    Call::done, &call)) == STATUS_SUCCESS,
           "the connection is accepted");
}

}  // namespace ndsim::test
