// SPDX-License-Identifier: Apache-2.0
#include "tests/ndapi/ndspi/nd1_pair.hpp"

// The provider, the adapter itself, and addresses.

namespace ndsim::test::nd1_adapter_test {

void run_alone(const NdProgram& program) {
    run_programs(program, idle);
}

struct Named {
    HRESULT code = ND_PENDING;
    SIZE_T size = 0;
    sockaddr_in in{};
};
using Get = HRESULT (INDConnector::*)(sockaddr*, SIZE_T*);
Named address_of(INDConnector& connector, Get get, SIZE_T room) {
    Named address;
    address.size = room;
    address.in.sin_port = 0xABCD;
    address.code = (connector.*get)(reinterpret_cast<sockaddr*>(&address.in), &address.size);
    return address;
}

TEST_CASE("nd1: the provider knows its address, and opens the adapter that has it") {
    Codes codes;
    SIZE_T needed = 0;
    bool same = false;
    run_alone([&](HostContext& host, ProgramHost& os) {
        Ref<INDProvider> provider;
        expect(os.provider(IID_INDProvider, provider.out()) == ND_SUCCESS, "a provider");
        SIZE_T size = 0;
        codes = {provider->QueryAddressList(nullptr, &size)};
        needed = size;
        std::vector<std::byte> memory(needed + 100);
        size = memory.size();
        auto* const list = reinterpret_cast<SOCKET_ADDRESS_LIST*>(memory.data());
        codes.push_back(provider->QueryAddressList(list, &size));
        sockaddr_in own = host.address("");
        same = size == needed && list->iAddressCount == 1 &&
               std::memcmp(list->Address[0].lpSockaddr, &own, sizeof own) == 0;
        Ref<INDAdapter> adapter;
        Ref<INDAdapter> none;
        own.sin_port = htons(77);  // which does not matter
        codes.push_back(provider->OpenAdapter(reinterpret_cast<const sockaddr*>(&own), sizeof own, adapter.put()));
        const sockaddr_in other = host.address("B");
        codes.push_back(provider->OpenAdapter(reinterpret_cast<const sockaddr*>(&other), sizeof other, none.put()));
        provider.reset();
        codes.push_back(adapter->Query(ND_VERSION_1, nullptr, &size));  // the adapter needs no provider
    });
    CHECK(codes == Codes{ND_BUFFER_OVERFLOW, ND_SUCCESS, ND_SUCCESS, ND_INVALID_ADDRESS, ND_BUFFER_OVERFLOW});
    CHECK(needed > 0);
    CHECK(same);
}

TEST_CASE("nd1: an adapter tells its limits to those who ask for version 1", "[B6]") {
    Codes codes;
    std::vector<SIZE_T> sizes;
    ND_ADAPTER_INFO info{};
    bool untouched = false;
    run_alone([&](Nd1Party& party) {
        const auto query = [&](DWORD version, ND_ADAPTER_INFO* into, SIZE_T size) {
            codes.push_back(party.adapter->Query(version, into, &size));
            sizes.push_back(size);
        };
        query(ND_VERSION_1, &info, sizeof info - 1);
        untouched = info.MaxCqEntries == 0;
        query(ND_VERSION_1, nullptr, 0);
        query(ND_VERSION_1, &info, sizeof info + 8);
        query(ND_VERSION_2, &info, sizeof info);
        codes.push_back(party.adapter->Control(1, nullptr, 0, nullptr, 0, nullptr, &party.call.overlapped));
    });
    CHECK(codes == Codes{ND_BUFFER_OVERFLOW, ND_BUFFER_OVERFLOW, ND_SUCCESS, ND_NOT_SUPPORTED, ND_NOT_SUPPORTED});
    CHECK(untouched);
    sizes.resize(3);
    CHECK(sizes == std::vector<SIZE_T>(3, sizeof(ND_ADAPTER_INFO)));
    CHECK(info.MaxCallerData >= 56);
    CHECK(info.MaxCalleeData >= 196);
    CHECK(info.MaxOutboundSge > 0);
    CHECK(info.MaxOutboundRequests >= info.MaxInboundRequests);
    CHECK(info.MaxInlineData > 0);
    CHECK(info.MaxInboundReadLimit > 0);
    CHECK(info.MaxOutboundReadLimit > 0);
    CHECK(info.MaxRegistrationSize >= info.MaxWindowSize);
}

TEST_CASE("nd1: objects know their interfaces and no others, and none of version 2") {
    Codes codes;
    run_alone([&](Nd1Party& party) {
        party.need_endpoint();
        const auto ask = [&](IUnknown& object, REFIID iid) {
            Ref<IUnknown> other;
            codes.push_back(object.QueryInterface(iid, other.out()));
        };
        ask(*party.adapter, IID_IUnknown);
        ask(*party.adapter, IID_INDOverlapped);
        ask(*party.inbound, IID_INDCompletionQueue);
        ask(*party.connector, IID_INDConnector);
        ask(*party.endpoint, IID_INDEndpoint);
        ask(*party.new_window().window, IID_INDMemoryWindow);
        ask(*party.endpoint, IID_INDOverlapped);
        ask(*party.endpoint, IID_IND2QueuePair);
        ask(*party.adapter, IID_IND2Adapter);
    });
    Codes expected(6, ND_SUCCESS);
    expected.resize(9, E_NOINTERFACE);
    CHECK(codes == expected);
}

// A takes port 6000 of its own.
TEST_CASE("nd1: a connection has addresses from when it is there", "[R132]") {
    Codes before;
    Named a_local;
    Named a_peer;
    Named b_local;
    Named b_peer;
    Named too_small;
    run_programs(
        [&](Nd1Party& a) {
            a.need_endpoint();
            INDConnector& connector = *a.connector;
            before = {address_of(connector, &INDConnector::GetLocalAddress, sizeof(sockaddr_in)).code,
                      address_of(connector, &INDConnector::GetPeerAddress, sizeof(sockaddr_in)).code};
            until_ms(a.os, 1);
            const sockaddr_in to = a.address("B", 5000);
            expect(a.call.end(connector,
                              connector.Connect(a.endpoint.get(), reinterpret_cast<const sockaddr*>(&to), sizeof to,
                                                kTcp, htons(6000), nullptr, 0, &a.call.overlapped)) == ND_SUCCESS &&
                       a.complete() == ND_SUCCESS,
                   "a connection");
            a_local = address_of(connector, &INDConnector::GetLocalAddress, 100);
            a_peer = address_of(connector, &INDConnector::GetPeerAddress, sizeof(sockaddr_in));
            too_small = address_of(connector, &INDConnector::GetPeerAddress, sizeof(sockaddr_in) - 1);
            until_ms(a.os, 10);
        },
        [&](Nd1Party& b) {
            b.be_passive();
            b_local = address_of(*b.connector, &INDConnector::GetLocalAddress, sizeof(sockaddr_in));
            b_peer = address_of(*b.connector, &INDConnector::GetPeerAddress, sizeof(sockaddr_in));
            until_ms(b.os, 10);
        });
    CHECK(before == Codes(2, ND_CONNECTION_INVALID));
    for (const Named& address : {a_local, a_peer, b_local, b_peer}) {
        CHECK(address.code == ND_SUCCESS);
        CHECK(address.size == sizeof(sockaddr_in));
        CHECK(address.in.sin_family == AF_INET);
    }
    CHECK(ntohs(a_local.in.sin_port) == 6000);
    CHECK(ntohs(a_peer.in.sin_port) == 5000);
    CHECK(std::memcmp(&a_local.in, &b_peer.in, sizeof(sockaddr_in)) == 0);
    CHECK(std::memcmp(&a_peer.in, &b_local.in, sizeof(sockaddr_in)) == 0);
    CHECK(too_small.code == ND_BUFFER_OVERFLOW);
    CHECK(too_small.size == sizeof(sockaddr_in));
    CHECK(too_small.in.sin_port == 0xABCD);  // untouched
}

TEST_CASE("nd1: a Connect from a port that is taken is refused") {
    HRESULT code = ND_PENDING;
    run_alone([&](Nd1Party& a) {
        a.need_endpoint();
        expect(a.listen(6000) == ND_SUCCESS, "it listens there");
        const sockaddr_in to = a.address("B", 5000);
        code = a.connector->Connect(a.endpoint.get(), reinterpret_cast<const sockaddr*>(&to), sizeof to, kTcp,
                                    htons(6000), nullptr, 0, &a.call.overlapped);
    });
    CHECK(code == ND_ADDRESS_ALREADY_EXISTS);  // as for a second Listen (R133)
}

}  // namespace ndsim::test::nd1_adapter_test
