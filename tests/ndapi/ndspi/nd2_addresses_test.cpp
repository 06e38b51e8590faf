// SPDX-License-Identifier: Apache-2.0
#include "tests/ndapi/ndspi/nd2_calls.hpp"

namespace ndsim::test::nd2_addresses_test {

// An address as a call tells it, in host order.
struct Told {
    HRESULT status = ND_PENDING;
    ULONG size = 0;
    ULONG ip = 0;
    USHORT port = 0;
};
template <class Object, class Get>
Told ask(Object& object, Get get) {
    sockaddr_in in{};
    Told told;
    told.size = sizeof in;
    told.status = (object.*get)(reinterpret_cast<sockaddr*>(&in), &told.size);
    std::memcpy(&told.ip, &in.sin_addr, sizeof told.ip);
    told.port = ntohs(in.sin_port);
    return told;
}
// The same with one byte too few; whether the buffer stays as it was.
struct Refused {
    HRESULT status = ND_PENDING;
    ULONG size = 0;
    bool untouched = false;
};
template <class Object, class Get>
Refused ask_with_too_little(Object& object, Get get) {
    std::array<unsigned char, sizeof(sockaddr_in)> room{};
    room.fill(0xEE);
    Refused refused;
    refused.size = sizeof(sockaddr_in) - 1;
    refused.status = (object.*get)(reinterpret_cast<sockaddr*>(room.data()), &refused.size);
    refused.untouched = std::all_of(room.begin(), room.end(), [](unsigned char byte) { return byte == 0xEE; });
    return refused;
}

ULONG ip_of(Nd2Party& party, std::string_view host) {
    ULONG ip = 0;
    const sockaddr_in in = party.address(host, 0);
    std::memcpy(&ip, &in.sin_addr, sizeof ip);
    return ip;
}

const auto kLocal = &IND2Connector::GetLocalAddress;
const auto kPeer = &IND2Connector::GetPeerAddress;

TEST_CASE("nd2: a connector without a connection has no addresses", "[R132]") {
    std::vector<HRESULT> statuses;
    run_nd2(
        [&](Nd2Party& a) {
            statuses = {ask(*a.connector.get(), kLocal).status, ask(*a.connector.get(), kPeer).status};
        },
        idle);
    CHECK(statuses == std::vector<HRESULT>(2, ND_CONNECTION_INVALID));
}

// B listens, and does not answer. There was nothing from the peer either (R128).
TEST_CASE("nd2: a connector whose Connect was cancelled has no addresses", "[R132][R142]") {
    std::vector<HRESULT> before;
    std::vector<HRESULT> after;
    HRESULT cancelled = ND_PENDING;
    run_nd2(
        [&](Nd2Party& a) {
            Nd2Call call(a.os);
            const sockaddr_in to = a.address("B", 5000);
            const auto tell = [&]() -> std::vector<HRESULT> {
                ULONG size = 0;
                return {ask(*a.connector.get(), kLocal).status, ask(*a.connector.get(), kPeer).status,
                        a.connector->GetPrivateData(nullptr, &size)};
            };
            a.os.sleep(1);
            expect(a.connector->Connect(a.qp.get(), reinterpret_cast<const sockaddr*>(&to), sizeof to, 1, 1, nullptr, 0,
                                        &call.overlapped) == ND_PENDING,
                   "B takes its time");
            before = tell();
            a.os.sleep(1);
            expect(a.connector->CancelOverlappedRequests() == ND_SUCCESS, "cancelled");
            cancelled = call.end(*a.connector.get());
            after = tell();
        },
        [](Nd2Party& b) {
            b.listen();
            until_ms(b.os, 5);
        });
    CHECK(before == std::vector<HRESULT>{ND_SUCCESS, ND_CONNECTION_INVALID, ND_CONNECTION_INVALID});
    CHECK(cancelled == ND_CANCELED);
    CHECK(after == std::vector<HRESULT>(3, ND_CONNECTION_INVALID));
}

// Ephemeral ports are 49152 to 65535 (ndspi.md 4.9).
TEST_CASE("nd2: the ends of a connection know both addresses", "[R132]") {
    std::array<Told, 2> at_a;
    std::array<Told, 2> at_b;
    std::array<Refused, 2> refused;
    ULONG ip_a = 0;
    ULONG ip_b = 0;
    run_nd2_pair({.program =
                      [&](Nd2Party& a, const Nd2Place&) {
                          at_a = {ask(*a.connector.get(), kLocal), ask(*a.connector.get(), kPeer)};
                          refused = {ask_with_too_little(*a.connector.get(), kLocal),
                                     ask_with_too_little(*a.connector.get(), kPeer)};
                          ip_a = ip_of(a, "");
                          ip_b = ip_of(a, "B");
                      }},
                 {.program = [&](Nd2Party& b, const Nd2Place&) {
                     at_b = {ask(*b.connector.get(), kLocal), ask(*b.connector.get(), kPeer)};
                 }});
    for (const Told& told : {at_a[0], at_a[1], at_b[0], at_b[1]}) {
        CHECK(told.status == ND_SUCCESS);
        CHECK(told.size == sizeof(sockaddr_in));
    }
    CHECK(at_a[0].ip == ip_a);
    CHECK(at_a[0].port >= 49152);
    CHECK(at_a[1].ip == ip_b);
    CHECK(at_a[1].port == 5000);
    CHECK(at_b[0].ip == ip_b);
    CHECK(at_b[0].port == 5000);
    CHECK(at_b[1].ip == ip_a);
    CHECK(at_b[1].port == at_a[0].port);
    for (const Refused& each : refused) {
        CHECK(each.status == ND_BUFFER_OVERFLOW);
        CHECK(each.size == sizeof(sockaddr_in));
        CHECK(each.untouched);
    }
}

TEST_CASE("nd2: a connector that was bound connects from there") {
    USHORT seen = 0;
    run_nd2(
        [&](Nd2Party& a) {
            const sockaddr_in own = a.address("", 6000);
            expect(a.connector->Bind(reinterpret_cast<const sockaddr*>(&own), sizeof own) == ND_SUCCESS, "it binds");
            a.be_active("B");
            until_ms(a.os, 5);
        },
        [&](Nd2Party& b) {
            b.be_passive();
            seen = ask(*b.connector.get(), kPeer).port;
            until_ms(b.os, 5);
        });
    CHECK(seen == 6000);
}

// A listener that does not listen is in no state to tell (ndspi.md 4.10).
TEST_CASE("nd2: a listener bound to port 0 gets one, and tells it once it listens") {
    Told fresh;
    Told bound;
    Told after;
    Refused refused;
    HRESULT connected = ND_PENDING;
    const auto local = &IND2Listener::GetLocalAddress;
    run_nd2(
        [&](Nd2Party& a) {
            until_ms(a.os, 2);
            connected = a.connect("B", after.port);
        },
        [&](Nd2Party& b) {
            expect(b.adapter->CreateListener(IID_IND2Listener, b.file, b.listener.out()) == ND_SUCCESS, "a listener");
            const sockaddr_in any = b.address("", 0);
            fresh = ask(*b.listener.get(), local);
            expect(b.listener->Bind(reinterpret_cast<const sockaddr*>(&any), sizeof any) == ND_SUCCESS, "it binds");
            bound = ask(*b.listener.get(), local);
            expect(b.listener->Listen(0) == ND_SUCCESS, "it listens");
            after = ask(*b.listener.get(), local);
            refused = ask_with_too_little(*b.listener.get(), local);
            expect(b.next_request(*b.connector.get()) == ND_SUCCESS, "a connect request");
            expect(b.connector->Reject(nullptr, 0) == ND_SUCCESS, "which was to be shown");
            until_ms(b.os, 5);
        });
    CHECK(fresh.status == ND_INVALID_DEVICE_STATE);
    CHECK(bound.status == ND_INVALID_DEVICE_STATE);
    CHECK(after.status == ND_SUCCESS);
    CHECK(after.port >= 49152);
    CHECK(refused.status == ND_BUFFER_OVERFLOW);
    CHECK(refused.untouched);
    CHECK(connected == ND_CONNECTION_REFUSED);
}

// The first host that is missing is one of the network of all hosts, the second one is not (docs/host-programs.md).
TEST_CASE("nd2: who connects to where no host is hears so, and may try another one") {
    std::vector<HRESULT> statuses;
    run_nd2(
        [&](Nd2Party& a) {
            a.os.sleep(1);
            for (const ULONG ip : {0x0A00FE01U, 0xC0A80001U}) {  // 10.0.254.1 and 192.168.0.1
                sockaddr_in to = a.address("B", 5000);
                const ULONG in_network_order = htonl(ip);
                std::memcpy(&to.sin_addr, &in_network_order, sizeof in_network_order);
                statuses.push_back(a.finish(*a.connector.get(),
                                            a.connector->Connect(a.qp.get(), reinterpret_cast<const sockaddr*>(&to),
                                                                 sizeof to, 1, 1, nullptr, 0, &a.overlapped)));
            }
            a.be_active("B");
            until_ms(a.os, 10);
        },
        [](Nd2Party& b) {
            b.be_passive();
            until_ms(b.os, 10);
        },
        {"nic.connect_timeout=2 ms"});
    CHECK(statuses == std::vector<HRESULT>{ND_HOST_UNREACHABLE, ND_NETWORK_UNREACHABLE});
}

}  // namespace ndsim::test::nd2_addresses_test
