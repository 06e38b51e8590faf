// SPDX-License-Identifier: Apache-2.0
#include "sim/kernel/timeline.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/rng.hpp"
#include "sim/kernel/alarm.hpp"
#include "sim/kernel/lane.hpp"
#include "sim/kernel/unit.hpp"
#include "tests/sim/kernel/software.hpp"

namespace ndsim::test::timeline_test {

using test::Software;
using namespace std::chrono_literals;

using Log = std::vector<std::pair<std::string, Picoseconds>>;

// Writes down what it does and when; a number above zero it does again after 10 ns, one lower.
class Worker : public Unit {
public:
    Worker(const sc_core::sc_module_name& name, Timeline& timeline, std::uint32_t rank, Log& log)
        : Unit(name, timeline), lane(*this, timeline, rank), log_(log) {}

    void work(int& left) {
        log_.emplace_back(name(), now());
        if (left > 0) {
            lane.push(now() + 10ns, left - 1);
        }
    }

    Lane<int, &Worker::work> lane;

private:
    Log& log_;
};

void wait_for(Picoseconds time) {
    sc_core::wait(to_sc(time));
}

int warnings() {
    return sc_core::sc_report_handler::get_count(sc_core::SC_WARNING);
}

TEST_CASE("timeline: work of the same picosecond is done in the order of ranks") {
    RunControl control;
    Timeline timeline("timeline", control);
    Log log;
    Worker last("last", timeline, 30, log);
    Worker first("first", timeline, 10, log);
    Worker second("second", timeline, 20, log);
    Worker third("third", timeline, 20, log);  // of the same rank: in the order in which they were made
    last.lane.push(5ns, 0);
    third.lane.push(5ns, 0);
    second.lane.push(5ns, 0);
    first.lane.push(5ns, 0);

    sc_core::sc_start();

    CHECK(log == Log{{"first", 5ns}, {"second", 5ns}, {"third", 5ns}, {"last", 5ns}});
}

TEST_CASE("timeline: an earlier time comes before a lower rank") {
    RunControl control;
    Timeline timeline("timeline", control);
    Log log;
    Worker low("low", timeline, 1, log);
    Worker high("high", timeline, 2, log);
    low.lane.push(6ns, 0);
    high.lane.push(5ns, 1);  // again at 15 ns

    sc_core::sc_start();

    CHECK(log == Log{{"high", 5ns}, {"low", 6ns}, {"high", 15ns}});
}

// Sets its own alarm again whenever it fires, and moves or drops another one's.
class Mover : public Unit {
public:
    struct Shared {
        std::vector<std::unique_ptr<Mover>> movers;
        Rng random{1, "movers"};
        std::vector<std::pair<Picoseconds, std::size_t>> fired;
    };

    Mover(const std::string& name, Timeline& timeline, std::size_t place, Shared& shared)
        : Unit(name.c_str(), timeline),
          alarm(*this, timeline, static_cast<std::uint32_t>(place)),
          place_(place),
          shared_(shared) {}

    void set(Picoseconds due) {
        due_ = due;
        alarm.set(due);
    }
    void drop() {
        due_.reset();
        alarm.drop();
    }
    void fire() {
        CHECK(due_ == now());
        due_.reset();
        shared_.fired.emplace_back(now(), place_);
        if (shared_.fired.size() < 5000) {
            set(now() + later());
            Mover& other = *shared_.movers[shared_.random.between(0, shared_.movers.size() - 1)];
            shared_.random.between(1, 8) == 1 ? other.drop() : other.set(now() + later());
        }
    }
    [[nodiscard]] bool is_due() const { return due_.has_value(); }

    Alarm<&Mover::fire> alarm;

private:
    // Mostly soon, sometimes far away; never now, where a lower rank would come too late for the order of ranks.
    Picoseconds later() {
        const std::uint64_t most = shared_.random.between(1, 8) == 1 ? 1000 : 10;
        return Picoseconds{static_cast<std::int64_t>(shared_.random.between(1, most))};
    }

    std::size_t place_;
    Shared& shared_;
    std::optional<Picoseconds> due_;
};

TEST_CASE("timeline: lanes whose times move stay in the order of time, then of rank") {
    RunControl control;
    Timeline timeline("timeline", control);
    Mover::Shared shared;
    for (std::size_t i = 0; i < 40; ++i) {
        shared.movers.push_back(std::make_unique<Mover>("mover" + std::to_string(i), timeline, i, shared));
        shared.movers.back()->set(Picoseconds{static_cast<std::int64_t>(shared.random.between(1, 100))});
    }

    sc_core::sc_start();

    CHECK(shared.fired.size() >= 5000);
    CHECK(std::ranges::is_sorted(shared.fired));
    CHECK(std::ranges::none_of(shared.movers, [](const auto& mover) { return mover->is_due(); }));
}

TEST_CASE("timeline: works ahead without the kernel as long as nobody else has work") {
    RunControl control;
    Timeline timeline("timeline", control);
    Log log;
    Worker worker("worker", timeline, 1, log);
    worker.lane.push(10ns, 99);

    sc_core::sc_start();

    CHECK(log.size() == 100);
    CHECK(log.back().second == 1000ns);  // 10 ns and 99 times 10 ns
    CHECK(timeline.items() == 100);
    CHECK(timeline.activations() == 1);
    CHECK(kernel_now() == 10ns);
    CHECK(timeline.now() == 1000ns);  // not back at the kernel's clock
}

TEST_CASE("timeline: work that is due at the start is done") {
    RunControl control;
    Timeline timeline("timeline", control);
    Log log;
    Worker worker("worker", timeline, 1, log);
    worker.lane.push(0ns, 0);

    sc_core::sc_start();

    CHECK(log == Log{{"worker", 0ns}});
}

TEST_CASE("timeline: stops working ahead where a thread has work") {
    RunControl control;
    Timeline timeline("timeline", control);
    Log log;
    Worker worker("worker", timeline, 1, log);
    worker.lane.push(10ns, 9);  // at 10, 20 ... 100 ns
    std::size_t done_at_55ns = 0;
    Picoseconds now_at_55ns{};
    Software software("software", [&] {
        wait_for(55ns);
        done_at_55ns = log.size();
        now_at_55ns = timeline.now();
    });

    sc_core::sc_start();

    CHECK(done_at_55ns == 5);
    CHECK(now_at_55ns == 55ns);
    CHECK(log.size() == 10);
    CHECK(timeline.activations() == 2);  // at 10 ns and, behind the thread, at 60 ns
}

TEST_CASE("timeline: a thread that work wakes runs before later work") {
    RunControl control;
    Timeline timeline("timeline", control);
    Log log;
    sc_core::sc_event go;
    class Waker : public Unit {
    public:
        Waker(const sc_core::sc_module_name& name, Timeline& timeline, sc_core::sc_event& event)
            : Unit(name, timeline), lane(*this, timeline, 1), event_(event) {}
        void wake(const int&) { timeline().notify(event_, now() + 3ns); }
        Lane<int, &Waker::wake> lane;

    private:
        sc_core::sc_event& event_;
    };
    Waker waker("waker", timeline, go);
    Worker worker("worker", timeline, 1, log);
    waker.lane.push(12ns, 0);
    worker.lane.push(10ns, 2);  // 10, 20, 30 ns
    Picoseconds woken{};
    std::size_t done = 0;
    Software software("software", [&] {
        sc_core::wait(go);
        woken = timeline.now();
        done = log.size();
    });

    sc_core::sc_start();

    CHECK(woken == 15ns);
    CHECK(done == 1);  // what was due at 10 ns
    CHECK(log == Log{{"worker", 10ns}, {"worker", 20ns}, {"worker", 30ns}});
    CHECK(timeline.activations() == 2);  // at 10 ns and, behind the thread, at 20 ns
}

TEST_CASE("timeline: a thread pushes work, also ahead of what was due first") {
    RunControl control;
    Timeline timeline("timeline", control);
    Log log;
    Worker early("early", timeline, 1, log);
    Worker late("late", timeline, 2, log);
    late.lane.push(100ns, 0);
    Software software("software", [&] {
        wait_for(7ns);
        early.lane.push(7ns, 0);  // now
        wait_for(1ns);
        early.lane.push(20ns, 0);
    });

    sc_core::sc_start();

    CHECK(log == Log{{"early", 7ns}, {"early", 20ns}, {"late", 100ns}});
}

TEST_CASE("timeline: ends at the time limit, work at the limit included") {
    RunControl control;
    control.limit_time(50ns);
    Timeline timeline("timeline", control);
    Log log;
    Worker worker("worker", timeline, 1, log);
    worker.lane.push(10ns, 9);

    sc_core::sc_start();

    CHECK(log.size() == 5);
    CHECK(log.back().second == 50ns);
    CHECK(control.stopped());
    CHECK(control.end() == RunEnd::time_limit);
    CHECK(timeline.now() == 50ns);
}

TEST_CASE("timeline: it is the limit's time when work behind the limit is not done") {
    RunControl control;
    control.limit_time(55ns);
    Timeline timeline("timeline", control);
    Log log;
    Worker worker("worker", timeline, 1, log);
    worker.lane.push(10ns, 0);
    worker.lane.push(10s, 0);

    sc_core::sc_start();

    CHECK(log == Log{{"worker", 10ns}});
    CHECK(timeline.now() == 55ns);
}

TEST_CASE("timeline: two timelines that meet the limit together stop the kernel once") {
    RunControl control;
    control.limit_time(50ns);
    Timeline timeline_a("timeline_a", control);
    Timeline timeline_b("timeline_b", control);
    Log log;
    Worker a("a", timeline_a, 1, log);
    Worker b("b", timeline_b, 1, log);
    a.lane.push(60ns, 0);
    b.lane.push(60ns, 0);

    sc_core::sc_start();

    CHECK(log.empty());
    CHECK(control.end() == RunEnd::time_limit);
    CHECK(warnings() == 0);
}

TEST_CASE("timeline: ends at the limit of items, exactly") {
    RunControl control;
    control.limit_items(10);
    Timeline timeline("timeline", control);
    Log log;
    Worker worker("worker", timeline, 1, log);
    worker.lane.push(10ns, 99);

    sc_core::sc_start();

    CHECK(log.size() == 10);
    CHECK(control.items() == 10);
    CHECK(control.end() == RunEnd::item_limit);
}

TEST_CASE("timeline: a limit of items beyond the first look at the wall clock is exact, too") {
    RunControl control;
    control.limit_items(RunControl::kCheckEvery + 5);
    Timeline timeline("timeline", control);
    Log log;
    Worker worker("worker", timeline, 1, log);
    worker.lane.push(10ns, 3 * static_cast<int>(RunControl::kCheckEvery));

    sc_core::sc_start();

    CHECK(log.size() == RunControl::kCheckEvery + 5);
}

TEST_CASE("timeline: a run that does all its work ends for want of it") {
    RunControl control;
    control.limit_items(3);
    Timeline timeline("timeline", control);
    Log log;
    Worker worker("worker", timeline, 1, log);
    worker.lane.push(10ns, 2);  // three items

    sc_core::sc_start();

    CHECK(log.size() == 3);
    CHECK_FALSE(control.stopped());
    CHECK(control.end() == RunEnd::nothing_left);
}

TEST_CASE("timeline: the caller looks in every few thousand items and may stop the run") {
    RunControl control;
    Timeline timeline("timeline", control);
    Log log;
    Worker worker("worker", timeline, 1, log);
    std::vector<Picoseconds> looks;
    control.on_check([&](Picoseconds at) {
        looks.push_back(at);
        if (looks.size() == 2) {
            control.stop(RunEnd::interrupted);
            control.stop(RunEnd::finished);  // the first reason stays
        }
    });
    worker.lane.push(10ns, 1'000'000);

    sc_core::sc_start();

    // Before item 4096 and item 8192, counted from 0; item n is due at (n + 1) * 10 ns.
    CHECK(looks == std::vector<Picoseconds>{40'970ns, 81'930ns});
    CHECK(log.size() == 8192);
    CHECK(control.end() == RunEnd::interrupted);
}

TEST_CASE("timeline: work due in the past breaks the run", "[throws]") {
    RunControl control;
    Timeline timeline("timeline", control);
    Log log;
    Worker worker("worker", timeline, 1, log);
    Software software("software", [&] {
        wait_for(20ns);
        worker.lane.push(19ns, 0);
    });

    // SystemC hands on an exception of a process as its own report.
    CHECK_THROWS_WITH(sc_core::sc_start(),
                      Catch::Contains("timeline at 20000 ps: work is due at 19000 ps, in the past"));
    CHECK(log.empty());
}

}  // namespace ndsim::test::timeline_test
