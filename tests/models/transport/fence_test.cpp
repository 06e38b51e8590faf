// SPDX-License-Identifier: Apache-2.0
#include "tests/models/transport/queue_bench.hpp"

namespace ndsim::test::fence_test {

constexpr unsigned kFenced = kWqeSignaled | kWqeReadFence;

// Payload is there at once. The data of a response is visible 200 ns after its last byte.
struct FenceBench : QueueBench {
    FenceBench() : QueueBench(no_timeout()) { dma.latency = 0ns; }
};

TEST_CASE("fence: the request leaves when the data of all earlier Reads is in memory", "[K59][X48]") {
    FenceBench bench;
    bench.at(0ns, [&] {
        bench.post_read(80);
        bench.post_read(2000);
        bench.post_send(80, kFenced);
    });
    bench.at(10us, [&] { bench.respond(Opcode::read_response_only, 100, 80); });
    bench.at(20us, [&] { bench.respond(Opcode::read_response_first, 101, 1024); });
    bench.at(30us, [&] { bench.respond(Opcode::read_response_last, 102, 976); });
    bench.run();
    using Left = FenceBench::Left;
    REQUIRE(bench.left().size() == 3);
    CHECK(bench.left()[2] == Left{Opcode::send_only, 103, 30'200ns});
}

TEST_CASE("fence: without it the request leaves at once", "[K60][X48]") {
    FenceBench bench;
    bench.at(0ns, [&] {
        bench.post_read(80);
        bench.post_send(80);
    });
    bench.run();
    REQUIRE(bench.left().size() == 2);
    CHECK(bench.left()[1].at == 0ns);
}

TEST_CASE("fence: it waits neither for Sends and Writes nor for Reads of other queue pairs", "[K62][X49]") {
    FenceBench bench;
    bench.at(0ns, [&] {
        bench.post_read(80, kWqeSignaled, kQp2);
        bench.post_send(80);
        bench.post_write(80);
        bench.post_send(80, kFenced);
    });
    bench.at(1us, [&] { CHECK(bench.psns() == Psns{100, 101, 102}); });
    bench.run();
}

TEST_CASE("fence: with nothing outstanding it takes no time", "[K65]") {
    FenceBench bench;
    bench.at(0ns, [&] { bench.post_read(80); });
    bench.at(1us, [&] { bench.respond(Opcode::read_response_only, 100, 80); });
    bench.at(5us, [&] { bench.post_send(80, kFenced); });
    bench.run();
    CHECK(bench.left().at(1).at == 5us);
}

TEST_CASE("fence: what is behind it waits, too", "[K63][X50]") {
    FenceBench bench;
    bench.at(0ns, [&] {
        bench.post_read(80);
        bench.post_send(80, kFenced);
        bench.post_write(80);
        bench.post_local(WqeOpcode::fast_register, MrKey{0x500});
        CHECK(bench.engine.stall() == Stall::fence);
    });
    bench.at(9us, [&] {
        CHECK(bench.psns() == Psns{100});
        CHECK(bench.keys.done.empty());
        bench.respond(Opcode::read_response_only, 100, 80);
    });
    bench.run();
    CHECK(bench.psns() == Psns{100, 101, 102});
    CHECK(bench.left().at(2).at == 9200ns);
    CHECK(bench.keys.done.size() == 1);
}

// A fenced request of this kind behind a Read: when it leaves, or changes its key.
void waits(WqeOpcode opcode) {
    FenceBench bench;
    bench.at(0ns, [&] {
        bench.post_read(80);
        if (opcode == WqeOpcode::read) {
            bench.post_read(80, kFenced);
        } else if (opcode == WqeOpcode::bind || opcode == WqeOpcode::fast_register || opcode == WqeOpcode::invalidate) {
            bench.post_local(opcode, MrKey{0x500}, kFenced);
        } else {
            bench.post(kQp, opcode, 80, kFenced, MrKey{1});
        }
    });
    bench.at(1us, [&] { bench.respond(Opcode::read_response_only, 100, 80); });
    bench.at(1200ns - 1_ps, [&] {
        CHECK(bench.egress.sent.size() + bench.keys.done.size() == 1);
        CHECK(bench.engine.stall() == Stall::fence);
    });
    // A key has changed after 100 ns.
    bench.at(1300ns + 1_ps, [&] { CHECK(bench.egress.sent.size() + bench.keys.done.size() == 2); });
    bench.run();
}

TEST_CASE("fence: holds a SendAndInvalidate", "[K61]") {
    waits(WqeOpcode::send_and_invalidate);
}

TEST_CASE("fence: holds a Read", "[K61]") {
    waits(WqeOpcode::read);
}

TEST_CASE("fence: holds a Write", "[K61]") {
    waits(WqeOpcode::write);
}

TEST_CASE("fence: holds a Bind", "[K61]") {
    waits(WqeOpcode::bind);
}

TEST_CASE("fence: holds a FastRegister", "[K61]") {
    waits(WqeOpcode::fast_register);
}

TEST_CASE("fence: holds an Invalidate", "[K61]") {
    waits(WqeOpcode::invalidate);
}

TEST_CASE("fence: a Read that fails takes the fenced request with it, and no packet leaves", "[X51]") {
    FenceBench bench;
    bench.at(0ns, [&] {
        bench.post_read(80);
        bench.post_send(80, kFenced);
        bench.post_send(80);
    });
    bench.at(1us, [&] { bench.ack(100, Aeth::kNakRemoteAccess); });
    bench.run();
    CHECK(bench.psns() == Psns{100});
    CHECK(bench.completed() == Statuses{{1, WcStatus::rem_access}, {2, WcStatus::wr_flush}, {3, WcStatus::wr_flush}});
}

TEST_CASE("fence: a Read that is asked for again still holds the fence", "[X48][X14]") {
    FenceBench bench;
    bench.at(0ns, [&] {
        bench.post_read(2000);
        bench.post_send(80, kFenced);
    });
    bench.at(1us, [&] { bench.respond(Opcode::read_response_last, 101, 976); });  // the first is lost
    bench.at(2us, [&] {
        CHECK(bench.psns() == Psns{100, 100});
        bench.respond(Opcode::read_response_first, 100, 1024);
    });
    bench.at(3us, [&] {
        CHECK(bench.psns() == Psns{100, 100});
        bench.respond(Opcode::read_response_last, 101, 976);
    });
    bench.run();
    CHECK(bench.left().at(2).psn == 102);
    CHECK(bench.left().at(2).at == 3200ns);
}

TEST_CASE("fence: a fenced request that has left is sent again without waiting for later Reads", "[X48][X8]") {
    FenceBench bench;
    bench.at(0ns, [&] {
        bench.post_send(80, kFenced);
        bench.post_read(80);
    });
    bench.at(1us, [&] { bench.ack(100, Aeth::kNakSequence); });
    bench.run();
    CHECK(bench.left().at(2).psn == 100);
    CHECK(bench.left().at(2).at == 1us);
}

}  // namespace ndsim::test::fence_test
