// SPDX-License-Identifier: Apache-2.0

#include "ndapi/core/listener.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/device_double.hpp"

namespace ndsim::test::accepting_test {

using core::CmKind;
using core::CmMessage;
using Notes = std::vector<QueuePair::Note>;

NodeParams impatient() {
    NodeParams params = driver_params();
    params.nic.control.connect_timeout = 10us;
    return params;
}

// A host that listens on port 4000.
struct Accepting : DriverBench {
    Accepting() : DriverBench(impatient()) { CHECK(listener.listen({0, 4000}) == STATUS_SUCCESS); }

    // A message of the peer's connection 77.
    [[nodiscard]] CmMessage from_peer(CmKind kind, std::uint32_t to = 0) const {
        CmMessage message;
        message.kind = kind;
        message.local_id = 77;
        message.remote_id = to;
        message.source_ip = kPeerIp;
        message.destination_ip = kIp;
        message.source_port = 50'000;
        message.destination_port = 4000;
        message.qp = QpNum{0x99};
        message.psn = 1234;
        message.mtu = 8192;
        message.inbound_reads = 3;
        message.outbound_reads = 1;
        return message;
    }
    NTSTATUS accept() {
        return incoming.at(0)->accept(
            pair.qp, {8, 8}, {}, [this] { disconnects.push_back(callback_core.clock()); },
            [this](NTSTATUS status) {
                notes.push_back({callback_core.clock(), status});
            });
    }

    std::vector<std::unique_ptr<core::Connector>> incoming;
    core::Listener listener{driver,
                            [this](std::unique_ptr<core::Connector> one) { incoming.push_back(std::move(one)); }};
    QueuePair pair{*this};
    Notes notes;
    std::vector<Picoseconds> disconnects;
};

TEST_CASE("accepting: the queue pair is connected before the reply, and ready ends the accept", "[K171][K174][K190]") {
    Accepting bench;
    bench.device.datagram(2us, bench.from_peer(CmKind::request));
    bench.at(5us, [&] { bench.device.datagram(5us, bench.from_peer(CmKind::ready, bench.incoming.at(0)->id())); });
    bench.program(1us, [&] {
        bench.core.sleep(3us);
        REQUIRE(bench.incoming.size() == 1);
        CHECK(bench.incoming[0]->peer() == core::Endpoint{DriverBench::kPeerIp, 50'000});
        CHECK(bench.accept() == STATUS_PENDING);
        bench.core.sleep(4us);
        CHECK(bench.pair.send(1) == STATUS_CONNECTION_INVALID);
        bench.core.sleep(6us);
        CHECK(bench.pair.send(1) == STATUS_SUCCESS);
    });
    bench.run();
    const auto joined = bench.device.commands_of<ConnectQp>();
    REQUIRE(joined.size() == 1);
    CHECK(joined[0].at == 3us);
    CHECK(joined[0].what.connection.mtu == 4096);          // ours is the smaller one
    CHECK(joined[0].what.connection.outbound_reads == 3);  // the peer takes 3
    CHECK(joined[0].what.connection.inbound_reads == 1);   // the peer wants 1
    const auto messages = bench.device.messages();
    REQUIRE(messages.size() == 1);
    CHECK(messages[0].at == 3100ns);  // 100 ns: the answer to ConnectQp
    CHECK(messages[0].what.kind == CmKind::reply);
    CHECK(messages[0].what.remote_id == 77);
    CHECK(messages[0].what.qp == bench.pair.qp.number());
    CHECK(bench.notes == Notes{{5us, STATUS_SUCCESS}});
    CHECK(bench.driver.counters().accepts == 1);
    CHECK(bench.driver.counters().active_connections == 1);
}

// The accept is called at 3 us, and the NIC's answer comes 100 ns later.
TEST_CASE("accepting: a frozen host does not send the reply before it goes on", "[K174]") {
    Accepting bench;
    bench.callback_core.freeze({3050ns, 8us});
    bench.device.datagram(2us, bench.from_peer(CmKind::request));
    bench.program(1us, [&] {
        bench.core.sleep(3us);
        CHECK(bench.accept() == STATUS_PENDING);
    });
    bench.run();
    const auto messages = bench.device.messages();
    REQUIRE(messages.size() == 2);
    CHECK(messages[0].at == 8us);
    CHECK(messages[0].what.kind == CmKind::reply);
    CHECK(messages[1].what.kind == CmKind::abort);  // the peer does not complete
}

TEST_CASE("accepting: without a listener on its port a request is refused", "[K178]") {
    Accepting bench;
    CmMessage request = bench.from_peer(CmKind::request);
    request.destination_port = 4001;
    bench.device.datagram(2us, request);
    bench.run();
    const auto messages = bench.device.messages();
    REQUIRE(messages.size() == 1);
    CHECK(messages[0].at == 2us);
    CHECK(messages[0].what.kind == CmKind::reject);
    CHECK(messages[0].what.remote_id == 77);
    CHECK(messages[0].what.local_id == 0);  // no connector
    CHECK(bench.incoming.empty());
}

TEST_CASE("accepting: a paused or closed listener refuses", "[K178][K203]") {
    Accepting bench;
    bench.device.datagram(2us, bench.from_peer(CmKind::request));
    bench.device.datagram(4us, bench.from_peer(CmKind::request));
    bench.program(1us, [&] {
        bench.listener.pause(true);
        bench.core.sleep(3us);
        bench.listener.pause(false);
        bench.listener.close([](const std::function<void()>& let_go) { let_go(); });
    });
    bench.run();
    const auto messages = bench.device.messages();
    REQUIRE(messages.size() == 2);
    CHECK(messages[0].what.kind == CmKind::reject);
    CHECK(messages[1].what.kind == CmKind::reject);
}

TEST_CASE("accepting: the connecting side never completes", "[K175]") {
    Accepting bench;
    bench.device.datagram(2us, bench.from_peer(CmKind::request));
    bench.program(1us, [&] {
        bench.core.sleep(3us);
        CHECK(bench.accept() == STATUS_PENDING);
    });
    bench.run();
    CHECK(bench.notes == Notes{{13us, STATUS_IO_TIMEOUT}});  // 3 us + 10 us
    CHECK(bench.device.messages().back().what.kind == CmKind::abort);
}

TEST_CASE("accepting: the connecting side has given up", "[K177]") {
    Accepting bench;
    bench.device.datagram(2us, bench.from_peer(CmKind::request));
    bench.device.datagram(3us, bench.from_peer(CmKind::abort));  // it knows only its own connection
    bench.program(1us, [&] {
        bench.core.sleep(4us);
        CHECK(bench.accept() == STATUS_CONNECTION_ABORTED);
        CHECK(bench.incoming.at(0)->reject({}) == STATUS_CONNECTION_ABORTED);
    });
    bench.run();
    CHECK(bench.device.commands_of<ConnectQp>().empty());
    CHECK(bench.device.messages().empty());
}

TEST_CASE("accepting: a reject during the accept aborts it", "[K179]") {
    Accepting bench;
    bench.device.datagram(2us, bench.from_peer(CmKind::request));
    bench.at(5us, [&] { bench.device.datagram(5us, bench.from_peer(CmKind::reject, bench.incoming.at(0)->id())); });
    bench.program(1us, [&] {
        bench.core.sleep(3us);
        CHECK(bench.accept() == STATUS_PENDING);
    });
    bench.run();
    CHECK(bench.notes == Notes{{5us, STATUS_CONNECTION_ABORTED}});
}

TEST_CASE("accepting: closing a connector that was not accepted rejects it", "[K180]") {
    Accepting bench;
    bench.device.datagram(2us, bench.from_peer(CmKind::request));
    bench.program(1us, [&] {
        bench.core.sleep(3us);
        bench.incoming.at(0)->close([](const std::function<void()>& let_go) { let_go(); });
    });
    bench.run();
    const auto messages = bench.device.messages();
    REQUIRE(messages.size() == 1);
    CHECK(messages[0].at == 3us);
    CHECK(messages[0].what.kind == CmKind::reject);
    CHECK(messages[0].what.remote_id == 77);
}

TEST_CASE("accepting: two requests make two connectors", "[R134]") {
    Accepting bench;
    CmMessage second = bench.from_peer(CmKind::request);
    second.local_id = 78;
    second.source_port = 50'001;
    bench.device.datagram(2us, bench.from_peer(CmKind::request));
    bench.device.datagram(3us, second);
    bench.run();
    REQUIRE(bench.incoming.size() == 2);
    CHECK(bench.incoming[0]->peer_id() == 77);
    CHECK(bench.incoming[1]->peer_id() == 78);
    CHECK(bench.incoming[0]->id() != bench.incoming[1]->id());
}

}  // namespace ndsim::test::accepting_test
