// SPDX-License-Identifier: Apache-2.0
#include "tests/models/transport/responder_bench.hpp"

namespace ndsim::test::responder_state_test {

ResponderState state(const ResponderBench& bench) {
    return bench.responder.state(kQp);
}

TEST_CASE("responder state: in a Send from its first packet to its last", "[X5]") {
    ResponderBench bench;
    bench.post({{0, 4096}});
    bench.at(0ns, [&] {
        CHECK(state(bench) == ResponderState::between_messages);
        bench.receive(Opcode::send_first, 100, 1024);
        CHECK(state(bench) == ResponderState::in_send);
        bench.receive(Opcode::send_middle, 101, 1024);
        CHECK(state(bench) == ResponderState::in_send);
        bench.receive(Opcode::send_last, 102, 1);
        CHECK(state(bench) == ResponderState::between_messages);
    });
    bench.run();
}

TEST_CASE("responder state: a message of one packet leaves it between messages") {
    ResponderBench bench;
    bench.post({{0, 4096}});
    bench.at(0ns, [&] {
        bench.receive(Opcode::send_only, 100, 8);
        CHECK(state(bench) == ResponderState::between_messages);
        bench.receive_write(Opcode::write_only, 101, 8, 0, 8);
        CHECK(state(bench) == ResponderState::between_messages);
        bench.receive_write(Opcode::write_first, 102, 1024, 0, 1025);
        CHECK(state(bench) == ResponderState::in_write);
    });
    bench.run();
}

TEST_CASE("responder state: an RNR NAK leaves it between messages", "[X20]") {
    ResponderBench bench;
    bench.at(0ns, [&] {
        bench.receive(Opcode::send_first, 100, 1024);
        CHECK(state(bench) == ResponderState::between_messages);
    });
    bench.run();
}

TEST_CASE("responder state: a request refused for good stays so when the queue pair has failed of it", "[X33]") {
    ResponderBench bench;
    bench.post({{0, 4096}});
    bench.at(0ns, [&] {
        bench.receive(Opcode::send_first, 100, 1023);  // not full
        CHECK(state(bench) == ResponderState::refused);
        bench.responder.destroy_qp(kQp);
        CHECK(state(bench) == ResponderState::absent);
    });
    bench.run();
}

TEST_CASE("responder state: a queue pair that fails by itself is failed, before it is connected as well", "[X33]") {
    ResponderBench bench;
    bench.at(0ns, [&] {
        bench.responder.fail_qp(kQp);
        CHECK(state(bench) == ResponderState::failed);
        QpAttributes attributes;
        attributes.qp = kQp;
        bench.responder.create_qp(attributes);
        CHECK(state(bench) == ResponderState::absent);
        bench.responder.fail_qp(kQp);
        bench.responder.connect_qp(kQp, {});
        CHECK(state(bench) == ResponderState::failed);
    });
    bench.run();
}

}  // namespace ndsim::test::responder_state_test
