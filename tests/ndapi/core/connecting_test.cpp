// SPDX-License-Identifier: Apache-2.0

#include "tests/ndapi/core/connecting.hpp"

namespace ndsim::test::connecting_test {

using core::CmKind;
using core::CmMessage;
using Notes = Connecting::Notes;

constexpr core::Endpoint kPeer = Connecting::kPeer;

TEST_CASE("connecting: the active side sends a request with its offer", "[K181]") {
    Connecting bench;
    const std::array data{std::byte{7}, std::byte{8}};
    bench.program(1us, [&] {
        CHECK(bench.connect(kPeer, {4, 99}, data) == STATUS_PENDING);
        CHECK(bench.connector.local().port >= 49152);
        CHECK(bench.pair.qp.state() == core::Qp::State::connecting);
    });
    bench.control.limit_time(5us);
    bench.run();
    const auto sent = bench.device.commands_of<SendDatagram>();
    REQUIRE(sent.size() == 1);
    CHECK(sent[0].at == 1us);
    CHECK(sent[0].what.to == DriverBench::kPeerHost);
    const CmMessage request = bench.device.messages()[0].what;
    CHECK(request.kind == CmKind::request);
    CHECK(request.local_id == bench.connector.id());
    CHECK(request.remote_id == 0);
    CHECK(request.source_ip == DriverBench::kIp);
    CHECK(request.destination_ip == DriverBench::kPeerIp);
    CHECK(request.source_port == bench.connector.local().port);
    CHECK(request.destination_port == 4000);
    CHECK(request.qp == bench.pair.qp.number());
    CHECK(request.mtu == 4096);
    CHECK(request.inbound_reads == 4);
    CHECK(request.outbound_reads == core::Connector::kMaxReads);  // the adapter's limit
    CHECK(request.private_length == 2);
    CHECK(request.private_data[1] == std::byte{8});
    CHECK(bench.notes.empty());
}

TEST_CASE("connecting: a reply connects the queue pair, and ready makes the connection", "[K171][K174][K209]") {
    Connecting bench;
    bench.answer(5us, CmKind::reply);
    bench.program(1us, [&] {
        CHECK(bench.connect() == STATUS_PENDING);
        bench.core.sleep(6us);
        CHECK(bench.notes == Notes{{5100ns, STATUS_SUCCESS}});  // 5 us, and 100 ns: the answer to ConnectQp
        CHECK(bench.pair.send(1) == STATUS_CONNECTION_INVALID);
        CHECK(bench.complete() == STATUS_PENDING);
        bench.core.sleep(7us);
        CHECK(bench.pair.send(1) == STATUS_SUCCESS);
        CHECK(bench.driver.counters().active_connections == 1);
    });
    bench.run();
    const auto joined = bench.device.commands_of<ConnectQp>();
    REQUIRE(joined.size() == 1);
    CHECK(joined[0].at == 5us);
    const QpConnection& connection = joined[0].what.connection;
    CHECK(joined[0].what.qp == bench.pair.qp.number());
    CHECK(connection.peer == QpNum{0x99});
    CHECK(connection.peer_host == DriverBench::kPeerHost);
    CHECK(connection.mtu == 1024);  // the smaller of 4096 and 1024
    CHECK(connection.expected_psn.value() == 1234);
    CHECK(connection.first_psn.value() == bench.device.messages().at(0).what.psn);
    CHECK(connection.rnr_retry == 3);
    CHECK(connection.outbound_reads == 2);  // the peer takes 2
    CHECK(connection.inbound_reads == 4);   // the peer wants 8
    const auto messages = bench.device.messages();
    REQUIRE(messages.size() == 2);
    CHECK(messages[1].at == 6us);
    CHECK(messages[1].what.kind == CmKind::ready);
    CHECK(messages[1].what.remote_id == 77);
    CHECK(bench.notes == Notes{{5100ns, STATUS_SUCCESS}, {6100ns, STATUS_SUCCESS}});  // the NIC has taken ready
    CHECK(bench.driver.counters().connects == 1);
    CHECK(bench.driver.counters().connect_failures == 0);
}

TEST_CASE("connecting: a reject refuses, and the same connector may try again", "[K178][K209]") {
    Connecting bench;
    bench.answer(5us, CmKind::reject);
    bench.at(8us, [&] { bench.device.datagram(8us, bench.from_peer(CmKind::reply, 1)); });
    bench.program(1us, [&] {
        CHECK(bench.connect() == STATUS_PENDING);
        bench.core.sleep(7us);
        CHECK(bench.notes == Notes{{5us, STATUS_CONNECTION_REFUSED}});
        CHECK(bench.connector.refused());
        CHECK(bench.pair.qp.state() == core::Qp::State::idle);
        CHECK(bench.connect() == STATUS_PENDING);
    });
    bench.run();
    REQUIRE(bench.notes.size() == 2);
    CHECK(bench.notes[1] == QueuePair::Note{8100ns, STATUS_SUCCESS});
    CHECK(bench.driver.counters().connect_failures == 1);
}

TEST_CASE("connecting: no answer in connect_timeout ends the connect, and the peer is told", "[R125]") {
    Connecting bench;
    bench.program(1us, [&] { CHECK(bench.connect() == STATUS_PENDING); });
    bench.run();
    CHECK(bench.notes == Notes{{11us, STATUS_IO_TIMEOUT}});  // 1 us + 10 us
    const auto messages = bench.device.messages();
    REQUIRE(messages.size() == 2);
    CHECK(messages[1].at == 11us);
    CHECK(messages[1].what.kind == CmKind::abort);
    CHECK(bench.device.commands_of<ConnectQp>().empty());
}

TEST_CASE("connecting: a reply at the end of connect_timeout is in time", "[limit]") {
    Connecting bench;
    bench.answer(11us, CmKind::reply);  // 1 us + 10 us
    bench.program(1us, [&] { CHECK(bench.connect() == STATUS_PENDING); });
    bench.run();
    CHECK(bench.notes == Notes{{11'100ns, STATUS_SUCCESS}});
}

TEST_CASE("connecting: a reply a picosecond after connect_timeout is late, and is lost", "[limit]") {
    Connecting bench;
    bench.answer(11'000'001_ps, CmKind::reply);
    bench.program(1us, [&] { CHECK(bench.connect() == STATUS_PENDING); });
    bench.run();
    CHECK(bench.notes == Notes{{11us, STATUS_IO_TIMEOUT}});
    CHECK(bench.device.commands_of<ConnectQp>().empty());
}

TEST_CASE("connecting: an answer to an earlier attempt does not count for a later one") {
    Connecting bench;
    bench.at(13us, [&] { bench.device.datagram(13us, bench.from_peer(CmKind::reply)); });
    bench.program(1us, [&] {
        CHECK(bench.connect() == STATUS_PENDING);
        bench.core.sleep(12us);
        CHECK(bench.connect() == STATUS_PENDING);
    });
    bench.run();
    CHECK(bench.notes == Notes{{11us, STATUS_IO_TIMEOUT}, {22us, STATUS_IO_TIMEOUT}});
}

TEST_CASE("connecting: a datagram to an unknown host is lost") {
    Connecting bench;
    bench.program(1us, [&] { CHECK(bench.connect({DriverBench::kPeerIp + 1, 4000}) == STATUS_PENDING); });
    bench.run();
    CHECK(bench.device.commands_of<SendDatagram>().empty());
    CHECK(bench.notes == Notes{{11us, STATUS_HOST_UNREACHABLE}});  // 1 us + 10 us
}

TEST_CASE("connecting: where no connection can be made", "[K185][K187][K189]") {
    Connecting bench;
    bench.program(1us, [&] {
        const std::vector<std::byte> data(57);  // MaxCallerData is 56
        CHECK(bench.connect(kPeer, {}, data) == STATUS_INVALID_BUFFER_SIZE);
        CHECK(bench.connect({DriverBench::kIp, 4000}) == STATUS_CONNECTION_REFUSED);  // no loopback
        CHECK(bench.connect({0x0B00'0001, 4000}) == STATUS_NETWORK_UNREACHABLE);
        bench.pair.connect();
        CHECK(bench.connect() == STATUS_CONNECTION_ACTIVE);
        CHECK(bench.complete() == STATUS_CONNECTION_INVALID);
    });
    bench.run();
    CHECK(bench.device.commands_of<SendDatagram>().empty());
}

TEST_CASE("connecting: the peer's abort ends a connection with one event", "[K150][K156][K161]") {
    Connecting bench;
    bench.answer(5us, CmKind::reply);
    bench.answer(8us, CmKind::abort);
    bench.answer(9us, CmKind::abort);
    bench.program(1us, [&] {
        CHECK(bench.connect() == STATUS_PENDING);
        bench.core.sleep(6us);
        CHECK(bench.complete() == STATUS_PENDING);
        bench.core.sleep(10us);
        CHECK(bench.pair.send(1) == STATUS_SUCCESS);  // it will be cancelled
    });
    bench.run();
    CHECK(bench.disconnects == std::vector<Picoseconds>{8us});
    CHECK(bench.device.commands_of<FailQp>().at(0).at == 8us);
    CHECK(bench.driver.counters().active_connections == 0);
    CHECK(bench.driver.counters().connection_errors == 1);
}

TEST_CASE("connecting: a disconnect waits for the peer's, then for the NIC", "[K151][K152][K154]") {
    Connecting bench;
    bench.answer(5us, CmKind::reply);
    bench.answer(9us, CmKind::disconnect);
    bench.program(1us, [&] {
        CHECK(bench.connect() == STATUS_PENDING);
        bench.core.sleep(6us);
        CHECK(bench.complete() == STATUS_PENDING);
        bench.core.sleep(8us);
        CHECK(bench.connector.disconnect([&](NTSTATUS status) { bench.note(status); }) == STATUS_PENDING);
        bench.core.sleep(10us);
        CHECK(bench.pair.send(1) == STATUS_CONNECTION_INVALID);
        CHECK(bench.connect() == STATUS_CONNECTION_INVALID);
    });
    bench.run();
    CHECK(bench.device.messages().back().at == 8us);
    CHECK(bench.device.messages().back().what.kind == CmKind::disconnect);
    CHECK(bench.device.commands_of<FailQp>().at(0).at == 9us);
    CHECK(bench.device.quiesces.at(0).at == 9us);
    CHECK(bench.notes.back() == QueuePair::Note{9100ns, STATUS_SUCCESS});  // 100 ns: it is quiet
    CHECK(bench.disconnects.empty());                                      // this side has disconnected
}

}  // namespace ndsim::test::connecting_test
