// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "tests/scenarios/engine/ndk_pair.hpp"

using namespace ndsim;
using namespace ndsim::test;
using namespace std::chrono_literals;

namespace {

void nothing(HostContext&) {}

}  // namespace

TEST_CASE("connect: refused without a listener, by a paused one and by a reject, and tried again each time",
          "[K178][K174][K209]") {
    run_pair(
        [](HostContext& host) {
            Party a(host);
            a.connector = a.new_connector();
            host.sleep(1ms - host.clock());
            expect(a.connect(a.connector, a.qp, "B", 4001) == STATUS_CONNECTION_REFUSED, "nobody listens there");
            expect(a.connect(a.connector, a.qp, "B", 4000) == STATUS_CONNECTION_REFUSED, "the listener is paused");
            host.sleep(2ms - host.clock());
            expect(a.connect(a.connector, a.qp, "B", 4000) == STATUS_CONNECTION_REFUSED, "B rejects");
            expect(a.connect(a.connector, a.qp, "B", 4000) == STATUS_SUCCESS, "B accepts");
            expect(a.complete(a.connector) == STATUS_SUCCESS, "done");
            const NDIS_NDK_PERFORMANCE_COUNTERS counters = host.ndk_statistics();
            expect(counters.ConnectFailure == 3 && counters.Connect == 1 && counters.Accept == 0, "counted");
            expect(counters.ActiveConnection == 1, "one connection");
            a.close_all();
            expect(host.ndk_statistics().ActiveConnection == 0, "none any more");
        },
        [](HostContext& host) {
            Party b(host);
            b.listen();
            b.listener->Dispatch->NdkControlConnectEvents(b.listener, TRUE);
            host.sleep(1500us - host.clock());
            b.listener->Dispatch->NdkControlConnectEvents(b.listener, FALSE);
            NDK_CONNECTOR* const first = b.next_offered();
            expect(first->Dispatch->NdkReject(first, nullptr, 0) == STATUS_SUCCESS, "rejected");
            b.close(first);
            b.connector = b.next_offered();
            const Picoseconds begun = host.clock();
            expect(b.accept(b.connector, b.qp) == STATUS_SUCCESS, "done when the peer completes");
            expect(host.clock() > begun, "which takes a while");
            b.left.wait("A to close");
            const NDIS_NDK_PERFORMANCE_COUNTERS counters = host.ndk_statistics();
            expect(counters.Accept == 1 && counters.Connect == 0 && counters.ConnectFailure == 0, "counted");
            expect(counters.ConnectionError == 1, "A closed without disconnecting");
            b.close_all();
        });
}

TEST_CASE("connect: an incoming connector that is closed is a reject", "[K180]") {
    run_pair(
        [](HostContext& host) {
            Party a(host);
            a.connector = a.new_connector();
            host.sleep(1ms - host.clock());
            expect(a.connect(a.connector, a.qp, "B", 4000) == STATUS_CONNECTION_REFUSED, "closed");
            a.close_all();
        },
        [](HostContext& host) {
            Party b(host);
            b.listen();
            b.close(b.next_offered());
            b.close_all();
        });
}

TEST_CASE("connect: the passive side waits for the completion, but not for ever", "[K175][K176]") {
    run_pair(
        [](HostContext& host) {
            Party a(host);
            host.sleep(1ms - host.clock());
            a.connector = a.new_connector();
            expect(a.connect(a.connector, a.qp, "B", 4000) == STATUS_SUCCESS, "accepted");
            host.sleep(5ms);
            expect(a.complete(a.connector) == STATUS_CONNECTION_ABORTED, "B has given up");
            expect(a.send(64) == STATUS_CONNECTION_INVALID, "no connection");
            a.close_all();
        },
        [](HostContext& host) {
            Party b(host);
            b.listen();
            b.connector = b.next_offered();
            const Picoseconds begun = host.clock();
            expect(b.accept(b.connector, b.qp) == STATUS_IO_TIMEOUT, "A does not complete");
            expect(host.clock() - begun >= 2ms && host.clock() - begun < 2100us, "after nic.connect_timeout");
            b.close_all();
        },
        {"nic.connect_timeout=2 ms"});
}

TEST_CASE("connect: the active side gives up before the accept", "[K177][K202]") {
    run_pair(
        [](HostContext& host) {
            Party a(host);
            host.sleep(1ms - host.clock());
            for (int i = 0; i < 2; ++i) {
                NDK_CONNECTOR* const connector = a.new_connector();
                sockaddr_in source = a.address("", 0);
                sockaddr_in target = a.address("B", 4000);
                Call call(host);
                expect(
                    connector->Dispatch->NdkConnect(connector, a.qp, reinterpret_cast<PSOCKADDR>(&source),
                                                    sizeof source, reinterpret_cast<PSOCKADDR>(&target), sizeof target,
                                                    1, 1, nullptr, 0, Call::done, &call) == STATUS_PENDING,
                    "B thinks it over");
                host.sleep(100us);
                Call close(host);
                expect(
                    connector->Dispatch->NdkCloseConnector(&connector->Header, Call::closed, &close) == STATUS_PENDING,
                    "the connect is still pending");
                close.event.wait("the connector to close");
                expect(call.callbacks == 1 && call.status == STATUS_CANCELLED, "the connect has ended before");
            }
            a.close_all();  // the queue pair was never used
        },
        [](HostContext& host) {
            Party b(host);
            b.listen();
            NDK_CONNECTOR* const first = b.next_offered();
            NDK_CONNECTOR* const second = b.next_offered();
            host.sleep(1ms);
            expect(b.accept(first, b.qp) == STATUS_CONNECTION_ABORTED, "too late to accept");
            expect(second->Dispatch->NdkReject(second, nullptr, 0) == STATUS_CONNECTION_ABORTED, "or to reject");
            b.close(first);
            b.close(second);
            b.close_all();
        });
}

TEST_CASE("connect: the active side rejects after its connect has completed", "[K179]") {
    run_pair(
        [](HostContext& host) {
            Party a(host);
            host.sleep(1ms - host.clock());
            a.connector = a.new_connector();
            expect(a.connect(a.connector, a.qp, "B", 4000) == STATUS_SUCCESS, "accepted");
            expect(a.connector->Dispatch->NdkReject(a.connector, nullptr, 0) == STATUS_SUCCESS, "no, thanks");
            a.close_all();
        },
        [](HostContext& host) {
            Party b(host);
            b.listen();
            b.connector = b.next_offered();
            expect(b.accept(b.connector, b.qp) == STATUS_CONNECTION_ABORTED, "A does not want it");
            b.close_all();
        });
}

TEST_CASE("connect: a peer that does not answer, is not there, or is this host", "[K178][K189]") {
    run_pair(
        [](HostContext& host) {
            Party a(host);
            host.sleep(1ms - host.clock());
            a.connector = a.new_connector();
            expect(a.connect(a.connector, a.qp, "", 4000) == STATUS_CONNECTION_REFUSED, "no loopback (flag 0x10000)");
            Picoseconds begun = host.clock();
            expect(a.connect(a.connector, a.qp, "B", 4000) == STATUS_IO_TIMEOUT, "B's consumer does nothing");
            expect(host.clock() - begun >= 2ms && host.clock() - begun < 2100us, "after nic.connect_timeout");
            // An address of the network that no host has; and one of another network, which needs no waiting.
            sockaddr_in source = a.address("", 0);
            sockaddr_in target = a.address("B", 4000);
            const auto ask = [&](ULONG ip) {
                target.sin_addr.s_addr = htonl(ip);
                Call call(host);
                return call.wait(a.connector->Dispatch->NdkConnect(
                    a.connector, a.qp, reinterpret_cast<PSOCKADDR>(&source), sizeof source,
                    reinterpret_cast<PSOCKADDR>(&target), sizeof target, 1, 1, nullptr, 0, Call::done, &call));
            };
            begun = host.clock();
            expect(ask(0x0A0000C8) == STATUS_HOST_UNREACHABLE, "10.0.0.200 is nobody");
            expect(host.clock() - begun >= 2ms, "which shows after nic.connect_timeout");
            begun = host.clock();
            expect(ask(0xC0A80001) == STATUS_NETWORK_UNREACHABLE, "192.168.0.1 is elsewhere");
            expect(host.clock() == begun, "known at once");
            a.close_all();
        },
        [](HostContext& host) {
            Party b(host);
            b.listen();
            NDK_CONNECTOR* const ignored = b.next_offered();
            host.sleep(3ms);
            b.close(ignored);
            b.close_all();
        },
        {"nic.connect_timeout=2 ms"});
}

TEST_CASE("connect: read limits are the least of both sides and of the adapter", "[K171]") {
    // A asks for 20 in and 3 out, B grants 9 in and 5 out; the adapter has 16.
    // A: in min(20, 16, 5) = 5, out min(3, 16, 9) = 3; B: in min(9, 16, 3) = 3, out min(5, 16, 16) = 5.
    const auto limits = [](NDK_CONNECTOR* connector) {
        std::pair<ULONG, ULONG> both;
        expect(connector->Dispatch->NdkGetConnectionData(connector, &both.first, &both.second, nullptr, nullptr) ==
                   STATUS_SUCCESS,
               "limits can be asked for");
        return both;
    };
    run_pair(
        [&](HostContext& host) {
            Party a(host);
            host.sleep(1ms - host.clock());
            a.connector = a.new_connector();
            expect(a.connect(a.connector, a.qp, "B", 4000, 0, 20, 3) == STATUS_SUCCESS, "accepted");
            expect(limits(a.connector) == std::pair<ULONG, ULONG>(5, 3), "A's limits");
            expect(a.complete(a.connector) == STATUS_SUCCESS, "completed");
            expect(limits(a.connector) == std::pair<ULONG, ULONG>(5, 3), "and afterwards");
            a.close_all();
        },
        [&](HostContext& host) {
            Party b(host);
            b.listen();
            b.connector = b.next_offered();
            // Before the accept: what A would allow, B's in being A's out.
            expect(limits(b.connector) == std::pair<ULONG, ULONG>(3, 16), "what the request allows");
            expect(b.accept(b.connector, b.qp, 9, 5) == STATUS_SUCCESS, "accepted");
            expect(limits(b.connector) == std::pair<ULONG, ULONG>(3, 5), "B's limits");
            b.close_all();
        });
}

TEST_CASE("connect: data that comes before the accept is completed is delivered", "[K190]") {
    run_pair(
        [](HostContext& host) {
            Party a(host);
            a.be_active("B");
            expect(a.send(64) == STATUS_SUCCESS, "a Send, as soon as the connect is completed");
            a.left.wait("B to close");
            expect(a.poll() == std::vector<NTSTATUS>{STATUS_SUCCESS}, "it has arrived");
            a.close_all();
        },
        [](HostContext& host) {
            Party b(host);
            expect(b.receive(64) == STATUS_SUCCESS, "a receive before there is a connection (K24)");
            b.listen();
            b.connector = b.next_offered();
            Call call(host);
            expect(b.connector->Dispatch->NdkAccept(b.connector, b.qp, 1, 1, nullptr, 0, &Party::peer_left, &b,
                                                    Call::done, &call) == STATUS_PENDING,
                   "accepting");
            std::vector<NTSTATUS> got;
            while (got.empty()) {
                got = b.poll();
            }
            // The completion of A's connect is an event of the NIC and takes B's driver 200 us; data takes none.
            expect(got == std::vector<NTSTATUS>{STATUS_SUCCESS} && call.callbacks == 0, "the data is first");
            expect(call.wait(STATUS_PENDING) == STATUS_SUCCESS, "then the accept");
            b.close_all();
        },
        {"hosts.B.nic.event_latency=200 us"});
}

TEST_CASE("connect: private data in the five cases of NdkGetConnectionData, and too much of it", "[K184][K185]") {
    run_pair(
        [](HostContext& host) {
            Party a(host);
            host.sleep(1ms - host.clock());
            a.connector = a.new_connector();
            sockaddr_in source = a.address("", 0);
            sockaddr_in target = a.address("B", 4000);
            std::array<UCHAR, 57> data{};
            std::fill_n(data.begin(), 24, UCHAR{0x11});
            const auto ask = [&](ULONG length) {
                Call call(host);
                return call.wait(a.connector->Dispatch->NdkConnect(
                    a.connector, a.qp, reinterpret_cast<PSOCKADDR>(&source), sizeof source,
                    reinterpret_cast<PSOCKADDR>(&target), sizeof target, 1, 1, data.data(), length, Call::done, &call));
            };
            expect(ask(57) == STATUS_INVALID_BUFFER_SIZE, "MaxCallerData is 56");
            expect(ask(24) == STATUS_SUCCESS, "24 bytes");
            expect(a.complete(a.connector) == STATUS_SUCCESS, "completed");
            a.left.wait("B to close");
            a.close_all();
        },
        [](HostContext& host) {
            Party b(host);
            b.listen();
            b.connector = b.next_offered();
            const auto& call = *b.connector->Dispatch;
            std::array<UCHAR, 64> data{};
            ULONG length = 0;
            const auto ask = [&](void* buffer, ULONG size) {
                length = size;
                data.fill(0xEE);
                return call.NdkGetConnectionData(b.connector, nullptr, nullptr, buffer, &length);
            };
            expect(ask(nullptr, 0) == STATUS_SUCCESS && length == 56, "the size of what can be there");
            expect(ask(nullptr, 8) == STATUS_INVALID_PARAMETER, "a size without a buffer");
            expect(ask(data.data(), 10) == STATUS_BUFFER_TOO_SMALL && length == 56, "too small");
            expect(data[9] == 0x11 && data[10] == 0xEE, "but ten bytes are there");
            expect(ask(data.data(), 56) == STATUS_SUCCESS && length == 56, "just right");
            expect(data[23] == 0x11 && data[24] == 0 && data[55] == 0, "24 bytes, and zeros");
            expect(ask(data.data(), 64) == STATUS_SUCCESS && length == 56 && data[56] == 0xEE, "more room than needed");
            std::array<UCHAR, 197> reply{};
            expect(call.NdkReject(b.connector, reply.data(), 197) == STATUS_INVALID_BUFFER_SIZE, "MaxCalleeData: 196");
            expect(b.accept(b.connector, b.qp) == STATUS_SUCCESS, "accepted");
            b.close_all();
        });
}

TEST_CASE("addresses: ports of listeners, connectors and shared endpoints exclude each other", "[K181][K182][K188]") {
    run_pair(
        [](HostContext& host) {
            Party a(host);
            NDK_LISTENER* const fixed = a.new_listener();
            expect(a.listen_at(fixed, 4000) == STATUS_SUCCESS, "port 4000");
            expect(a.listen_at(fixed, 4005) == STATUS_ADDRESS_ALREADY_ASSOCIATED, "a listener has one address");
            NDK_LISTENER* const other = a.new_listener();
            expect(a.listen_at(other, 4000) == STATUS_SHARING_VIOLATION, "taken");
            NDK_CONNECTOR* const connector = a.new_connector();
            expect(a.connect(connector, a.qp, "B", 5000, 4000) == STATUS_SHARING_VIOLATION, "for a connect, too");
            sockaddr_in foreign = a.address("B", 4001);
            expect(other->Dispatch->NdkListen(other, reinterpret_cast<PSOCKADDR>(&foreign), sizeof foreign, Call::done,
                                              nullptr) == STATUS_INVALID_ADDRESS,
                   "B's address");
            expect(a.listen_at(other, 0) == STATUS_SUCCESS, "any port");
            sockaddr_in picked{};
            ULONG length = 4;
            expect(other->Dispatch->NdkGetLocalAddress(other, reinterpret_cast<PSOCKADDR>(&picked), &length) ==
                           STATUS_BUFFER_TOO_SMALL &&
                       length == sizeof picked,
                   "the size of an address");
            expect(other->Dispatch->NdkGetLocalAddress(other, reinterpret_cast<PSOCKADDR>(&picked), &length) ==
                       STATUS_SUCCESS,
                   "it fits");
            expect(ntohs(picked.sin_port) >= 49152, "from the ephemeral range");
            a.close(fixed->Dispatch->NdkCloseListener, fixed);
            NDK_LISTENER* const third = a.new_listener();
            expect(a.listen_at(third, 4000) == STATUS_SUCCESS, "free again");
        },
        nothing);
}

TEST_CASE("addresses: a listener's is busy until its connectors are closed", "[K188][K200][K203]") {
    run_pair(
        [](HostContext& host) {
            Party a(host);
            a.be_active("B");
            NDK_CONNECTOR* const second = a.new_connector();
            a.left.wait("B to be done");
            expect(a.connect(second, a.new_qp(), "B", 4000) == STATUS_CONNECTION_REFUSED, "B's listener is closing");
            expect(a.disconnect() == STATUS_SUCCESS, "done");
        },
        [](HostContext& host) {
            Party b(host);
            b.be_passive();
            Call close(host);
            expect(b.listener->Dispatch->NdkCloseListener(&b.listener->Header, Call::closed, &close) == STATUS_PENDING,
                   "its connector is open");
            expect(b.disconnect() == STATUS_SUCCESS, "done");
            expect(close.callbacks == 0, "still open");
            NDK_LISTENER* const next = b.new_listener();
            expect(b.listen_at(next, 4000) == STATUS_SHARING_VIOLATION, "still busy");
            b.close(b.connector);
            close.event.wait("the listener to close");
            expect(b.listen_at(next, 4000) == STATUS_SUCCESS, "free");
        });
}

TEST_CASE("addresses: one shared endpoint connects to many, but to each only once", "[K183][K182][K188]") {
    run_pair(
        [](HostContext& host) {
            Party a(host);
            host.sleep(1ms - host.clock());
            sockaddr_in local = a.address("", 6000);
            NDK_SHARED_ENDPOINT* endpoint = nullptr;
            const auto create = [&](Call& call, NDK_SHARED_ENDPOINT** out) {
                return a.adapter->Dispatch->NdkCreateSharedEndpoint(a.adapter, reinterpret_cast<PSOCKADDR>(&local),
                                                                    sizeof local, Call::created, &call, out);
            };
            a.make(endpoint, create);
            Call again(host);
            NDK_SHARED_ENDPOINT* none = nullptr;
            expect(again.wait(create(again, &none)) == STATUS_SHARING_VIOLATION && none == nullptr, "taken");
            const auto join = [&](NDK_CONNECTOR* connector, NDK_QP* qp, USHORT port) {
                sockaddr_in target = a.address("B", port);
                Call call(host);
                return call.wait(connector->Dispatch->NdkConnectWithSharedEndpoint(
                    connector, qp, endpoint, reinterpret_cast<PSOCKADDR>(&target), sizeof target, 1, 1, nullptr, 0,
                    Call::done, &call));
            };
            NDK_CONNECTOR* const first = a.new_connector();
            NDK_CONNECTOR* const second = a.new_connector();
            NDK_CONNECTOR* const third = a.new_connector();
            expect(join(first, a.qp, 4000) == STATUS_SUCCESS, "one");
            expect(a.complete(first) == STATUS_SUCCESS, "completed");
            expect(join(third, a.new_qp(), 4000) == STATUS_ADDRESS_ALREADY_EXISTS, "the same again");
            expect(a.connect(third, a.new_qp(), "B", 4000, 6000) == STATUS_ADDRESS_ALREADY_EXISTS, "in another way");
            expect(join(second, a.new_qp(), 4001) == STATUS_SUCCESS, "another");
            expect(a.complete(second) == STATUS_SUCCESS, "completed");
            sockaddr_in seen{};
            ULONG length = sizeof seen;
            expect(second->Dispatch->NdkGetLocalAddress(second, reinterpret_cast<PSOCKADDR>(&seen), &length) ==
                           STATUS_SUCCESS &&
                       ntohs(seen.sin_port) == 6000,
                   "the endpoint's address");
            Call close(host);
            expect(
                endpoint->Dispatch->NdkCloseSharedEndpoint(&endpoint->Header, Call::closed, &close) == STATUS_PENDING,
                "its connectors are open (K200)");
            a.close(first);
            expect(close.callbacks == 0, "one is left");
            a.close(second);
            close.event.wait("the endpoint to close");
            a.make(endpoint, create);
        },
        [](HostContext& host) {
            Party b(host);
            b.listen(4000);
            NDK_LISTENER* const other = b.new_listener();
            expect(b.listen_at(other, 4001) == STATUS_SUCCESS, "a second listener");
            expect(b.accept(b.next_offered(), b.qp) == STATUS_SUCCESS, "one");
            expect(b.accept(b.next_offered(), b.new_qp()) == STATUS_SUCCESS, "another");
            b.left.wait("A to close");
        });
}
