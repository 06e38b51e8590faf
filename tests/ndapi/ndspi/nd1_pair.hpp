// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstring>
#include <deque>
#include <ostream>
#include <span>

#include "ndapi/windows/abi/byteorder.h"
#include "tests/support/nd_pair.hpp"

// Parties that use NDSPI 1, and pairs of them.
namespace ndsim::test {

inline constexpr INT kTcp = 6;
inline constexpr DWORD kReadWrite = ND_OP_FLAG_ALLOW_READ | ND_OP_FLAG_ALLOW_WRITE;
// Blocks of windows and their Binds, where a test says nothing else.
inline constexpr std::size_t kInvalidated = 60;
inline constexpr std::size_t kBound = 63;

struct Nd1Sizes {
    SIZE_T inbound_cq = 64;
    SIZE_T outbound_cq = 64;
    SIZE_T inbound = 8;
    SIZE_T outbound = 8;
    SIZE_T sges = 2;
    SIZE_T reads = 4;  // each way
};

// A result that GetResults has returned: which of the party's blocks it is, and the status in it.
struct Nd1End {
    std::size_t number = 0;
    HRESULT status = ND_PENDING;

    bool operator==(const Nd1End&) const = default;
    friend std::ostream& operator<<(std::ostream& out, const Nd1End& end) {
        return out << "{" << end.number << ", " << std::hex << static_cast<ULONG>(end.status) << std::dec << "}";
    }
};
using Nd1Ends = std::vector<Nd1End>;

// An overlapped request with an event of its own. It must not go before the request has ended.
struct Nd1Call {
    explicit Nd1Call(ProgramHost& os) { overlapped.hEvent = os.create_event(true, false); }
    Nd1Call(const Nd1Call&) = delete;
    Nd1Call& operator=(const Nd1Call&) = delete;

    HRESULT now(INDOverlapped& object) { return object.GetOverlappedResult(&overlapped, &bytes, FALSE); }
    HRESULT end(INDOverlapped& object) { return object.GetOverlappedResult(&overlapped, &bytes, TRUE); }
    // The outcome of a call that this was given to.
    HRESULT end(INDOverlapped& object, HRESULT returned) { return returned == ND_PENDING ? end(object) : returned; }

    OVERLAPPED overlapped{};
    SIZE_T bytes = 0;
};

// A window of a party, and what peers are told of it.
struct Nd1Window {
    Ref<INDMemoryWindow> window;
    ND_MW_DESCRIPTOR descriptor{};
};

// What one host has: an adapter, two CQs, an endpoint with its connector, a registered buffer, and a block for each
// result that the test numbers.
class Nd1Party {
public:
    static constexpr std::size_t kBlocks = 64;

    Nd1Party(HostContext& context, ProgramHost& program_host, const Nd1Sizes& asked = {})
        : host(context), os(program_host), sizes(asked), buffer(1U << 20U), call(program_host) {
        blocks.fill({static_cast<HRESULT>(0x0BADBAD), 0xBAD});
        open(adapter);
        make_cq(inbound, sizes.inbound_cq);
        make_cq(outbound, sizes.outbound_cq);
        expect(register_memory(buffer, handle) == ND_SUCCESS, "the buffer is registered");
        make_connector(connector);
    }

    void open(Ref<INDAdapter>& opened) const {
        Ref<INDProvider> provider;
        const sockaddr_in own = host.address("");
        expect(os.provider(IID_INDProvider, provider.out()) == ND_SUCCESS, "there is a provider");
        expect(provider->OpenAdapter(reinterpret_cast<const sockaddr*>(&own), sizeof own, opened.put()) == ND_SUCCESS,
               "the adapter opens");
    }
    void make_cq(Ref<INDCompletionQueue>& cq, SIZE_T depth) {
        expect(adapter->CreateCompletionQueue(depth, cq.put()) == ND_SUCCESS, "a CQ is created");
    }
    HRESULT register_memory(std::span<std::byte> memory, ND_MR_HANDLE& registered) {
        return call.end(*adapter, adapter->RegisterMemory(memory.data(), memory.size(), &call.overlapped, &registered));
    }
    HRESULT deregister(ND_MR_HANDLE registered) {
        return call.end(*adapter, adapter->DeregisterMemory(registered, &call.overlapped));
    }
    void make_connector(Ref<INDConnector>& created) {
        expect(adapter->CreateConnector(created.put()) == ND_SUCCESS, "a connector");
    }
    HRESULT make_endpoint(Ref<INDEndpoint>& created, INDConnector& of) {
        return of.CreateEndpoint(inbound.get(), outbound.get(), sizes.inbound, sizes.outbound, sizes.sges, sizes.sges,
                                 sizes.reads, sizes.reads, &inline_bytes, created.put());
    }
    // What is posted before there is a connection needs this first.
    void need_endpoint() {
        if (endpoint.get() == nullptr) {
            expect(make_endpoint(endpoint, *connector) == ND_SUCCESS, "an endpoint");
        }
    }
    // A window of the party's; what a peer's invalidation brings goes to the block with this number.
    Nd1Window& new_window(std::size_t number = kInvalidated) {
        Nd1Window& made = windows.emplace_back();
        expect(adapter->CreateMemoryWindow(&blocks.at(number), made.window.put()) == ND_SUCCESS, "a window");
        return made;
    }

    // --- connections
    sockaddr_in address(std::string_view of, USHORT port) const {
        sockaddr_in in = host.address(of);
        in.sin_port = htons(port);
        return in;
    }
    HRESULT listen(USHORT port = 5000, SIZE_T backlog = 0) {
        return adapter->Listen(backlog, kTcp, htons(port), nullptr, listens.put());
    }
    HRESULT next_request(INDConnector& into) {
        return call.end(*listens, listens->GetConnectionRequest(&into, &call.overlapped));
    }
    HRESULT accept() { return call.end(*connector, connector->Accept(endpoint.get(), nullptr, 0, &call.overlapped)); }
    HRESULT connect(std::string_view peer, USHORT port = 5000) {
        const sockaddr_in to = address(peer, port);
        return call.end(*connector, connector->Connect(endpoint.get(), reinterpret_cast<const sockaddr*>(&to),
                                                       sizeof to, kTcp, 0, nullptr, 0, &call.overlapped));
    }
    HRESULT complete() { return call.end(*connector, connector->CompleteConnect(&call.overlapped)); }
    HRESULT disconnect() { return call.end(*connector, connector->Disconnect(&call.overlapped)); }
    void be_passive(USHORT port = 5000) {
        expect(listen(port) == ND_SUCCESS, "it listens");
        expect(next_request(*connector) == ND_SUCCESS, "a connect request comes");
        need_endpoint();
        expect(accept() == ND_SUCCESS, "the connection is accepted");
    }
    // The peer listens by then.
    void be_active(std::string_view peer, USHORT port = 5000) {
        need_endpoint();
        until_ms(os, 1);
        expect(connect(peer, port) == ND_SUCCESS, "the connect is accepted");
        expect(complete() == ND_SUCCESS, "the connect is completed");
    }

    // --- requests, each with the number of its block
    ND_RESULT* block(std::size_t number) { return &blocks.at(number); }
    ND_SGE piece(SIZE_T length, SIZE_T offset = 0) { return {buffer.data() + offset, length, handle}; }
    HRESULT send(std::size_t number, SIZE_T length, DWORD flags = 0, SIZE_T offset = 0) {
        const ND_SGE sge = piece(length, offset);
        return endpoint->Send(block(number), &sge, 1, flags);
    }
    HRESULT send_and_invalidate(std::size_t number, SIZE_T length, const ND_MW_DESCRIPTOR& window, DWORD flags = 0) {
        const ND_SGE sge = piece(length);
        return endpoint->SendAndInvalidate(block(number), &sge, 1, &window, flags);
    }
    HRESULT receive(std::size_t number, SIZE_T length, SIZE_T offset = 0) {
        const ND_SGE sge = piece(length, offset);
        return endpoint->Receive(block(number), &sge, 1);
    }
    HRESULT read(std::size_t number, SIZE_T length, const ND_MW_DESCRIPTOR& window, DWORD flags = 0,
                 ULONGLONG from = 0) {
        const ND_SGE sge = piece(length);
        return endpoint->Read(block(number), &sge, 1, &window, from, flags);
    }
    HRESULT write(std::size_t number, SIZE_T length, const ND_MW_DESCRIPTOR& window, DWORD flags = 0,
                  ULONGLONG to = 0) {
        const ND_SGE sge = piece(length);
        return endpoint->Write(block(number), &sge, 1, &window, to, flags);
    }
    HRESULT bind(std::size_t number, Nd1Window& window, SIZE_T offset, SIZE_T length, DWORD flags) {
        return endpoint->Bind(block(number), handle, window.window.get(), buffer.data() + offset, length, flags,
                              &window.descriptor);
    }
    // One that is bound to a part of the buffer.
    Nd1Window& open_window(SIZE_T offset, SIZE_T length, DWORD rights = kReadWrite, std::size_t number = kInvalidated) {
        Nd1Window& made = new_window(number);
        expect(bind(kBound, made, offset, length, rights) == ND_SUCCESS, "a Bind is taken");
        expect(ended() == Nd1Ends{{kBound, ND_SUCCESS}}, "the window is bound");
        return made;
    }
    HRESULT invalidate(std::size_t number, Nd1Window& window, DWORD flags = 0) {
        return endpoint->Invalidate(block(number), window.window.get(), flags);
    }

    // --- results
    // The next ones of a CQ, so many of which come.
    Nd1Ends next(INDCompletionQueue& cq, std::size_t count = 1) {
        Nd1Ends ends;
        for (int polls = 0; ends.size() < count; ++polls) {
            expect(polls < 10000, "results come");
            take(cq, ends);
        }
        return ends;
    }
    // All that a CQ has now.
    Nd1Ends poll(INDCompletionQueue& cq) {
        Nd1Ends ends;
        while (take(cq, ends)) {
        }
        return ends;
    }
    Nd1Ends received(std::size_t count = 1) { return next(*inbound, count); }
    Nd1Ends ended(std::size_t count = 1) { return next(*outbound, count); }

    [[nodiscard]] bool holds(SIZE_T offset, SIZE_T length, unsigned char value) const {
        const auto begin = buffer.begin() + static_cast<std::ptrdiff_t>(offset);
        return std::all_of(begin, begin + static_cast<std::ptrdiff_t>(length),
                           [value](std::byte byte) { return byte == std::byte{value}; });
    }
    void fill(SIZE_T offset, SIZE_T length, unsigned char value) { std::memset(buffer.data() + offset, value, length); }

    HostContext& host;
    ProgramHost& os;
    const Nd1Sizes sizes;
    std::array<ND_RESULT, kBlocks> blocks{};
    std::vector<std::byte> buffer;
    Nd1Call call;
    SIZE_T inline_bytes = 0;
    ND_MR_HANDLE handle = nullptr;
    Ref<INDAdapter> adapter;
    Ref<INDCompletionQueue> inbound;
    Ref<INDCompletionQueue> outbound;
    Ref<INDListen> listens;
    Ref<INDConnector> connector;
    Ref<INDEndpoint> endpoint;
    std::deque<Nd1Window> windows;

private:
    bool take(INDCompletionQueue& cq, Nd1Ends& ends) {
        ND_RESULT* result = nullptr;
        if (cq.GetResults(&result, 1) == 0) {
            return false;
        }
        const auto number = static_cast<std::size_t>(result - blocks.data());
        expect(number < kBlocks, "a result is a block that was given");
        ends.push_back({number, result->Status});
        return true;
    }
};

// Two parties that are connected; B is passive. `before` is done when there is an endpoint and no connection.
struct Nd1Side {
    Nd1Sizes sizes{};
    std::function<void(Nd1Party& party)> before = [](Nd1Party&) {};
    std::function<void(Nd1Party& party)> program = [](Nd1Party&) {};
};
// What A does begins at 3 ms, what B does somewhat earlier, and nobody goes before 20 ms.
inline RunResult run_nd1_pair(const Nd1Side& a, const Nd1Side& b, const std::vector<std::string>& overrides = {}) {
    constexpr std::uint64_t kBegin = 3;
    constexpr std::uint64_t kOver = 20;
    return run_programs(
        [&](HostContext& host, ProgramHost& os) {
            Nd1Party party(host, os, a.sizes);
            party.need_endpoint();
            a.before(party);
            party.be_active("B");
            until_ms(os, kBegin);
            a.program(party);
            until_ms(os, kOver);
        },
        [&](HostContext& host, ProgramHost& os) {
            Nd1Party party(host, os, b.sizes);
            party.need_endpoint();
            b.before(party);
            party.be_passive();
            b.program(party);
            until_ms(os, kOver);
        },
        overrides);
}

}  // namespace ndsim::test
