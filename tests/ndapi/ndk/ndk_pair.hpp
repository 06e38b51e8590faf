// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <chrono>

#include "tests/ndapi/ndk/ndk_calls.hpp"
#include "tests/ndapi/ndk/ndk_run.hpp"

// Two hosts, each with a C++ program that uses NDKPI.
namespace ndsim::test {

// Memory of the other host, as requests name it.
struct Place {
    UINT64 address = 0;
    UINT32 token = 0;
};

// What one host has: an adapter, a PD, a CQ for everything, a QP of eight requests each way, and a registered buffer.
class Party {
public:
    explicit Party(HostContext& context, NDK_VERSION version = {2, 1}, ULONG access = NDK_MR_FLAG_ALLOW_LOCAL_WRITE)
        : host(context), buffer(1U << 20U) {
        expect(host.open_adapter(version, &adapter) == STATUS_SUCCESS, "the adapter opens");
        make(pd, [&](Call& call, NDK_PD** out) {
            return adapter->Dispatch->NdkCreatePd(adapter, Call::created, &call, out);
        });
        make(cq, [&](Call& call, NDK_CQ** out) {
            return adapter->Dispatch->NdkCreateCq(adapter, 64, nullptr, nullptr, nullptr, Call::created, &call, out);
        });
        qp = new_qp();
        make(mr,
             [&](Call& call, NDK_MR** out) { return pd->Dispatch->NdkCreateMr(pd, FALSE, Call::created, &call, out); });
        MDL mdl;
        mdl.VirtualAddress = buffer.data();
        mdl.ByteCount = static_cast<ULONG>(buffer.size());
        Call call(host);
        expect(call.wait(mr->Dispatch->NdkRegisterMr(mr, &mdl, buffer.size(), access, Call::done, &call)) ==
                   STATUS_SUCCESS,
               "the buffer is registered");
    }

    template <class Ndk, class Create>
    void make(Ndk*& object, const Create& create) {
        Call call(host);
        const NTSTATUS returned = create(call, &object);
        expect(call.wait(returned) == STATUS_SUCCESS, "an object is created");
        if (returned == STATUS_PENDING) {
            object = reinterpret_cast<Ndk*>(call.object);
        }
    }
    NDK_QP* new_qp() {
        NDK_QP* created = nullptr;
        make(created, [&](Call& call, NDK_QP** out) {
            return pd->Dispatch->NdkCreateQp(pd, cq, cq, this, 8, 8, 2, 2, 16, Call::created, &call, out);
        });
        return created;
    }
    NDK_CONNECTOR* new_connector() {
        NDK_CONNECTOR* created = nullptr;
        make(created, [&](Call& call, NDK_CONNECTOR** out) {
            return adapter->Dispatch->NdkCreateConnector(adapter, Call::created, &call, out);
        });
        return created;
    }
    NDK_LISTENER* new_listener() {
        NDK_LISTENER* created = nullptr;
        make(created, [&](Call& call, NDK_LISTENER** out) {
            return adapter->Dispatch->NdkCreateListener(adapter, &Party::incoming, this, Call::created, &call, out);
        });
        return created;
    }
    sockaddr_in address(std::string_view of, USHORT port) const {
        sockaddr_in in = host.address(of);
        in.sin_port = htons(port);
        return in;
    }

    // --- passive side
    static void incoming(PVOID context, NDK_CONNECTOR* connector) {
        auto& party = *static_cast<Party*>(context);
        party.offered.push_back(connector);
        party.request.signal();
    }
    NTSTATUS listen_at(NDK_LISTENER* on, USHORT port) {
        sockaddr_in local = address("", port);
        Call call(host);
        return call.wait(
            on->Dispatch->NdkListen(on, reinterpret_cast<PSOCKADDR>(&local), sizeof local, Call::done, &call));
    }
    void listen(USHORT port = 4000) {
        listener = new_listener();
        expect(listen_at(listener, port) == STATUS_SUCCESS, "it listens");
    }
    NDK_CONNECTOR* next_offered() {
        while (offered.empty()) {
            request.wait("a connect request");
        }
        NDK_CONNECTOR* const first = offered.front();
        offered.erase(offered.begin());
        return first;
    }
    NTSTATUS accept(NDK_CONNECTOR* incoming_connector, NDK_QP* with, ULONG inbound = 4, ULONG outbound = 4) {
        Call call(host);
        return call.wait(incoming_connector->Dispatch->NdkAccept(incoming_connector, with, inbound, outbound, nullptr,
                                                                 0, &Party::peer_left, this, Call::done, &call));
    }
    void be_passive(USHORT port = 4000) {
        listen(port);
        connector = next_offered();
        expect(accept(connector, qp) == STATUS_SUCCESS, "the accept is completed by the peer");
    }

    // --- active side
    NTSTATUS connect(NDK_CONNECTOR* by, NDK_QP* with, std::string_view to, USHORT port, USHORT from = 0,
                     ULONG inbound = 4, ULONG outbound = 4) {
        sockaddr_in source = address("", from);
        sockaddr_in target = address(to, port);
        Call call(host);
        return call.wait(by->Dispatch->NdkConnect(by, with, reinterpret_cast<PSOCKADDR>(&source), sizeof source,
                                                  reinterpret_cast<PSOCKADDR>(&target), sizeof target, inbound,
                                                  outbound, nullptr, 0, Call::done, &call));
    }
    NTSTATUS complete(NDK_CONNECTOR* by) {
        Call call(host);
        return call.wait(by->Dispatch->NdkCompleteConnect(by, &Party::peer_left, this, Call::done, &call));
    }
    // The peer listens by then.
    void be_active(std::string_view peer, USHORT port = 4000) {
        host.sleep(std::chrono::microseconds{100});
        connector = new_connector();
        expect(connect(connector, qp, peer, port) == STATUS_SUCCESS, "the connect is accepted");
        expect(complete(connector) == STATUS_SUCCESS, "the connect is completed");
    }

    // --- both
    static void peer_left(PVOID context) {
        auto& party = *static_cast<Party*>(context);
        ++party.disconnects;
        party.left.signal();
    }
    NTSTATUS disconnect() { return disconnect(connector); }
    NTSTATUS disconnect(NDK_CONNECTOR* which) {
        Call call(host);
        return call.wait(which->Dispatch->NdkDisconnect(which, Call::done, &call));
    }
    NDK_SGE piece(ULONG length, ULONG offset = 0) {
        NDK_SGE sge{};
        sge.VirtualAddress = buffer.data() + offset;
        sge.Length = length;
        sge.MemoryRegionToken = mr->Dispatch->NdkGetLocalTokenFromMr(mr);
        return sge;
    }
    Place place() { return {reinterpret_cast<UINT64>(buffer.data()), mr->Dispatch->NdkGetRemoteTokenFromMr(mr)}; }
    NTSTATUS send(ULONG length, ULONG flags = 0) {
        const NDK_SGE sge = piece(length);
        return qp->Dispatch->NdkSend(qp, nullptr, &sge, 1, flags);
    }
    NTSTATUS receive(ULONG length) {
        const NDK_SGE sge = piece(length);
        return qp->Dispatch->NdkReceive(qp, nullptr, &sge, 1);
    }
    NTSTATUS write(ULONG length, const Place& to, ULONG flags = 0) {
        const NDK_SGE sge = piece(length);
        return qp->Dispatch->NdkWrite(qp, nullptr, &sge, 1, to.address, to.token, flags);
    }
    NTSTATUS read(ULONG length, const Place& from, ULONG flags = 0) {
        const NDK_SGE sge = piece(length);
        return qp->Dispatch->NdkRead(qp, nullptr, &sge, 1, from.address, from.token, flags);
    }
    // The next completion, which comes.
    NDK_RESULT_EX next() {
        NDK_RESULT_EX result{};
        for (int polls = 0; cq->Dispatch->NdkGetCqResultsEx(cq, &result, 1) == 0; ++polls) {
            expect(polls < 10000, "a completion comes");
        }
        return result;
    }
    // All that can be polled now.
    std::vector<NTSTATUS> poll() {
        std::vector<NTSTATUS> statuses;
        std::array<NDK_RESULT, 16> results{};
        for (;;) {
            const ULONG count = cq->Dispatch->NdkGetCqResults(cq, results.data(), results.size());
            for (ULONG i = 0; i < count; ++i) {
                statuses.push_back(results.at(i).Status);
            }
            if (count == 0) {
                return statuses;
            }
        }
    }
    template <class Function, class Object>
    void close(Function* function, Object* object) {
        Call call(host);
        call.wait(function(&object->Header, Call::closed, &call));
    }
    void close(NDK_CONNECTOR* which) { close(which->Dispatch->NdkCloseConnector, which); }
    // Everything that is open here, in reverse order.
    void leave() {
        expect(disconnect() == STATUS_SUCCESS, "done");
        close_all();
    }
    void close_all() {
        if (connector != nullptr) {
            close(connector);
        }
        if (listener != nullptr) {
            close(listener->Dispatch->NdkCloseListener, listener);
        }
        close(qp->Dispatch->NdkCloseQp, qp);
        close(mr->Dispatch->NdkCloseMr, mr);
        close(cq->Dispatch->NdkCloseCq, cq);
        close(pd->Dispatch->NdkClosePd, pd);
        host.close_adapter(adapter);
    }

    HostContext& host;
    std::vector<std::byte> buffer;
    NDK_ADAPTER* adapter = nullptr;
    NDK_PD* pd = nullptr;
    NDK_CQ* cq = nullptr;
    NDK_QP* qp = nullptr;
    NDK_MR* mr = nullptr;
    NDK_LISTENER* listener = nullptr;
    NDK_CONNECTOR* connector = nullptr;
    std::vector<NDK_CONNECTOR*> offered;
    HostEvent request{host};
    HostEvent left{host};
    int disconnects = 0;  // events
};

// A's program: it connects to B, which listens by then, and disconnects at once.
inline void connect_and_disconnect(HostContext& host) {
    Party a(host);
    a.be_active("B");
    a.leave();
}

// Two parties that are connected, with these rights to their buffers. Both stay until everything is over.
struct Side {
    ULONG access = NDK_MR_FLAG_ALLOW_LOCAL_WRITE;
    std::function<void(Party& party, const Place& peer)> program = [](Party&, const Place&) {};
};
inline ChildResult run_connected_pair(const Side& a, const Side& b, const std::vector<std::string>& overrides = {}) {
    constexpr std::chrono::milliseconds kOver{5};
    Place at_a;
    Place at_b;
    return run_pair(
        [&](HostContext& host) {
            Party party(host, {2, 1}, a.access);
            at_a = party.place();
            party.be_active("B");
            host.sleep(std::chrono::milliseconds{1} - host.clock());
            a.program(party, at_b);
            host.sleep(kOver - host.clock());
        },
        [&](HostContext& host) {
            Party party(host, {2, 1}, b.access);
            at_b = party.place();
            party.be_passive();
            b.program(party, at_a);
            host.sleep(kOver - host.clock());
        },
        overrides);
}

}  // namespace ndsim::test
