// SPDX-License-Identifier: Apache-2.0

#include "tests/reference/small_programs.hpp"

using namespace ndsim::reference;

// Shared receive queues, in small programs.
namespace sharing_test {

Step on(std::uint8_t connection, Step step) {
    step.connection = connection;
    return step;
}
Step late(Step step) {
    step.late = true;
    return step;
}

// B's connections have their receives from its shared queue.
Program shared() {
    Program program;
    for (Endpoint& end : program.endpoints[1]) {
        end.srq = true;
    }
    return program;
}

TEST_CASE("reference: connections take the receives of a shared queue in the order of their posts", "[K196]") {
    Program program = shared();
    program.epochs = {{receive(10), receive(20), on(1, receive(30)), on(2, send(9))}, {on(1, send(19)), send(29)}};
    // In the second epoch either may come first, and 29 bytes do not fit into the second receive.
    CHECK(predict(program).doubts.size() == 1);
    program.epochs = {program.epochs[0], {on(1, send(19))}, {send(29)}};
    agree(program, {kSucceeds, kSucceeds, kSucceeds, kSucceeds, kSucceeds, kSucceeds});
    const Prediction prediction = predict(program);
    CHECK(prediction.requests[0].connection == 2);
    CHECK(prediction.requests[1].connection == 1);
    CHECK(prediction.requests[2].bytes == 29);
    // The receives of all three begin at the same byte, and the last message has written there last.
    CHECK(prediction.memory[1][1028] == origin(0, 28));
}

TEST_CASE("reference: messages of several connections that fit share a queue by chance, but in order", "[K196]") {
    Program program = shared();
    program.epochs = {{receive(64), receive(64), receive(64), receive(64), send(1), send(2), on(1, send(3))}};
    agree(program, {kSucceeds, kSucceeds, kSucceeds, kPending, kSucceeds, kSucceeds, kSucceeds});
    const Prediction prediction = predict(program);
    REQUIRE(prediction.contests.size() == 1);
    CHECK(prediction.contests[0].receives == std::vector<std::size_t>{0, 1, 2});
    CHECK(prediction.contests[0].lengths == std::vector<std::vector<std::uint32_t>>{{1, 2}, {3}});
}

// The next epoch is seconds later, far beyond the retries that the profile infiniband has for other queues.
TEST_CASE("reference: an empty shared queue holds a sender off until there is a receive", "[K196][R26]") {
    for (const bool infiniband : {false, true}) {
        Program program = shared();
        program.infiniband = infiniband;
        // What is behind the message waits with it, and the receive of the next epoch is for it.
        program.epochs = {{receive(64), send(1), send(2), write(8, 5000)}, {receive(64)}};
        agree(program, {kSucceeds, kSucceeds, kSucceeds, kSucceeds, kSucceeds});
        CHECK(predict(program).polls[0][0].counts.at("q0.send") == 1);
        CHECK(predict(program).polls[1][0].counts.at("q0.send") == 2);
        program.epochs = {{send(1), late(receive(64))}};
        agree(program, {kSucceeds, kSucceeds});
    }
}

// Random program 730, made small.
TEST_CASE("reference: a message that is sent again may hold what its buffer held at the post, or holds now") {
    Program program = shared();
    Step back = write(8, 20);  // over what A has sent, and will send again
    back.side = 1;
    back.pieces = {{3000, 8}};
    program.epochs = {{send(64)}, {back}, {receive(64)}};
    for (const char* kept : {"\"0 B\"", "\"6 KiB\""}) {
        program.hardware = {{"/nic/retransmit_buffer", kept}};
        agree(program, {kSucceeds, kSucceeds, kSucceeds});
        CHECK(predict(program).memory[1][1019] == origin(0, 19));
        CHECK(predict(program).memory[1][1020] == kUndefined);
        CHECK(predict(program).memory[1][1028] == origin(0, 28));
    }
}

TEST_CASE("reference: what waits for a shared receive at the end is cancelled by a disconnect", "[K155]") {
    Program program = shared();
    program.epochs = {{send(1)}};
    CHECK(predict(program).held == std::vector<std::uint8_t>{0});
    agree(settle(program), {kCancelled});
}

TEST_CASE("reference: receives of a shared queue outlive a connection that fails", "[K197][K102]") {
    Program program = shared();
    program.epochs = {{receive(8), receive(64), send(9), send(9)}, {on(1, send(9))}};
    agree(program, {kFails, kSucceeds, kFails, kCancelled, kSucceeds});
}

TEST_CASE("reference: a shared queue is full as it was made, or changed", "[K28]") {
    Program program = shared();
    program.srq_depths[1] = 2;
    Step smaller;
    smaller.side = 1;
    smaller.what = What::modify_srq;
    smaller.depth = 1;
    Step larger = smaller;
    larger.depth = 3;
    // Two receives are queued, so there is no going down to one; a third fits after the change to three.
    program.epochs = {{receive(64), on(1, receive(64)), receive(64)}, {smaller}, {larger, receive(64), receive(64)}};
    agree(program, {kPending, kPending, kRefused, kPending, kRefused});
    CHECK(predict(program).refused[1] == 3);
}

TEST_CASE("reference: a shared queue notifies when it falls below its limit, once", "[K191][K192][K194]") {
    Program program = shared();
    Step limit;
    limit.side = 1;
    limit.what = What::modify_srq;
    limit.threshold = 2;
    // Empty, it is below the limit at once; then with two receives it is not below until one is taken.
    program.epochs = {{limit}, {receive(64), receive(64)}, {limit}, {send(1)}, {send(1)}};
    agree(program, {kSucceeds, kSucceeds, kSucceeds, kSucceeds});
    const Prediction prediction = predict(program);
    CHECK(prediction.notified[1].by_srq == 2);
    CHECK(prediction.polls[0][1].waits == std::vector<std::string>{"s0"});
    CHECK(prediction.polls[3][1].waits == std::vector<std::string>{"s0"});
    CHECK(prediction.polls[4][1].waits.empty());
}

TEST_CASE("reference: who may break takes no part in a shared queue") {
    Program program = shared();
    Step bad = write(8, kMemory);
    bad.side = 1;
    program.epochs = {{receive(64), send(1), bad}};
    // Whether the message arrives before the other side's Write fails is a matter of chance, so it is left out.
    CHECK(predict(program).doubts.size() == 1);
    agree(settle(program), {kPending, kFails});
}

}  // namespace sharing_test
