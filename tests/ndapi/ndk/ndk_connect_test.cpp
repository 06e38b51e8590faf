// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "tests/ndapi/ndk/ndk_pair.hpp"

namespace ndsim::test::ndk_connect_test {

using namespace std::chrono_literals;

// B listens by then, and accepts.
void connect_at_1_ms(Party& a) {
    a.host.sleep(1ms - a.host.clock());
    a.connector = a.new_connector();
    expect(a.connect(a.connector, a.qp, "B", 4000) == STATUS_SUCCESS, "accepted");
}

TEST_CASE("connect: refused without a listener, by a paused one and by a reject, and tried again each time",
          "[K178][K174][K209]") {
    run_pair(
        [](Party& a) {
            a.connector = a.new_connector();
            a.host.sleep(1ms - a.host.clock());
            expect(a.connect(a.connector, a.qp, "B", 4001) == STATUS_CONNECTION_REFUSED, "nobody listens there");
            expect(a.connect(a.connector, a.qp, "B", 4000) == STATUS_CONNECTION_REFUSED, "the listener is paused");
            a.host.sleep(2ms - a.host.clock());
            expect(a.connect(a.connector, a.qp, "B", 4000) == STATUS_CONNECTION_REFUSED, "B rejects");
            expect(a.connect(a.connector, a.qp, "B", 4000) == STATUS_SUCCESS, "B accepts");
            expect(a.complete(a.connector) == STATUS_SUCCESS, "done");
            const NDIS_NDK_PERFORMANCE_COUNTERS counters = a.host.ndk_statistics();
            expect(counters.ConnectFailure == 3 && counters.Connect == 1 && counters.Accept == 0, "counted");
            expect(counters.ActiveConnection == 1, "one connection");
            a.close_all();
            expect(a.host.ndk_statistics().ActiveConnection == 0, "none any more");
        },
        [](Party& b) {
            b.listen();
            b.listener->Dispatch->NdkControlConnectEvents(b.listener, TRUE);
            b.host.sleep(1500us - b.host.clock());
            b.listener->Dispatch->NdkControlConnectEvents(b.listener, FALSE);
            NDK_CONNECTOR* const first = b.next_offered();
            expect(first->Dispatch->NdkReject(first, nullptr, 0) == STATUS_SUCCESS, "rejected");
            b.close(first);
            b.connector = b.next_offered();
            const Picoseconds begun = b.host.clock();
            expect(b.accept(b.connector, b.qp) == STATUS_SUCCESS, "done when the peer completes");
            expect(b.host.clock() > begun, "which takes a while");
            b.left.wait("A to close");
            const NDIS_NDK_PERFORMANCE_COUNTERS counters = b.host.ndk_statistics();
            expect(counters.Accept == 1 && counters.Connect == 0 && counters.ConnectFailure == 0, "counted");
            expect(counters.ConnectionError == 1, "A closed without disconnecting");
            b.close_all();
        });
}

TEST_CASE("connect: an incoming connector that is closed is a reject", "[K180]") {
    run_pair(
        [](Party& a) {
            a.connector = a.new_connector();
            a.host.sleep(1ms - a.host.clock());
            expect(a.connect(a.connector, a.qp, "B", 4000) == STATUS_CONNECTION_REFUSED, "closed");
            a.close_all();
        },
        [](Party& b) {
            b.listen();
            b.close(b.next_offered());
            b.close_all();
        });
}

TEST_CASE("connect: the passive side waits for the completion, but not for ever", "[K175][K176][formula][limit]") {
    run_pair(
        [](Party& a) {
            connect_at_1_ms(a);
            a.host.sleep(5ms);
            expect(a.complete(a.connector) == STATUS_CONNECTION_ABORTED, "B has given up");
            expect(a.send(64) == STATUS_CONNECTION_INVALID, "no connection");
            a.close_all();
        },
        [](Party& b) {
            b.listen();
            b.connector = b.next_offered();
            const Picoseconds begun = b.host.clock();
            expect(b.accept(b.connector, b.qp) == STATUS_IO_TIMEOUT, "A does not complete");
            expect(b.host.clock() - begun == 2ms + 4us, "after nic.connect_timeout, and event_wakeup");
            b.close_all();
        },
        {"nic.connect_timeout=2 ms"});
}

TEST_CASE("connect: the active side gives up before the accept", "[K177][K202]") {
    run_pair(
        [](Party& a) {
            a.host.sleep(1ms - a.host.clock());
            for (int i = 0; i < 2; ++i) {
                NDK_CONNECTOR* const connector = a.new_connector();
                sockaddr_in source = a.address("", 0);
                sockaddr_in target = a.address("B", 4000);
                Call call(a.host);
                expect(
                    connector->Dispatch->NdkConnect(connector, a.qp, reinterpret_cast<PSOCKADDR>(&source),
                                                    sizeof source, reinterpret_cast<PSOCKADDR>(&target), sizeof target,
                                                    1, 1, nullptr, 0, Call::done, &call) == STATUS_PENDING,
                    "B thinks it over");
                a.host.sleep(100us);
                Call close(a.host);
                expect(
                    connector->Dispatch->NdkCloseConnector(&connector->Header, Call::closed, &close) == STATUS_PENDING,
                    "the connect is still pending");
                close.event.wait("the connector to close");
                expect(call.callbacks == 1 && call.status == STATUS_CANCELLED, "the connect has ended before");
            }
            a.close_all();  // the queue pair was never used
        },
        [](Party& b) {
            b.listen();
            NDK_CONNECTOR* const first = b.next_offered();
            NDK_CONNECTOR* const second = b.next_offered();
            b.host.sleep(1ms);
            expect(b.accept(first, b.qp) == STATUS_CONNECTION_ABORTED, "too late to accept");
            expect(second->Dispatch->NdkReject(second, nullptr, 0) == STATUS_CONNECTION_ABORTED, "or to reject");
            b.close(first);
            b.close(second);
            b.close_all();
        });
}

TEST_CASE("connect: the active side rejects after its connect has completed", "[K179]") {
    run_pair(
        [](Party& a) {
            connect_at_1_ms(a);
            expect(a.connector->Dispatch->NdkReject(a.connector, nullptr, 0) == STATUS_SUCCESS, "no, thanks");
            a.close_all();
        },
        [](Party& b) {
            b.listen();
            b.connector = b.next_offered();
            expect(b.accept(b.connector, b.qp) == STATUS_CONNECTION_ABORTED, "A does not want it");
            b.close_all();
        });
}

TEST_CASE("connect: a peer that does not answer, is not there, or is this host", "[K178][K189][formula][limit]") {
    run_pair(
        [](Party& a) {
            a.host.sleep(1ms - a.host.clock());
            a.connector = a.new_connector();
            expect(a.connect(a.connector, a.qp, "", 4000) == STATUS_CONNECTION_REFUSED, "no loopback (flag 0x10000)");
            Picoseconds begun = a.host.clock();
            expect(a.connect(a.connector, a.qp, "B", 4000) == STATUS_IO_TIMEOUT, "B's consumer does nothing");
            expect(a.host.clock() - begun == 2ms + 4us, "after nic.connect_timeout, and event_wakeup");
            // An address of the network that no host has; and one of another network, which needs no waiting.
            sockaddr_in source = a.address("", 0);
            sockaddr_in target = a.address("B", 4000);
            const auto ask = [&](ULONG ip) {
                target.sin_addr.s_addr = htonl(ip);
                Call call(a.host);
                return call.wait(a.connector->Dispatch->NdkConnect(
                    a.connector, a.qp, reinterpret_cast<PSOCKADDR>(&source), sizeof source,
                    reinterpret_cast<PSOCKADDR>(&target), sizeof target, 1, 1, nullptr, 0, Call::done, &call));
            };
            begun = a.host.clock();
            expect(ask(0x0A0000C8) == STATUS_HOST_UNREACHABLE, "10.0.0.200 is nobody");
            expect(a.host.clock() - begun == 2ms + 4us, "which shows after nic.connect_timeout, and event_wakeup");
            begun = a.host.clock();
            expect(ask(0xC0A80001) == STATUS_NETWORK_UNREACHABLE, "192.168.0.1 is elsewhere");
            expect(a.host.clock() == begun, "known at once");
            a.close_all();
        },
        [](Party& b) {
            b.listen();
            NDK_CONNECTOR* const ignored = b.next_offered();
            b.host.sleep(3ms);
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
        [&](Party& a) {
            a.host.sleep(1ms - a.host.clock());
            a.connector = a.new_connector();
            expect(a.connect(a.connector, a.qp, "B", 4000, 0, 20, 3) == STATUS_SUCCESS, "accepted");
            expect(limits(a.connector) == std::pair<ULONG, ULONG>(5, 3), "A's limits");
            expect(a.complete(a.connector) == STATUS_SUCCESS, "completed");
            expect(limits(a.connector) == std::pair<ULONG, ULONG>(5, 3), "and afterwards");
            a.close_all();
        },
        [&](Party& b) {
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
        [](Party& a) {
            a.be_active("B");
            expect(a.send(64) == STATUS_SUCCESS, "a Send, as soon as the connect is completed");
            a.left.wait("B to close");
            expect(a.poll() == std::vector<NTSTATUS>{STATUS_SUCCESS}, "it has arrived");
            a.close_all();
        },
        [](Party& b) {
            expect(b.receive(64) == STATUS_SUCCESS, "a receive before there is a connection (K24)");
            b.listen();
            b.connector = b.next_offered();
            Call call(b.host);
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
        [](Party& a) {
            a.host.sleep(1ms - a.host.clock());
            a.connector = a.new_connector();
            sockaddr_in source = a.address("", 0);
            sockaddr_in target = a.address("B", 4000);
            std::array<UCHAR, 57> data{};
            std::fill_n(data.begin(), 24, UCHAR{0x11});
            const auto ask = [&](ULONG length) {
                Call call(a.host);
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
        [](Party& b) {
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

}  // namespace ndsim::test::ndk_connect_test
