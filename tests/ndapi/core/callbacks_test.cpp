// SPDX-License-Identifier: Apache-2.0
#include "ndapi/core/callbacks.hpp"

#include "tests/support/catch.hpp"
#include "tests/support/device_double.hpp"

namespace ndsim::test::callbacks_test {

using Times = std::vector<Picoseconds>;

// Callbacks note when they begin, on their core's clock.
struct CallbackBench : DriverBench {
    void defer(Picoseconds when, Picoseconds span = {}) {
        driver.callbacks().defer(when, [this, span] {
            seen.push_back(callback_core.clock());
            callback_core.spend(CoreActivity::other, span);
        });
    }
    Times seen;
};

TEST_CASE("callbacks: a call begins at its time, and waits for those before it") {
    CallbackBench bench;
    bench.at(1us, [&] {
        bench.defer(1us, 300ns);
        bench.defer(1us);
    });
    bench.run();
    CHECK(bench.seen == Times{1us, 1300ns});
}

TEST_CASE("callbacks: a call of a core ahead of the simulation waits for its time, whatever else is called") {
    CallbackBench bench;
    bench.program(1us, [&] {
        bench.core.spend(CoreActivity::other, 5us);
        bench.defer(bench.core.clock());  // 6 us
        bench.core.sync();
    });
    bench.at(2us, [&] { bench.defer(2us); });
    bench.run();
    CHECK(bench.seen == Times{2us, 6us});
}

TEST_CASE("callbacks: a deadline counts from the calling core's time, and can be cancelled") {
    CallbackBench bench;
    Times due;
    bench.program(1us, [&] {
        bench.core.spend(CoreActivity::other, 200ns);
        const auto kept = bench.driver.callbacks().set_deadline(3us, [&] { due.push_back(bench.now()); });
        const auto cancelled = bench.driver.callbacks().set_deadline(2us, [&] { due.push_back(bench.now()); });
        bench.driver.callbacks().cancel(cancelled);
        static_cast<void>(kept);
    });
    bench.run();
    CHECK(due == Times{4200ns});  // 1 us + 200 ns + 3 us
}

TEST_CASE("callbacks: outside of software's time the callback core is calling") {
    CallbackBench bench;
    bool in_program = true;
    bench.program(1us, [&] { in_program = bench.driver.callbacks().is_calling(); });
    bench.at(2us, [&] {
        CHECK(bench.driver.callbacks().is_calling());
        CHECK(bench.driver.callbacks().time() == 2us);
    });
    bench.run();
    CHECK_FALSE(in_program);
}

}  // namespace ndsim::test::callbacks_test
