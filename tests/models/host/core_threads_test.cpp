// SPDX-License-Identifier: Apache-2.0

#include "tests/models/host/core_bench.hpp"
#include "tests/support/catch.hpp"

namespace ndsim::test::core_threads_test {

using Times = std::vector<Picoseconds>;

TEST_CASE("core: it runs threads one after the other, each from the time for which it was started") {
    CoreBench bench;
    bench.core.run_threads_later();
    std::vector<bool> free;
    const auto program = [&] {
        bench.note();
        bench.core.sleep(bench.core.clock() + 10ns);
        bench.note();
    };
    bench.at(50ns, [&] {
        free.push_back(bench.core.is_free());
        bench.core.start(program, 100ns);
    });
    bench.at(105ns, [&] { free.push_back(bench.core.is_free()); });
    bench.at(200ns, [&] {
        free.push_back(bench.core.is_free());
        bench.core.wake(210ns);  // there is nothing to go on
        bench.core.start(program, 300ns);
    });
    bench.run();
    CHECK(bench.seen == Times{100ns, 110ns, 300ns, 310ns});
    CHECK(free == std::vector<bool>{true, false, true});
    CHECK(bench.core.finished());
}

TEST_CASE("core: a halted program never goes on, neither where it halts itself nor where it sleeps") {
    CoreBench bench;
    Core other("other", bench.timeline, bench.running, 2);
    bench.core.run_thread([&] {
        bench.note();
        bench.core.sleep(1000ns);
        bench.note();
    });
    other.run_thread([&] {
        other.sleep(100ns);
        bench.core.halt();
        bench.note();
        other.halt();
        bench.note();
    });
    bench.at(200ns, [&] {
        bench.core.wake(300ns);
        other.wake(300ns);
    });
    bench.run();
    CHECK(bench.seen == Times{0ns, 100ns});
    CHECK(bench.core.finished());
    CHECK(other.finished());
    CHECK_FALSE(bench.core.is_free());
}

TEST_CASE("core: a thread that spins is busy, also in the midst of it, and one that sleeps is not") {
    CoreBench bench;
    Times busy;
    bench.core.run_thread([&] {
        bench.core.spend(CoreActivity::other, 30ns);
        bench.core.spin(100ns);  // 70 ns more
        busy.push_back(bench.core.busy(100ns));
        bench.core.sleep(200ns);
        busy.push_back(bench.core.busy(200ns));
    });
    bench.at(80ns, [&] { busy.push_back(bench.core.busy(80ns)); });  // 30 of work, 50 of the spin
    bench.run();
    CHECK(busy == Times{80ns, 100ns, 100ns});
}

}  // namespace ndsim::test::core_threads_test
