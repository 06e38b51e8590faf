// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstring>

#include "ndapi/windows/abi/byteorder.h"
#include "tests/support/nd_pair.hpp"

// Parties that use NDSPI 2, and pairs of them.
namespace ndsim::test {

struct Nd2Sizes {
    ULONG cq_depth = 64;
    ULONG receive_depth = 8;
    ULONG initiator_depth = 8;
    ULONG sges = 2;
    ULONG inline_bytes = 64;
};

// Memory of the other host, as requests name it.
struct Nd2Place {
    UINT64 address = 0;
    UINT32 token = 0;
};

// What one host has: an adapter, a CQ for everything, a QP, a registered buffer, a connector.
class Nd2Party {
public:
    Nd2Party(HostContext& context, ProgramHost& program_host, ULONG rights = ND_MR_FLAG_ALLOW_LOCAL_WRITE,
             const Nd2Sizes& sizes = {})
        : host(context), os(program_host), buffer(1U << 20U) {
        expect(os.provider(IID_IND2Provider, provider.out()) == ND_SUCCESS, "there is a provider");
        const sockaddr_in own = host.address("");
        UINT64 id = 0;
        expect(provider->ResolveAddress(reinterpret_cast<const sockaddr*>(&own), sizeof own, &id) == ND_SUCCESS &&
                   provider->OpenAdapter(IID_IND2Adapter, id, adapter.out()) == ND_SUCCESS,
               "the adapter opens");
        expect(adapter->CreateOverlappedFile(&file) == ND_SUCCESS, "there is a file");
        expect(
            adapter->CreateCompletionQueue(IID_IND2CompletionQueue, file, sizes.cq_depth, 0, 0, cq.out()) == ND_SUCCESS,
            "a CQ is created");
        make_qp(qp, sizes);
        expect(adapter->CreateMemoryRegion(IID_IND2MemoryRegion, file, region.out()) == ND_SUCCESS, "a region");
        overlapped.hEvent = os.create_event(false, false);
        expect(finish(*region.get(), region->Register(buffer.data(), buffer.size(), rights, &overlapped)) == ND_SUCCESS,
               "the buffer is registered");
        make_connector(connector);
    }

    void make_qp(Ref<IND2QueuePair>& created, const Nd2Sizes& sizes) {
        expect(adapter->CreateQueuePair(IID_IND2QueuePair, cq.get(), cq.get(), this, sizes.receive_depth,
                                        sizes.initiator_depth, sizes.sges, sizes.sges, sizes.inline_bytes,
                                        created.out()) == ND_SUCCESS,
               "a QP is created");
    }
    void make_connector(Ref<IND2Connector>& created) {
        expect(adapter->CreateConnector(IID_IND2Connector, file, created.out()) == ND_SUCCESS, "a connector");
    }
    // The outcome of an overlapped call, which may take its time.
    HRESULT finish(IND2Overlapped& object, HRESULT returned) { return finish(object, returned, overlapped); }
    static HRESULT finish(IND2Overlapped& object, HRESULT returned, OVERLAPPED& of) {
        return returned == ND_PENDING ? object.GetOverlappedResult(&of, TRUE) : returned;
    }
    sockaddr_in address(std::string_view of, USHORT port) const {
        sockaddr_in in = host.address(of);
        in.sin_port = htons(port);
        return in;
    }
    void sleep(std::chrono::microseconds span) const {
        os.sleep(static_cast<DWORD>((span + std::chrono::microseconds{999}).count() / 1000));
    }

    // --- passive side
    void listen(USHORT port = 5000, ULONG backlog = 0) {
        expect(adapter->CreateListener(IID_IND2Listener, file, listener.out()) == ND_SUCCESS, "a listener");
        const sockaddr_in local = address("", port);
        expect(listener->Bind(reinterpret_cast<const sockaddr*>(&local), sizeof local) == ND_SUCCESS, "it binds");
        expect(listener->Listen(backlog) == ND_SUCCESS, "it listens");
    }
    HRESULT next_request(IND2Connector& into) {
        return finish(*listener.get(), listener->GetConnectionRequest(&into, &overlapped));
    }
    HRESULT accept(ULONG inbound = 4, ULONG outbound = 4) {
        return finish(*connector.get(), connector->Accept(qp.get(), inbound, outbound, nullptr, 0, &overlapped));
    }
    void be_passive(USHORT port = 5000) {
        listen(port);
        expect(next_request(*connector.get()) == ND_SUCCESS, "a connect request comes");
        expect(accept() == ND_SUCCESS, "the connection is accepted");
    }

    // --- active side
    HRESULT connect(std::string_view peer, USHORT port = 5000, ULONG inbound = 4, ULONG outbound = 4) {
        const sockaddr_in to = address(peer, port);
        return finish(*connector.get(), connector->Connect(qp.get(), reinterpret_cast<const sockaddr*>(&to), sizeof to,
                                                           inbound, outbound, nullptr, 0, &overlapped));
    }
    HRESULT complete() { return finish(*connector.get(), connector->CompleteConnect(&overlapped)); }
    // The peer listens by then.
    void be_active(std::string_view peer, USHORT port = 5000) {
        os.sleep(1);
        expect(connect(peer, port) == ND_SUCCESS, "the connect is accepted");
        expect(complete() == ND_SUCCESS, "the connect is completed");
    }

    // --- both
    HRESULT disconnect() { return finish(*connector.get(), connector->Disconnect(&overlapped)); }
    ND2_SGE piece(ULONG length, ULONG offset = 0) { return {buffer.data() + offset, length, region->GetLocalToken()}; }
    Nd2Place place() { return {reinterpret_cast<UINT64>(buffer.data()), region->GetRemoteToken()}; }
    HRESULT send(ULONG length, ULONG flags = 0, void* context = nullptr) {
        const ND2_SGE sge = piece(length);
        return qp->Send(context, &sge, 1, flags);
    }
    HRESULT receive(ULONG length, void* context = nullptr, ULONG offset = 0) {
        const ND2_SGE sge = piece(length, offset);
        return qp->Receive(context, &sge, 1);
    }
    HRESULT write(ULONG length, const Nd2Place& to, ULONG flags = 0, void* context = nullptr) {
        const ND2_SGE sge = piece(length);
        return qp->Write(context, &sge, 1, to.address, to.token, flags);
    }
    HRESULT read(ULONG length, const Nd2Place& from, ULONG flags = 0, void* context = nullptr) {
        const ND2_SGE sge = piece(length);
        return qp->Read(context, &sge, 1, from.address, from.token, flags);
    }
    // The next result, which comes.
    ND2_RESULT next() {
        ND2_RESULT result{};
        for (int polls = 0; cq->GetResults(&result, 1) == 0; ++polls) {
            expect(polls < 10000, "a result comes");
        }
        return result;
    }
    // All that can be polled now.
    std::vector<ND2_RESULT> poll() {
        std::vector<ND2_RESULT> all;
        ND2_RESULT result{};
        while (cq->GetResults(&result, 1) == 1) {
            all.push_back(result);
        }
        return all;
    }

    HostContext& host;
    ProgramHost& os;
    std::vector<std::byte> buffer;
    OVERLAPPED overlapped{};
    Ref<IND2Provider> provider;
    Ref<IND2Adapter> adapter;
    HANDLE file = nullptr;
    Ref<IND2CompletionQueue> cq;
    Ref<IND2MemoryRegion> region;
    Ref<IND2QueuePair> qp;
    Ref<IND2Listener> listener;
    Ref<IND2Connector> connector;
};

// A program on each of two hosts.
using Nd2Program = NdProgram;
inline RunResult run_nd2(const Nd2Program& a, const Nd2Program& b, const std::vector<std::string>& overrides = {},
                         const std::string& scenario = R"({"hosts": {"A": {}, "B": {}}})") {
    return run_programs(a, b, overrides, scenario);
}

// Two parties that are connected; B is passive. Each gets the other's buffer; both stay until everything is over.
struct Nd2Side {
    ULONG rights = ND_MR_FLAG_ALLOW_LOCAL_WRITE;
    std::function<void(Nd2Party& party, const Nd2Place& peer)> program = [](Nd2Party&, const Nd2Place&) {};
    Nd2Sizes sizes{};
};
// What A does begins at 3 ms, what B does somewhat earlier, and nobody goes before 20 ms.
inline RunResult run_nd2_pair(const Nd2Side& a, const Nd2Side& b, const std::vector<std::string>& overrides = {},
                              const std::string& scenario = R"({"hosts": {"A": {}, "B": {}}})") {
    constexpr std::uint64_t kBegin = 3;
    constexpr std::uint64_t kOver = 20;
    Nd2Place at_a;
    Nd2Place at_b;
    return run_nd2(
        [&](HostContext& host, ProgramHost& os) {
            Nd2Party party(host, os, a.rights, a.sizes);
            at_a = party.place();
            party.be_active("B");
            until_ms(os, kBegin);
            a.program(party, at_b);
            until_ms(os, kOver);
        },
        [&](HostContext& host, ProgramHost& os) {
            Nd2Party party(host, os, b.rights, b.sizes);
            at_b = party.place();
            party.be_passive();
            b.program(party, at_a);
            until_ms(os, kOver);
        },
        overrides, scenario);
}

}  // namespace ndsim::test
