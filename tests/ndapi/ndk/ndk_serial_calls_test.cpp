// SPDX-License-Identifier: Apache-2.0
#include "tests/ndapi/ndk/ndk_queue.hpp"

namespace ndsim::test::ndk_serial_calls_test {

TEST_CASE("cq: arming and polling at the same time is an error of the program", "[K82]") {
    const auto program = [](Queue& queue) {
        queue.on_callback = [&] { (void)queue.poll(4); };
        queue.arm();
        queue.place(1);
        for (int i = 0; i < 100; ++i) {  // 100 ns each: one is under way when the callback polls
            queue.arm();
        }
        queue.host.sleep(kLong);
    };
    run_queue(64, program, {}, true);
}

TEST_CASE("cq: arming and polling in turns is none", "[K82]") {
    run_queue(64, [](Queue& queue) {
        queue.on_callback = [&] {
            while (queue.polled < queue.placed) {
                (void)queue.poll(4);
            }
            queue.arm();
        };
        queue.arm();
        for (int i = 0; i < 10; ++i) {
            queue.place_and_wait(2);
        }
    });
}

TEST_CASE("qp: posts to one queue from two cores at the same time are an error of the program", "[K27]") {
    const auto program = [](Queue& queue) {
        queue.on_callback = [&] { queue.place(1); };
        queue.arm();
        queue.place(60);  // 150 ns each: one is under way when the callback posts
        queue.host.sleep(kLong);
    };
    run_queue(256, program, {}, true);
}

TEST_CASE("qp: a receive may be posted while a Send is", "[K25]") {
    run_queue(256, [](Queue& queue) {
        // Sends are refused, as nothing is connected; a receive is posted all the time.
        queue.on_callback = [&] {
            for (int i = 0; i < 50; ++i) {
                expect(queue.qp->Dispatch->NdkSend(queue.qp, nullptr, nullptr, 0, 0) == STATUS_CONNECTION_INVALID,
                       "a Send");
            }
        };
        queue.arm();
        queue.place_and_wait(60);
        expect(queue.callbacks.size() == 1 && queue.poll(64) == 60, "all receives have completed");
    });
}

}  // namespace ndsim::test::ndk_serial_calls_test
