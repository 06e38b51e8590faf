// SPDX-License-Identifier: Apache-2.0
#include "models/host/host_jitter.hpp"

#include <cmath>

#include "models/host/core.hpp"
#include "tests/support/bench.hpp"
#include "tests/support/catch.hpp"

namespace ndsim::test::jitter_test {

CpuParams late() {
    CpuParams params;
    params.poll_jitter = 200ns;
    params.repost_jitter = 1us;
    params.preempt_every = 100us;
    params.preempt_time = 10us;
    return params;
}

std::vector<Interval> preemptions(HostJitter jitter, std::size_t count) {
    std::vector<Interval> found;
    for (Picoseconds at{}; found.size() < count; at = found.back().end) {
        found.push_back(*jitter.preemption(at, 1s));
    }
    return found;
}

TEST_CASE("jitter: off by default, and then nothing is late") {
    for (HostJitter jitter : {HostJitter(), HostJitter(CpuParams{}, 1, "A.cpu")}) {
        CHECK(jitter.poll() == 0ns);
        CHECK(jitter.repost() == 0ns);
        CHECK_FALSE(jitter.preemption(0ns, 1000s));
    }
}

// Other software has the core for 10 of 110 us, also at the end of an hour in which nobody asked: 9.1 %. Of 500 cores
// that is 45, give or take 6.4; drawn one by one the preemptions of all would be 16 thousand million.
TEST_CASE("jitter: preemptions behind a long rest are as likely as ever") {
    std::size_t away = 0;
    for (std::uint64_t seed = 1; seed <= 500; ++seed) {
        HostJitter jitter(late(), seed, "A.cpu");
        const auto now = jitter.preemption(3600s, 0ns);
        away += now ? 1 : 0;
        if (now) {
            CHECK(now->start <= 3600s);
            CHECK(now->end > 3600s);
            CHECK(now->end - now->start == 10us);
        }
    }
    CHECK(away > 20);
    CHECK(away < 70);
}

TEST_CASE("jitter: a preemption that takes no time is none") {
    CpuParams params = late();
    params.preempt_time = 0ns;
    CHECK_FALSE(HostJitter(params, 1, "A.cpu").preemption(0ns, 1000s));
}

// Mean and standard deviation of an exponential time are its mean, so the mean of 100,000 of them deviates by
// 1 / sqrt(100,000) = 0.32 % of it; 1.6 % are five times that. The variance of their squares about the mean is 8 times
// mean^4, so the variance deviates by sqrt(8 / 100,000) = 0.9 %, five times that are 4.5 %.
TEST_CASE("jitter: mean and variance are those of exponential times") {
    HostJitter jitter(late(), 1, "A.cpu");
    double polls = 0;
    double squares = 0;
    double reposts = 0;
    constexpr int kDraws = 100'000;
    for (int i = 0; i < kDraws; ++i) {
        const auto poll = static_cast<double>(jitter.poll().count());
        polls += poll;
        squares += std::pow(poll - 200'000, 2);
        reposts += static_cast<double>(jitter.repost().count());
    }
    CHECK(polls / kDraws == Catch::Approx(200'000).epsilon(0.016));
    CHECK(squares / kDraws == Catch::Approx(200'000.0 * 200'000.0).epsilon(0.045));
    CHECK(reposts / kDraws == Catch::Approx(1'000'000).epsilon(0.016));
}

// Between two preemptions are 100 us on average; of 10,000 such times the mean deviates by 1 %, five times that are 5
// %.
TEST_CASE("jitter: preemptions last as long as told, and come at random times") {
    const std::vector<Interval> found = preemptions(HostJitter(late(), 1, "A.cpu"), 10'000);
    Picoseconds last{};
    Picoseconds between{};
    for (const Interval& away : found) {
        CHECK(away.end - away.start == 10us);
        CHECK(away.start >= last);
        between += away.start - last;
        last = away.end;
    }
    CHECK(static_cast<double>(between.count()) / 10'000 == Catch::Approx(100e6).epsilon(0.05));
}

TEST_CASE("jitter: a stream belongs to seed, core and kind") {
    const auto first = [](std::uint64_t seed, const char* core) {
        HostJitter jitter(late(), seed, core);
        return std::vector{jitter.poll(), jitter.poll(), jitter.repost(), jitter.preemption(0ns, 1s)->start};
    };
    CHECK(first(1, "A.cpu") == first(1, "A.cpu"));
    CHECK(first(1, "A.cpu") != first(2, "A.cpu"));
    CHECK(first(1, "A.cpu") != first(1, "A.cpu_t"));
    // Switching one kind off, or drawing more of it, does not move the others.
    CpuParams one = late();
    one.poll_jitter = 0ns;
    HostJitter jitter(one, 1, "A.cpu");
    CHECK(jitter.repost() == first(1, "A.cpu")[2]);
    CHECK(jitter.preemption(0ns, 1s)->start == first(1, "A.cpu")[3]);
}

TEST_CASE("jitter: which preemption is in the way of some work") {
    HostJitter jitter(late(), 1, "A.cpu");
    const Interval away = *jitter.preemption(0ns, 1s);
    CHECK_FALSE(jitter.preemption(0ns, away.start));           // work ends when it begins
    CHECK(jitter.preemption(0ns, away.start + 1_ps));          // or a picosecond later
    CHECK_FALSE(jitter.preemption(away.start - 1_ps, 0ns));    // looked at before it,
    CHECK(jitter.preemption(away.start, 0ns));                 // as it begins,
    CHECK(jitter.preemption(away.end - 1_ps, 0ns));            // in its last picosecond,
    CHECK(jitter.preemption(away.end, 1s)->start > away.end);  // and after it
}

struct PreemptedCore : Bench {
    explicit PreemptedCore() : next(preemptions(HostJitter(late(), 1, "core"), 2)) {
        core.set_jitter(HostJitter(late(), 1, "core"));
    }
    RunningCore running;
    Core core{"core", timeline, running, 2};
    std::vector<Interval> next;
    std::vector<Picoseconds> seen;
};

// Work of 1 ns more than there is time before the first preemption is over 10 us later.
TEST_CASE("core: work that is preempted goes on when the core is back") {
    PreemptedCore bench;
    bench.core.run_thread([&] {
        bench.core.spend(CoreActivity::build, bench.next[0].start + 1ns);
        CHECK(bench.core.clock() == bench.next[0].end + 1ns);
        bench.core.sync();
        CHECK(bench.now() == bench.next[0].end + 1ns);
    });
    bench.run();
    CHECK(bench.core.finished());
    CHECK(statistic(bench.core, "preempted") == 10'000'000);
    CHECK(statistic(bench.core, "build") == static_cast<std::uint64_t>((bench.next[0].start + 1ns).count()));
}

TEST_CASE("core: long work is preempted more than once") {
    PreemptedCore bench;
    bench.core.run_thread([&] {
        bench.core.spend(CoreActivity::other, bench.next[1].start - 10us + 1ns);
        CHECK(bench.core.clock() == bench.next[1].end + 1ns);
        bench.core.sync();
    });
    bench.run();
    CHECK(statistic(bench.core, "preempted") == 20'000'000);
}

// Woken 4 us into the preemption, it has lost the 6 us that are left of it. A second wake meanwhile changes nothing.
TEST_CASE("core: a sleeper that is woken while other software has the core goes on when that is done") {
    PreemptedCore bench;
    bench.core.run_thread([&] {
        bench.core.sleep();
        bench.seen.push_back(bench.now());
        CHECK(bench.core.clock() == bench.next[0].end);
    });
    bench.at(1us, [&] {
        bench.core.wake(bench.next[0].start + 5us);
        bench.core.wake(bench.next[0].start + 4us);
    });
    bench.run();
    CHECK(bench.seen == std::vector{bench.next[0].end});
    CHECK(statistic(bench.core, "preempted") == 6'000'000);
}

TEST_CASE("core: a preemption while the program sleeps costs it nothing") {
    PreemptedCore bench;
    bench.core.run_thread([&] {
        bench.core.sleep(bench.next[0].end);
        bench.seen.push_back(bench.now());
    });
    bench.run();
    CHECK(bench.seen == std::vector{bench.next[0].end});
    CHECK(statistic(bench.core, "preempted") == 0);
}

// The store buffer is full until 3 us into the preemption: the stall is over then, the preemption 7 us later.
TEST_CASE("core: a stall goes on while the core is preempted") {
    PreemptedCore bench;
    bench.core.run_thread([&] {
        bench.core.stored();
        bench.core.stored();
        bench.core.stall();
        CHECK(bench.core.clock() == bench.next[0].end);
    });
    bench.at(0ns, [&] {
        bench.core.store_left();
        bench.core.store_left();
        bench.core.store_taken(bench.next[0].start + 3us);
        bench.core.store_taken(bench.next[0].start + 3us);
    });
    bench.run();
    CHECK(statistic(bench.core, "stalled") == static_cast<std::uint64_t>((bench.next[0].start + 3us).count()));
    CHECK(statistic(bench.core, "preempted") == 7'000'000);
}

}  // namespace ndsim::test::jitter_test
