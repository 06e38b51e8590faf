// SPDX-License-Identifier: Apache-2.0
#include "tests/ndapi/ndk/ndk_queue.hpp"

namespace ndsim::test::ndk_cq_changes_test {

using namespace std::chrono_literals;

TEST_CASE("cq: moderation bounds are checked", "[K91]") {
    run_queue(64, [](Queue& queue) {
        expect(queue.moderate(MAXULONG, MAXULONG) == STATUS_INVALID_PARAMETER_MIX, "no bound");
        expect(queue.moderate(MAXULONG, 65) == STATUS_INVALID_PARAMETER_MIX, "a count that the queue cannot hold");
        expect(queue.moderate(MAXULONG, 64) == STATUS_SUCCESS, "one that it can");
        expect(queue.moderate(20, MAXULONG) == STATUS_SUCCESS, "a time");
        expect(queue.moderate(0, MAXULONG) == STATUS_SUCCESS, "none");
    });
}

TEST_CASE("cq: an adapter without the flags neither moderates nor resizes", "[K92][K170]") {
    run_queue(64,
              [](Queue& queue) {
                  NDK_ADAPTER_INFO info{};
                  ULONG size = sizeof info;
                  expect(queue.adapter->Dispatch->NdkQueryAdapterInfo(queue.adapter, &info, &size) == STATUS_SUCCESS,
                         "info");
                  expect((info.AdapterFlags & NDK_ADAPTER_FLAG_CQ_INTERRUPT_MODERATION_SUPPORTED) == 0, "flag 0x4");
                  expect((info.AdapterFlags & NDK_ADAPTER_FLAG_CQ_RESIZE_SUPPORTED) == 0, "flag 0x100");
                  expect(queue.moderate(20, 8) == STATUS_NOT_SUPPORTED, "no moderation");
                  expect(queue.resize(128) == STATUS_NOT_SUPPORTED, "no resizing");
              },
              {"nic.cq.can_moderate=false", "nic.cq.can_resize=false"});
}

TEST_CASE("cq: moderation delays the callback and not the entries", "[K86][K87][K93][K94]") {
    run_queue(64, [](Queue& queue) {
        expect(queue.moderate(200, MAXULONG) == STATUS_SUCCESS, "200 us");
        queue.host.sleep(kLong);
        queue.arm();
        queue.place_and_wait(1);
        expect(queue.callbacks.empty() && queue.poll(8) == 1, "the entry is there, the callback is not");
        queue.host.sleep(100us);
        expect(queue.callbacks.empty(), "150 us");
        queue.host.sleep(100us);
        expect(queue.callbacks.size() == 1, "250 us");
        // Two settings in a row: the last one holds, also for a notification that waits.
        queue.arm();
        queue.place_and_wait(1);
        expect(queue.moderate(300, MAXULONG) == STATUS_SUCCESS, "300 us");
        expect(queue.moderate(0, 8) == STATUS_SUCCESS, "none");
        queue.host.sleep(kLong);
        expect(queue.callbacks.size() == 2, "the notification that waited was let go");
    });
}

TEST_CASE("cq: moderation by number, or with a bound that means none", "[K88][K89][K90]") {
    run_queue(64, [](Queue& queue) {
        expect(queue.moderate(MAXULONG, 3) == STATUS_SUCCESS, "three");
        queue.host.sleep(kLong);
        queue.arm();
        queue.place_and_wait(2);
        expect(queue.callbacks.empty(), "two have come");
        queue.place_and_wait(1);
        expect(queue.callbacks.size() == 1, "three have");
        for (const auto& [interval, count] : std::array<std::array<ULONG, 2>, 3>{{{0, 8}, {1000, 1}, {1000, 0}}}) {
            const std::size_t before = queue.callbacks.size();
            expect(queue.moderate(interval, count) == STATUS_SUCCESS, "no moderation");
            queue.host.sleep(kLong);
            queue.arm();
            queue.place_and_wait(1);
            expect(queue.callbacks.size() == before + 1, "at once");
        }
    });
}

TEST_CASE("cq: resizing has limits", "[K167][K168]") {
    run_queue(64, [](Queue& queue) {
        expect(queue.resize(4'194'304) == STATUS_INVALID_PARAMETER, "above MaxCqDepth");
        expect(queue.resize(0) == STATUS_INVALID_PARAMETER, "nothing");
        queue.place_and_wait(10);
        expect(queue.resize(9) == STATUS_BUFFER_OVERFLOW, "ten are there");
        queue.place_and_wait(54);
        expect(queue.poll(64) == 64, "nothing has changed: 64 fit");
        expect(queue.resize(4) == STATUS_SUCCESS, "empty, it may shrink");
        queue.place_and_wait(4);
        queue.arm(NDK_CQ_NOTIFY_ERRORS);
        queue.host.sleep(kLong);
        // Literally, an arm is met by whatever is new; the point is that it is no failure.
        expect(queue.callbacks == std::vector<NTSTATUS>{STATUS_SUCCESS}, "four fit");
        queue.arm(NDK_CQ_NOTIFY_ERRORS);
        queue.place_and_wait(1);
        expect(queue.callbacks.back() == STATUS_BUFFER_OVERFLOW, "five do not");
    });
}

TEST_CASE("cq: entries that the NIC has and software has not seen refuse a resize, later", "[K168]") {
    run_queue(64, [](Queue& queue) {
        queue.place(10);  // none is visible yet
        expect(queue.poll(1) == 0 || queue.polled > 0, "whatever is there");
        expect(queue.resize(2) == STATUS_BUFFER_OVERFLOW, "the NIC refuses");
        queue.place_and_wait(40);
        while (queue.poll(64) > 0) {
        }
        expect(queue.polled == 50, "nothing is lost");
    });
}

TEST_CASE("cq: resizing under traffic loses nothing and keeps the order and the arm", "[K169]") {
    run_queue(64, [](Queue& queue) {
        queue.arm(NDK_CQ_NOTIFY_ERRORS);
        Call calls[] = {Call(queue.host), Call(queue.host), Call(queue.host)};
        constexpr ULONG kDepths[] = {300, 32, 128};
        for (int round = 0; round < 3; ++round) {
            // Entries before, during and behind the change, some of them polled in between, never more than 30.
            queue.place(10);
            expect(
                queue.cq->Dispatch->NdkResizeCq(queue.cq, kDepths[round], Call::done, &calls[round]) == STATUS_PENDING,
                "it pends");
            for (int i = 0; i < 20; ++i) {
                queue.place(1);
                queue.host.compute(100ns);
                if (i % 4 == 0) {
                    (void)queue.poll(3);
                }
            }
            while (queue.polled < queue.placed) {
                (void)queue.poll(64);
            }
            calls[round].event.wait("the resize");
            expect(calls[round].status == STATUS_SUCCESS && calls[round].callbacks == 1, "once, with success");
        }
        expect(queue.callbacks.empty(), "armed for errors only");
        queue.place_and_wait(100);
        expect(queue.poll(64) == 64 && queue.poll(64) == 36, "the last depth is 128");
    });
}

TEST_CASE("cq: resizes may follow each other at once", "[K169]") {
    run_queue(16, [](Queue& queue) {
        queue.place_and_wait(10);
        Call first(queue.host);
        Call second(queue.host);
        queue.arm();  // met at once, by what is there
        expect(queue.cq->Dispatch->NdkResizeCq(queue.cq, 64, Call::done, &first) == STATUS_PENDING, "first");
        expect(queue.cq->Dispatch->NdkResizeCq(queue.cq, 128, Call::done, &second) == STATUS_PENDING, "second");
        second.event.wait("both");
        queue.place_and_wait(100);  // 110 entries, in three rings
        expect(queue.poll(64) == 64 && queue.poll(64) == 46, "all are there, in their order");
        expect(queue.callbacks.size() == 1, "one arm");
    });
}

TEST_CASE("cq: an arm survives a resize", "[K169]") {
    run_queue(16, [](Queue& queue) {
        queue.arm();
        expect(queue.resize(32) == STATUS_SUCCESS, "it grows");
        expect(queue.callbacks.empty(), "nothing has come");
        queue.place_and_wait(1);
        expect(queue.callbacks.size() == 1, "now it has");
    });
}

}  // namespace ndsim::test::ndk_cq_changes_test
