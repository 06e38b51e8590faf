// SPDX-License-Identifier: Apache-2.0

#include "tests/reference/small_programs.hpp"

using namespace ndsim::reference;

// Completion queues that are armed, moderated and resized, in small programs; and Reads that invalidate their sink.
namespace settings_test {

// Of the queue in which B's receives complete.
Step setting(What what, Phase phase) {
    Step step;
    step.side = 1;
    step.of_receives = true;
    step.what = what;
    step.phase = phase;
    return step;
}
Step arm(Wish wish, Phase phase = Phase::start) {
    Step step = setting(What::arm, phase);
    step.wish = wish;
    return step;
}
Step resize(std::uint32_t depth, Phase phase = Phase::start) {
    Step step = setting(What::resize, phase);
    step.depth = depth;
    return step;
}
Step solicited(Step step) {
    step.solicit = true;
    return step;
}
std::vector<std::size_t> waits(const Program& program) {
    std::vector<std::size_t> list;
    for (const auto& polls : predict(program).polls) {
        list.push_back(polls[1].waits.size());
    }
    return list;
}

Step open_region(std::uint32_t size) {
    Step step;
    step.what = What::open;
    step.target = Target::region;
    step.pieces = {{4000, size}};
    step.local_write = true;
    return step;
}
Step read_into_region(std::uint32_t offset, std::uint32_t size) {
    Step step;
    step.what = What::read;
    step.pieces = {{offset, size}};
    step.into_region = true;
    step.kills_sink = true;
    return step;
}

TEST_CASE("reference: one arm is one notification, however many completions there are", "[K66][K67][K78]") {
    Program program;
    program.epochs = {{receive(8), send(1)}, {arm(Wish::any), receive(8), receive(8), send(1), send(1)}};
    agree(program, std::vector<int>(6, kSucceeds));
    CHECK(waits(program) == std::vector<std::size_t>{0, 1});
    CHECK(predict(program).notified[1].by_cqs == 1);
}

TEST_CASE("reference: an arm for solicited completions passes over others, and holds", "[K74][K75]") {
    Program program;
    program.epochs = {{arm(Wish::solicited), receive(8), send(1)}, {receive(8), solicited(send(1))}};
    agree(program, std::vector<int>(4, kSucceeds));
    CHECK(waits(program) == std::vector<std::size_t>{0, 1});
    program.epochs[1] = {receive(8), send(9)};
    agree(program, {kSucceeds, kSucceeds, kFails, kFails});
    CHECK(waits(program) == std::vector<std::size_t>{0, 1});
}

TEST_CASE("reference: an arm for errors hears of an overrun alone", "[K79][K163]") {
    Program program;
    program.epochs = {{arm(Wish::errors), resize(1), receive(8), send(9)}};
    agree(program, {kFails, kFails});
    CHECK(waits(program) == std::vector<std::size_t>{0});
    program.epochs = {{arm(Wish::errors), resize(1), receive(8), receive(8), send(1), send(1)}};
    const int lost = kSucceeds | kCancelled | kLost;
    agree(program, {lost, lost, kSucceeds | kCancelled, kSucceeds | kCancelled});
    CHECK(waits(program) == std::vector<std::size_t>{1});
}

TEST_CASE("reference: an arm among completions that come is not lost", "[K70]") {
    Program program;
    program.epochs = {{receive(8), arm(Wish::any, Phase::amid), send(1)}};
    agree(program, {kSucceeds, kSucceeds});
    CHECK(waits(program) == std::vector<std::size_t>{1});
}

TEST_CASE("reference: an arm is met by what has come since the last notification, of any kind", "[K68][K69][K81]") {
    Program program;
    program.epochs = {{receive(8), send(1), arm(Wish::solicited, Phase::rest)}};
    agree(program, {kSucceeds, kSucceeds});
    CHECK(waits(program) == std::vector<std::size_t>{1});
    // The notification told of the only entry, so the second arm waits for the next.
    program.epochs = {{arm(Wish::any), receive(8), send(1), arm(Wish::any, Phase::rest)}, {receive(8), send(1)}};
    agree(program, std::vector<int>(4, kSucceeds));
    CHECK(waits(program) == std::vector<std::size_t>{1, 1});
}

TEST_CASE("reference: moderation delays notifications, and completions not at all", "[K87][K93]") {
    Step moderate = setting(What::moderate, Phase::start);
    moderate.interval = 3000;
    moderate.count = 100;
    Program program;
    program.epochs = {{moderate, arm(Wish::any), receive(8), send(1)}};
    agree(program, {kSucceeds, kSucceeds});
    CHECK(waits(program) == std::vector<std::size_t>{1});
}

TEST_CASE("reference: a queue holds as much as it was resized to", "[K163][K165][K169]") {
    Program program;
    const Epoch two{receive(8), receive(8), send(1), send(1)};
    program.epochs = {{resize(2)}, two, {resize(kAmple, Phase::rest)}, two};
    program.epochs[0].insert(program.epochs[0].end(), two.begin(), two.end());
    agree(program, std::vector<int>(12, kSucceeds));
}

TEST_CASE("reference: a queue cannot be made smaller than what it holds", "[K168]") {
    Program program;
    program.epochs = {{receive(8), receive(8), send(1), send(1), resize(1, Phase::rest)},
                      {receive(8), receive(8), send(1), send(1), resize(2, Phase::rest)}};
    agree(program, std::vector<int>(8, kSucceeds));
    CHECK(predict(program).refused[1] == 1);
}

TEST_CASE("reference: a Read invalidates the region that it fills", "[K140]") {
    Step again = open_region(100);
    again.fence = true;
    Program program;
    program.epochs = {{open_region(100), read_into_region(36, 64), again}, {read_into_region(0, 8)}};
    agree(program, std::vector<int>(4, kSucceeds));
    CHECK(predict(program).memory[0][4036] == origin(1, 0));
    CHECK(predict(program).memory[0][4099] == origin(1, 63));
    // Once it is dead it takes no more.
    program.epochs.push_back({read_into_region(0, 8)});
    agree(program, {kSucceeds, kSucceeds, kSucceeds, kSucceeds, kFails});
    CHECK(predict(program).requests[4].failure == "access_violation");
}

TEST_CASE("reference: a Read into a region needs all of it, and the right to write", "[K122]") {
    Program program;
    program.epochs = {{open_region(100), read_into_region(37, 64)}};
    agree(program, {kSucceeds, kFails});
    program.epochs[0][0].local_write = false;
    program.epochs[0][0].remote_read = true;
    program.epochs[0][1] = read_into_region(0, 8);
    agree(program, {kSucceeds, kFails});
}

TEST_CASE("reference: what changes a region waits for the Reads that fill it", "[K64]") {
    Step invalidate;
    invalidate.what = What::invalidate;
    invalidate.target = Target::region;
    Step read = read_into_region(0, 8);
    read.kills_sink = false;
    Program program;
    program.epochs = {{open_region(100), read, invalidate}};
    CHECK(predict(program).doubts.size() == 1);
    agree(settle(program), std::vector<int>(3, kSucceeds));

    // It does so behind a message that is held off, too, and goes on without that.
    Program held = program;
    held.endpoints[1][0].srq = true;
    held.epochs = {{open_region(100)}, {read, silent(send(0)), invalidate}};
    CHECK(predict(held).doubts.size() == 1);
    CHECK(predict(held).doubts[0].remedy == Doubt::Remedy::fence);
    agree(settle(held), {kSucceeds, kSucceeds, kCancelled, kCancelled});
}

}  // namespace settings_test
