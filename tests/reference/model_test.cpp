// SPDX-License-Identifier: Apache-2.0
#include <initializer_list>

#include "tests/reference/small_programs.hpp"

namespace model_test {

using namespace ndsim::reference;

TEST_CASE("reference: a disconnect cancels deferred requests, none of which begins", "[K46][K155]") {
    Program program;
    program.epochs = {{receive(64), deferred(send(64)), deferred(write(64, 5000)), disconnect()}};
    agree(program, {kCancelled, kCancelled, kCancelled});
    CHECK(predict(program).memory[1][5000] == origin(1, 5000));
}

TEST_CASE("reference: a failure releases what was deferred before it", "[K39][K40][K28][K47]") {
    Program program;
    program.endpoints[0][0].sq_depth = 2;
    // Two deferred requests fill the queue; the third is refused, and rings for them though it is deferred, too.
    program.epochs = {{receive(64), receive(64), deferred(send(64)), deferred(send(64)), deferred(send(64))}};
    agree(program, {kSucceeds, kSucceeds, kSucceeds, kSucceeds, kRefused});
    CHECK(predict(program).requests[4].failure == "no_more_entries");
}

TEST_CASE("reference: silent successes keep their slots until a later completion is polled", "[K52][K56]") {
    Program program;
    program.endpoints[0][0].sq_depth = 2;
    // The third finds the queue full, though both before it have succeeded, and so does that of the next epoch.
    program.epochs = {{silent(write(8, 0)), silent(write(8, 8)), write(8, 16)}, {write(8, 16)}};
    agree(program, {kSucceeds, kSucceeds, kRefused, kRefused});
}

TEST_CASE("reference: a message that is too long fails at both ends, and all behind it is cancelled",
          "[K102][K107][K53][K54]") {
    Program program;
    program.epochs = {{receive(64), receive(63), receive(64), silent(send(64)), silent(send(64)), silent(send(64))}};
    agree(program, {kSucceeds, kFails, kCancelled, kSucceeds, kFails, kCancelled});
    CHECK(predict(program).requests[1].failure == "buffer_overflow");
    CHECK(predict(program).requests[4].failure == "remote_resources");
    program.infiniband = true;
    agree(program, {kSucceeds, kFails, kCancelled, kSucceeds, kFails, kCancelled});
    CHECK(predict(program).requests[1].failure == "data_overrun");
    CHECK(predict(program).requests[4].failure == "data_error");
}

TEST_CASE("reference: a message without a receive waits for one in the profile infiniband", "[K104][K105]") {
    Step late = receive(64);
    late.late = true;
    Program program;
    program.infiniband = true;
    program.epochs = {{send(64), late, send(64)}};
    agree(program, {kSucceeds, kFails, kSucceeds});  // the sends, then the receive, which the first takes
    CHECK(predict(program).requests[1].failure == "io_timeout");
}

TEST_CASE("reference: the first entries of a queue that overruns stay, and its connections end", "[K163][K164][K161]") {
    Program program;
    program.shared_depths[1][0] = 2;
    program.endpoints[1][0].receive_cq = 1;
    program.epochs = {{receive(64), receive(64), receive(64), send(8), send(8), send(8)}, {send(8)}};
    const int lost = kSucceeds | kCancelled | kLost;
    const int perhaps = kSucceeds | kCancelled;
    agree(program, {lost, lost, lost, perhaps, perhaps, perhaps, kCancelled});
}

TEST_CASE("reference: exactly as many completions as the queue holds do not overrun it", "[K165]") {
    Program program;
    program.shared_depths[1][0] = 2;
    program.endpoints[1][0].receive_cq = 1;
    program.epochs = {{receive(64), receive(64), send(8), send(8)}, {receive(64), send(8)}};
    agree(program, {kSucceeds, kSucceeds, kSucceeds, kSucceeds, kSucceeds, kSucceeds});
}

TEST_CASE("reference: an inline message is what its buffer held at the post, however long it is deferred", "[K99]") {
    Step early = deferred(send(64));
    early.inlined = true;
    Step back = write(64, 0);  // over what A is to send
    back.side = 1;
    back.pieces = {{2000, 64}};
    Program program;
    program.epochs = {{receive(64), early}, {back}, {write(8, 9000)}};
    agree(program, {kSucceeds, kSucceeds, kSucceeds, kSucceeds});
    const Prediction prediction = predict(program);
    CHECK(prediction.memory[0][63] == origin(1, 2063));
    CHECK(prediction.memory[1][1063] == origin(0, 63));
}

TEST_CASE("reference: a write beyond the peer's memory moves nothing, an empty one is not checked", "[K146][K143]") {
    Program program;
    program.epochs = {{write(0, kMemory), write(64, kMemory - 64), write(64, kMemory - 63), write(8, 0)}};
    agree(program, {kSucceeds, kSucceeds, kFails, kCancelled});
    CHECK(predict(program).memory[1][kMemory - 1] == origin(0, 63));
    CHECK(predict(program).memory[1][0] == origin(1, 0));
}

TEST_CASE("reference: behind a fence a message holds what the Reads before it have brought", "[K59]") {
    Step read = write(64, 7000);  // from there to where the message is taken from
    read.what = What::read;
    Step fenced = send(128);
    fenced.fence = true;
    Program program;
    program.epochs = {{receive(128), read, fenced}};
    agree(program, {kSucceeds, kSucceeds, kSucceeds});
    CHECK(predict(program).memory[1][1063] == origin(1, 7063));
    CHECK(predict(program).memory[1][1064] == origin(0, 64));
    // Without the fence it may hold either, and so it may if another Read follows.
    program.epochs[0][2].fence = false;
    CHECK(predict(program).memory[1][1063] == kUndefined);
    program.epochs = {{receive(128), read, fenced, read}};
    CHECK(predict(program).memory[1][1063] == kUndefined);
}

TEST_CASE("reference: what two connections write into at once is undefined") {
    Step other = write(64, 100);
    other.connection = 1;
    Program program;
    program.epochs = {{write(64, 0), write(64, 132), other}};
    program.epochs[0][1].pieces = {{500, 64}};
    agree(program, {kSucceeds, kSucceeds, kSucceeds});
    const Prediction prediction = predict(program);
    CHECK(prediction.memory[1][131] == origin(0, 31));
    CHECK(prediction.memory[1][132] == kUndefined);
    CHECK(prediction.memory[1][195] == origin(0, 563));
}

TEST_CASE("reference: a message that holds the only slot goes on, though other queue pairs wait for one") {
    Program program;
    program.hardware = {{"/nic/sq_in_flight", "1"}, {"/nic/mtu", "256"}};
    for (std::uint8_t connection = 0; connection < kConnections; ++connection) {
        Step step = write(3000, connection * 4000U);
        step.connection = connection;
        program.epochs.resize(1);
        program.epochs[0].push_back(step);
    }
    agree(program, {kSucceeds, kSucceeds, kSucceeds});
}

// Random program 107694, made small.
TEST_CASE("reference: the only slot goes on to who waits, though the message before was refused") {
    Program program;
    program.hardware = {{"/nic/sq_in_flight", "1"}};
    const auto on = [](std::uint8_t connection, Step step) {
        step.connection = connection;
        return step;
    };
    Step nothing;
    nothing.what = What::read;
    Step closed = nothing;
    closed.pieces = {{0, 1}};
    closed.into_region = true;
    program.epochs = {
        {on(1, receive(64)), on(1, send(1)), on(2, write(1, 0)), on(2, write(0, 0)), closed, on(1, nothing)}};
    agree(program, {kSucceeds, kSucceeds, kSucceeds, kSucceeds, kFails, kSucceeds});
}

TEST_CASE("reference: a window may be read or written as its bind says, until it is invalidated",
          "[K132][K133][K112]") {
    Step bind;
    bind.what = What::open;
    bind.target = Target::window;
    bind.side = 1;
    bind.pieces = {{3000, 100}};
    bind.remote_write = true;
    Step into = write(50, 50);
    into.target = Target::window;
    Step invalidate = send(8);
    invalidate.what = What::send_and_invalidate;
    invalidate.target = Target::window;
    Program program;
    program.epochs = {{bind}, {into, receive(64), invalidate, into}};
    agree(program, {kSucceeds, kSucceeds, kSucceeds, kSucceeds, kFails});
    CHECK(predict(program).memory[1][3099] == origin(0, 49));
}

TEST_CASE("reference: a message that names a key that is not valid fails at both ends", "[K113]") {
    Step invalidate = send(8);
    invalidate.what = What::send_and_invalidate;
    invalidate.target = Target::region;
    Program program;
    program.epochs = {{receive(64), invalidate}};
    agree(program, {kFails, kFails});
    CHECK(predict(program).requests[0].failure == "invalid_device_request");
    CHECK(predict(program).requests[1].failure == "remote_resources");
}

TEST_CASE("reference: a request about memory that fails ends the connection at both sides", "[K161][K112]") {
    Step invalidate;
    invalidate.what = What::invalidate;
    invalidate.target = Target::region;
    Program program;
    for (const bool infiniband : {false, true}) {
        program.infiniband = infiniband;
        program.epochs = {{receive(64), invalidate}};
        agree(program, {kCancelled, kFails});
    }
}

TEST_CASE("reference: nothing behind a request about memory that has failed begins", "[K107]") {
    Step invalidate;
    invalidate.what = What::invalidate;
    invalidate.target = Target::region;
    Program program;
    // The Write is not acknowledged yet when the Invalidate fails, and the message behind that must not arrive.
    program.epochs = {{receive(64), write(64, 0), invalidate, send(8)}};
    agree(program, {kCancelled, kSucceeds, kFails, kCancelled});
}

}  // namespace model_test
