// SPDX-License-Identifier: Apache-2.0
#include "sim/kernel/timeline.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/rng.hpp"
#include "sim/kernel/alarm.hpp"
#include "tests/sim/kernel/software.hpp"
#include "tests/sim/kernel/worker.hpp"
#include "tests/support/catch.hpp"

namespace ndsim::test::timeline_test {

using test::Software;
using namespace std::chrono_literals;

void wait_for(Picoseconds time) {
    sc_core::wait(to_sc(time));
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

TEST_CASE("timeline: a lane that goes takes its work along, and a new one comes behind those of its rank") {
    RunControl control;
    Timeline timeline("timeline", control);
    Log log;
    Worker stays("stays", timeline, 20, log);
    auto goes = std::make_unique<Worker>("goes", timeline, 20, log);
    Worker behind("behind", timeline, 20, log);
    goes->lane.push(4ns, 0);
    behind.lane.push(5ns, 0);
    goes.reset();
    std::vector<std::unique_ptr<Worker>> more;
    for (int i = 0; i < 20; ++i) {  // as many as make the timeline's list grow, with work in it
        more.push_back(std::make_unique<Worker>(("more" + std::to_string(i)).c_str(), timeline, 20, log));
    }
    more.back()->lane.push(5ns, 0);
    stays.lane.push(5ns, 0);

    sc_core::sc_start();

    CHECK(log == Log{{"stays", 5ns}, {"behind", 5ns}, {"more19", 5ns}});
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
                      Catch::Matchers::ContainsSubstring("timeline at 20000 ps: work is due at 19000 ps, in the past"));
    CHECK(log.empty());
}

}  // namespace ndsim::test::timeline_test
