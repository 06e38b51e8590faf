// SPDX-License-Identifier: Apache-2.0
#include "tests/ndapi/ndk/ndk_queue.hpp"

namespace ndsim::test::ndk_cq_test {

using namespace std::chrono_literals;

TEST_CASE("cq: never armed, never a callback, and one arm, one callback", "[K66][K67]") {
    run_queue(64, [](Queue& queue) {
        queue.place_and_wait(3);
        expect(queue.callbacks.empty(), "nobody asked");
        expect(queue.poll(8) == 3, "three are there");
        queue.arm();
        queue.place_and_wait(5);
        expect(queue.callbacks == std::vector<NTSTATUS>{STATUS_SUCCESS}, "one callback, and it is no failure");
    });
}

TEST_CASE("cq: an arm finds what came since the last callback, and not what was there", "[K68][K69][K70]") {
    run_queue(64, [](Queue& queue) {
        expect(queue.poll(1) == 0, "empty");
        queue.place_and_wait(1);
        queue.arm();  // it landed between the poll and the arm
        queue.host.sleep(kLong);
        expect(queue.callbacks.size() == 1, "K70: no wake-up is lost");
        queue.arm();
        queue.host.sleep(kLong);
        expect(queue.callbacks.size() == 1, "K69: it was there at the last callback");
        queue.place_and_wait(1);
        expect(queue.callbacks.size() == 2, "the next one meets the arm");
        queue.place_and_wait(1);
        queue.arm();
        queue.host.sleep(kLong);
        expect(queue.callbacks.size() == 3, "K68: one came since");
    });
}

TEST_CASE("cq: with arm_stale, entries that were there at the last callback meet an arm", "[K69]") {
    run_queue(64,
              [](Queue& queue) {
                  queue.arm();
                  queue.place_and_wait(1);
                  queue.arm();
                  queue.host.sleep(kLong);
                  expect(queue.callbacks.size() == 2, "it is still there");
                  expect(queue.poll(8) == 1, "one");
                  queue.arm();
                  queue.host.sleep(kLong);
                  expect(queue.callbacks.size() == 2, "what was polled is gone");
              },
              {"nic.cq.arm_stale=fire"});
}

TEST_CASE("cq: arming again before the callback asks for nothing more", "[K67][K73]") {
    run_queue(64, [](Queue& queue) {
        queue.arm();
        queue.place(1);
        // The interrupt takes 1.2 us to its handler; these arms come before it.
        for (int i = 0; i < 5; ++i) {
            queue.host.compute(200ns);
            queue.arm();
        }
        queue.host.sleep(kLong);
        expect(queue.callbacks.size() == 1, "one callback for all of them");
    });
}

TEST_CASE("cq: armed inside the callback, it is called again after that returns", "[K71][K72]") {
    run_queue(64, [](Queue& queue) {
        queue.on_callback = [&] {
            if (queue.callbacks.size() == 1) {
                queue.arm();
                queue.place(1);
                for (int i = 0; i < 1000 && queue.polled < 2; ++i) {
                    (void)queue.poll(1);
                }
                expect(queue.polled == 2, "the second came while the callback ran");
            }
        };
        queue.arm();
        queue.place_and_wait(1);
        queue.host.sleep(kLong);
        expect(queue.callbacks.size() == 2, "the second callback came, behind the first");
    });
}

TEST_CASE("cq: both kinds of poll take from one queue, and no more than asked for", "[K83][K84]") {
    run_queue(64, [](Queue& queue) {
        queue.place_and_wait(5);
        expect(queue.poll(2) == 2, "at most two");
        NDK_RESULT_EX result{};
        expect(queue.cq->Dispatch->NdkGetCqResultsEx(queue.cq, &result, 1) == 1, "the third");
        expect(result.RequestContext == reinterpret_cast<PVOID>(3), "in its order");
        queue.polled = 3;
        expect(queue.poll(8) == 2, "the rest");
        expect(queue.poll(8) == 0, "empty");
    });
}

TEST_CASE("cq: one poll takes as many results as it is asked for, if they are there", "[K83][K84]") {
    run_queue(512, [](Queue& queue) {
        queue.place(400);
        queue.host.sleep(1ms);
        std::array<NDK_RESULT, 256> plain{};
        std::array<NDK_RESULT_EX, 256> extended{};
        expect(queue.cq->Dispatch->NdkGetCqResults(queue.cq, plain.data(), 256) == 256, "all that are asked for");
        expect(queue.cq->Dispatch->NdkGetCqResultsEx(queue.cq, extended.data(), 256) == 144, "the rest");
        for (std::size_t i = 0; i < 400; ++i) {
            const PVOID request = i < 256 ? plain.at(i).RequestContext : extended.at(i - 256).RequestContext;
            expect(request == reinterpret_cast<PVOID>(i + 1), "in their order");
        }
        expect(queue.poll(8) == 0, "empty");
    });
}

// An entry is noticed poll_detect, 60 ns, after it is visible; some of these loops begin in between.
TEST_CASE("cq: a loop of polls that begins just after an entry became visible finds it at once") {
    run_queue(64, [](Queue& queue) {
        for (Picoseconds wait{}; wait < 1us; wait += 20ns) {
            queue.place(1);
            queue.host.compute(wait);
            const Picoseconds begun = queue.host.clock();
            while (queue.poll(1) == 0) {
            }
            expect(queue.host.clock() - begun < 5us, "a receive takes less than 1 us to be flushed");
        }
    });
}

TEST_CASE("cq: closed inside its callback, it closes after that and calls no more", "[K85]") {
    run_queue(64, [](Queue& queue) {
        Call qp_call(queue.host);
        Call cq_call(queue.host);
        queue.on_callback = [&] {
            queue.arm();
            queue.place(3);  // interrupts that come when the queue is going
            expect(queue.qp->Dispatch->NdkCloseQp(&queue.qp->Header, Call::closed, &qp_call) == STATUS_PENDING, "QP");
            expect(queue.cq->Dispatch->NdkCloseCq(&queue.cq->Header, Call::closed, &cq_call) == STATUS_PENDING, "CQ");
            NDK_RESULT result{};
            for (int i = 0; i < 100; ++i) {
                (void)queue.cq->Dispatch->NdkGetCqResults(queue.cq, &result, 1);
            }
            expect(cq_call.callbacks == 0, "it pends until this returns");
        };
        queue.arm();
        queue.place(1);
        cq_call.event.wait("the CQ to close");
        queue.host.sleep(kLong);
        expect(queue.callbacks.size() == 1, "no callback afterwards");
    });
}

}  // namespace ndsim::test::ndk_cq_test
