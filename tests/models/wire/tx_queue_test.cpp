// SPDX-License-Identifier: Apache-2.0
#include "models/wire/tx_queue.hpp"

#include "tests/support/catch.hpp"

namespace ndsim::test::tx_queue_test {

using namespace std::chrono_literals;

Packet numbered(std::uint32_t psn) {
    Packet packet;
    packet.psn = Psn{psn};
    return packet;
}

TEST_CASE("tx queue: a packet is ready from its start time on") {
    TxQueue queue;
    CHECK(queue.next_start() == TxQueue::kNever);
    queue.push(numbered(1), 10ns, false);
    CHECK(queue.next_start() == 10ns);
    CHECK(queue.look(Picoseconds{9'999}) == 0);
    CHECK(queue.ready() == 0);
    CHECK(queue.look(10ns) == 0);
    CHECK(queue.ready() == 1);
    CHECK(queue.next_start() == TxQueue::kNever);
    CHECK(queue.pop().psn == Psn{1});
    CHECK(queue.empty());
}

TEST_CASE("tx queue: packets are in the order of their start times, then of their coming") {
    TxQueue queue;
    queue.push(numbered(1), 30ns, false);
    queue.push(numbered(2), 10ns, false);
    queue.push(numbered(3), 20ns, false);
    queue.push(numbered(4), 10ns, false);
    queue.look(30ns);
    REQUIRE(queue.ready() == 4);
    CHECK(queue.pop().psn == Psn{2});
    CHECK(queue.pop().psn == Psn{4});
    CHECK(queue.pop().psn == Psn{3});
    CHECK(queue.pop().psn == Psn{1});
}

TEST_CASE("tx queue: a packet that comes late stays behind those that are ready") {
    TxQueue queue;
    queue.push(numbered(1), 10ns, false);
    queue.push(numbered(2), 40ns, false);
    queue.look(20ns);
    queue.push(numbered(3), 20ns, false);
    CHECK(queue.ready() == 1);
    CHECK(queue.next_start() == 20ns);
    queue.look(20ns);
    REQUIRE(queue.ready() == 2);
    CHECK(queue[0].psn == Psn{1});
    CHECK(queue[1].psn == Psn{3});
    CHECK(queue.next_start() == 40ns);
}

TEST_CASE("tx queue: tells how many awaited payloads have come") {
    TxQueue queue;
    queue.push(numbered(1), 10ns, true);
    queue.push(numbered(2), 20ns, false);
    queue.push(numbered(3), 20ns, true);
    queue.push(numbered(4), 30ns, true);
    CHECK(queue.look(5ns) == 0);
    CHECK(queue.look(20ns) == 2);  // those of 1 and 3
    CHECK(queue.look(20ns) == 0);  // each is told once
    CHECK(queue.look(30ns) == 1);
}

}  // namespace ndsim::test::tx_queue_test
