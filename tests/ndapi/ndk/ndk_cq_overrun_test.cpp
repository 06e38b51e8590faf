// SPDX-License-Identifier: Apache-2.0
#include "tests/ndapi/ndk/ndk_queue.hpp"

namespace ndsim::test::ndk_cq_overrun_test {

TEST_CASE("cq: exactly as many entries as its depth are no overrun, one more is", "[K79][K163][K164][K165][limit]") {
    run_queue(7, [](Queue& queue) {
        queue.arm(NDK_CQ_NOTIFY_ERRORS);
        fill_completely(queue, 7);
        expect(queue.callbacks.empty(), "K165: seven fit; and cancelled requests are no errors of the queue");
        queue.place_and_wait(3);
        expect(queue.callbacks == std::vector<NTSTATUS>{STATUS_BUFFER_OVERFLOW}, "K163: the eighth does not fit");
        expect(queue.poll(64) == 7, "K164: the first seven can be polled");
        expect(queue.poll(64) == 0, "the others are lost");
        queue.arm();
        queue.host.sleep(kLong);
        expect(queue.poll(64) == 0 && queue.callbacks.size() == 1, "nothing more is reported");
        expect(queue.qp->Dispatch->NdkReceive(queue.qp, nullptr, nullptr, 0) == STATUS_CONNECTION_INVALID,
               "K163: its queue pairs are unusable");
    });
}

TEST_CASE("cq: an overrun that nobody had asked about is told at the next arm", "[K80]") {
    run_queue(4, [](Queue& queue) {
        queue.place_and_wait(5);
        expect(queue.callbacks.empty(), "it was not armed");
        queue.arm(NDK_CQ_NOTIFY_SOLICITED);
        queue.host.sleep(kLong);
        expect(queue.callbacks == std::vector<NTSTATUS>{STATUS_BUFFER_OVERFLOW}, "now it is told, once");
    });
}

// Depth 64: the NIC hears of every 16th poll. Of the fifteen here it has not heard; 64 more fit, and not one more.
TEST_CASE("cq: polls that the NIC has not heard of count", "[K163][K165][limit]") {
    run_queue(64, [](Queue& queue) {
        queue.place_and_wait(15);
        expect(queue.poll(15) == 15, "fifteen");
        queue.place_and_wait(64);
        expect(queue.poll(64) == 64, "the whole depth");
        queue.place_and_wait(15);
        expect(queue.poll(15) == 15, "fifteen");
        queue.place_and_wait(64);
        queue.arm(NDK_CQ_NOTIFY_ERRORS);
        queue.host.sleep(kLong);
        // Literally, an arm is met by whatever is new; the point is that it is no failure.
        expect(queue.callbacks == std::vector<NTSTATUS>{STATUS_SUCCESS}, "no overrun");
        queue.place_and_wait(1);
        queue.arm(NDK_CQ_NOTIFY_ERRORS);
        queue.host.sleep(kLong);
        expect(queue.callbacks.back() == STATUS_BUFFER_OVERFLOW, "one too many");
        expect(queue.poll(64) == 64, "those before it can be polled");
        expect(queue.poll(64) == 0, "and no other");
    });
}

TEST_CASE("cq: an overrun is told without delay", "[K95]") {
    run_queue(4, [](Queue& queue) {
        expect(queue.moderate(1'000'000, MAXULONG) == STATUS_SUCCESS, "a second");
        queue.host.sleep(kLong);
        queue.arm();
        queue.place_and_wait(5);
        expect(queue.callbacks == std::vector<NTSTATUS>{STATUS_BUFFER_OVERFLOW}, "within 50 us");
    });
}

}  // namespace ndsim::test::ndk_cq_overrun_test
