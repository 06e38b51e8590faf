// SPDX-License-Identifier: Apache-2.0

#include <memory>
#include <string>

#include "tests/models/host/core_bench.hpp"
#include "tests/support/catch.hpp"

namespace ndsim::test::core_test {

using Times = std::vector<Picoseconds>;

TEST_CASE("core: a thread's clock runs ahead, and sync lets the simulation catch up") {
    CoreBench bench;
    bench.core.run_thread([&] {
        bench.core.spend(CoreActivity::build, 50ns);
        bench.core.spend(CoreActivity::store, 75ns);
        CHECK(bench.core.clock() == 125ns);
        CHECK(bench.now() == 0ns);
        bench.core.sync();
        bench.note();
        CHECK(bench.core.clock() == 125ns);
        bench.core.sync();  // already there
        bench.note();
    });
    bench.run();
    CHECK(bench.seen == Times{125ns, 125ns});
    CHECK(bench.core.finished());
    CHECK(statistic(bench.core, "build") == 50'000);
    CHECK(statistic(bench.core, "store") == 75'000);
}

TEST_CASE("core: a push is a store, whose time is told apart as well") {
    CoreBench bench;
    bench.core.run_thread([&] {
        bench.core.spend(CoreActivity::store, 75ns);
        bench.core.spend(CoreActivity::push, 130ns);
        bench.core.spend(CoreActivity::store, 80ns);
        bench.core.sync();
    });
    bench.run();
    CHECK(statistic(bench.core, "store") == 285'000);
    CHECK(statistic(bench.core, "push") == 130'000);
}

TEST_CASE("core: the running core is known while it runs, and only then") {
    CoreBench bench;
    bench.core.run_thread([&] {
        CHECK(bench.running.core() == &bench.core);
        bench.core.sleep(100ns);
        CHECK(bench.running.core() == &bench.core);
    });
    bench.at(50ns, [&] { CHECK(bench.running.core() == nullptr); });
    bench.run();
    CHECK(bench.core.finished());
}

TEST_CASE("core: a sleeper goes on at the earliest wake") {
    CoreBench bench;
    bench.core.run_thread([&] {
        bench.core.sleep(500ns);
        bench.note();
        bench.core.sleep();
        bench.note();
    });
    bench.at(10ns, [&] {
        bench.core.wake(300ns);
        bench.core.wake(200ns);
        bench.core.wake(400ns);
    });
    bench.at(600ns, [&] { bench.core.wake(700ns); });
    bench.run();
    // 300, 400 and 500 ns belong to the first sleep: the second one is not ended by them.
    CHECK(bench.seen == Times{200ns, 700ns});
}

TEST_CASE("core: a wake before the core's own clock waits for it") {
    CoreBench bench;
    bench.core.run_thread([&] {
        bench.core.spend(CoreActivity::other, 300ns);
        bench.core.sleep();
        bench.note();
        CHECK(bench.core.clock() == 300ns);
    });
    bench.at(100ns, [&] { bench.core.wake(100ns); });
    bench.run();
    CHECK(bench.seen == Times{300ns});
}

TEST_CASE("core: time asleep is nobody's activity") {
    CoreBench bench;
    bench.core.run_thread([&] {
        bench.core.spend(CoreActivity::poll, 10ns);
        bench.core.sleep(1us);
        bench.core.spend(CoreActivity::poll, 10ns);
        bench.core.sync();
    });
    bench.run();
    CHECK(bench.core.clock() == 1010ns);
    CHECK(statistic(bench.core, "poll") == 20'000);
    CHECK(statistic(bench.core, "other") == 0);
}

TEST_CASE("core: a thread that nobody wakes has not finished, and says what it waits for") {
    CoreBench bench;
    bench.core.run_thread([&] {
        bench.core.waits_for("a completion");
        bench.core.sleep();
    });
    bench.run();
    CHECK_FALSE(bench.core.finished());
    CHECK(bench.core.asleep());
    CHECK(bench.core.waiting() == "a completion");
}

TEST_CASE("core: a stepper is called when it is woken, and again at its clock if it wants") {
    CoreBench bench;
    int step = 0;
    bench.core.run_stepper([&] {
        bench.note();
        CHECK(bench.running.core() == &bench.core);
        CHECK(bench.core.clock() == bench.now());
        switch (step++) {
            case 0:
                bench.core.spend(CoreActivity::build, 50ns);
                bench.core.again();
                break;
            case 1:
                bench.core.sleep(500ns);
                break;
            case 2:
                bench.core.sleep();
                break;
            default:
                break;
        }
    });
    bench.at(0ns, [&] { bench.core.wake(0ns); });
    bench.at(100ns, [&] {
        CHECK(bench.running.core() == nullptr);
        bench.core.wake(200ns);
    });
    bench.at(900ns, [&] { bench.core.wake(900ns); });
    bench.run();
    CHECK(bench.seen == Times{0ns, 50ns, 200ns, 900ns});
}

TEST_CASE("core: two cores run side by side, each on its own clock") {
    CoreBench bench;
    Core other("other", bench.timeline, bench.running, 2);
    bench.core.run_thread([&] {
        for (int i = 0; i < 3; ++i) {
            bench.core.spend(CoreActivity::other, 100ns);
            bench.core.sync();
            CHECK(bench.running.core() == &bench.core);
            bench.note();
        }
    });
    other.run_thread([&] {
        for (int i = 0; i < 2; ++i) {
            other.spend(CoreActivity::other, 150ns);
            other.sync();
            CHECK(bench.running.core() == &other);
            bench.note();
        }
    });
    bench.run();
    CHECK(bench.seen == Times{100ns, 150ns, 200ns, 300ns, 300ns});
}

TEST_CASE("core: threads that go on at the same picosecond do so in the order of their cores, each until it waits") {
    CoreBench bench;
    std::vector<std::string> log;
    std::vector<std::unique_ptr<Core>> cores;
    for (int i = 0; i < 5; ++i) {
        cores.push_back(
            std::make_unique<Core>(("core_" + std::to_string(i)).c_str(), bench.timeline, bench.running, 2));
    }
    for (std::size_t i = 0; i < cores.size(); ++i) {
        cores[i]->run_thread([&, i] {
            cores[i]->sleep(100ns);
            log.push_back(std::to_string(i) + " at 100");
            // The one before it has waited already, for a time that is the same for all.
            cores[i]->sleep(200ns);
            log.push_back(std::to_string(i) + " at 200");
        });
    }
    // They are woken in another order.
    bench.at(50ns, [&] {
        for (std::size_t i = cores.size(); i > 0; --i) {
            cores[i - 1]->wake(100ns);
        }
    });
    bench.core.run_thread([] {});
    bench.run();
    CHECK(log == std::vector<std::string>{"0 at 100", "1 at 100", "2 at 100", "3 at 100", "4 at 100", "0 at 200",
                                          "1 at 200", "2 at 200", "3 at 200", "4 at 200"});
}

TEST_CASE("core: what a thread wakes for now goes on behind the threads that were woken before") {
    CoreBench bench;
    std::vector<std::string> log;
    Core second("second", bench.timeline, bench.running, 2);
    Core third("third", bench.timeline, bench.running, 2);
    bench.core.run_thread([&] {
        bench.core.sleep();
        log.emplace_back("second");
    });
    second.run_thread([&] {
        second.sleep(100ns);
        log.emplace_back("wakes");
        bench.core.wake(100ns);
        second.sleep(101ns);
    });
    third.run_thread([&] {
        third.sleep(100ns);
        log.emplace_back("first");
    });
    bench.run();
    CHECK(log == std::vector<std::string>{"wakes", "first", "second"});
}

}  // namespace ndsim::test::core_test
