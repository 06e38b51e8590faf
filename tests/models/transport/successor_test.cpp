// SPDX-License-Identifier: Apache-2.0
#include "tests/models/transport/requester_bench.hpp"
#include "tests/models/transport/responder_bench.hpp"

// A queue pair in the place of one that is gone: what is late for the old one is not taken for the new one.
namespace ndsim::test::successor_test {

const QpNum kSuccessor = qp_number(qp_index(kQp), 1);

QpConnection connection() {
    QpConnection connection;
    connection.peer = QpNum{0x77};
    connection.mtu = 1024;
    connection.first_psn = Psn{100};
    connection.expected_psn = Psn{100};
    return connection;
}

void replace(QpLifecycle& unit) {
    unit.fail_qp(kQp);
    unit.destroy_qp(kQp);
    QpAttributes attributes;
    attributes.qp = kSuccessor;
    attributes.send_cq = kSendCq;
    attributes.receive_cq = kReceiveCq;
    unit.create_qp(attributes);
    unit.connect_qp(kSuccessor, connection());
}

TEST_CASE("successor: it has the place of the queue pair before it, and another number of 24 bits") {
    CHECK(kSuccessor != kQp);
    CHECK(qp_index(kSuccessor) == qp_index(kQp));
    CHECK(raw(qp_number(kQpPlaces - 1, kNumbersOfPlace - 1)) < 1U << 24U);
    CHECK(qp_number(5, kNumbersOfPlace) == qp_number(5, 0));  // they come round
}

TEST_CASE("successor: a late request for the old number is dropped without an answer", "[X33]") {
    ResponderBench bench;
    bench.post({{512, 100}});
    const auto send_to = [&](QpNum qp) {
        Packet packet;
        packet.opcode = Opcode::send_only;
        packet.psn = Psn{100};
        packet.destination = qp;
        packet.ack_request = true;
        packet.request = {HostId{1}, 1};
        bench.responder.receive(packet, {bench.now(), bench.now()});
    };
    bench.at(1us, [&] { replace(bench.responder); });
    bench.at(2us, [&] { send_to(kQp); });
    bench.at(3us, [&] { send_to(kSuccessor); });
    bench.run();
    // The first one would have taken the only receive, and PSN 100.
    REQUIRE(bench.completions.seen.size() == 1);
    CHECK(bench.completions.seen[0].cqe.qp == kSuccessor);
    CHECK(bench.completions.seen[0].told == 3us);
    REQUIRE(bench.acks.size() == 1);
    CHECK(bench.acks[0].packet.destination == QpNum{0x77});
}

TEST_CASE("successor: a late acknowledgement for the old number acknowledges nothing", "[X12]") {
    RequesterBench bench;
    bench.at(1us, [&] {
        replace(bench.completer);
        replace(bench.requester);
        bench.begin(bench.message({{0, 10}}), kSuccessor);
        while (bench.requester.issue(kSuccessor).turn == RequesterPort::Turn::packet) {
        }
    });
    bench.at(2us, [&] { bench.ack(100); });  // to the old number
    bench.at(3us, [&] {
        Packet packet;
        packet.opcode = Opcode::acknowledge;
        packet.destination = kSuccessor;
        packet.psn = Psn{100};
        packet.aeth.syndrome = Aeth::kAck;
        bench.completer.acknowledge(packet);
    });
    bench.run();
    REQUIRE(bench.completions.seen.size() == 1);
    CHECK(bench.completions.seen[0].told == 3us);
}

// The peer of the old one was not ready, and asked for 0.64 ms (code 12); its end is not the new one's.
TEST_CASE("successor: the wait that a peer asked the old one for does not end its own", "[X23]") {
    RequesterBench bench;
    bench.at(1us, [&] {
        bench.send(bench.message({{0, 10}}));
        bench.ack(100, Aeth::kRnrNak | 12U);
    });
    bench.at(2us, [&] {
        replace(bench.completer);
        replace(bench.requester);
    });
    bench.run();
    CHECK(bench.work.resumed_qps.empty());
}

}  // namespace ndsim::test::successor_test
