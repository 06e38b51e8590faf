// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <catch2/catch.hpp>
#include <functional>
#include <vector>

#include "tests/scenarios/engine/child.hpp"
#include "tests/scenarios/engine/ndk_calls.hpp"

// Completion queues through NDKPI. A queue pair that has been flushed completes each receive at once, as cancelled: so
// one host places entries when it likes.

using namespace ndsim;
using namespace ndsim::test;
using namespace std::chrono_literals;

namespace {

constexpr Picoseconds kLong = 50us;  // enough for every way through the NIC

// A CQ and a flushed QP that completes into it.
struct Queue {
    Queue(HostContext& context, ULONG depth) : host(context) {
        expect(host.open_adapter({1, 2}, &adapter) == STATUS_SUCCESS, "the adapter opens");
        expect(adapter->Dispatch->NdkCreatePd(adapter, nullptr, nullptr, &pd) == STATUS_SUCCESS, "a PD is created");
        Call cq_call(host);
        expect(cq_call.wait(adapter->Dispatch->NdkCreateCq(adapter, depth, notified, this, nullptr, Call::created,
                                                           &cq_call, nullptr)) == STATUS_SUCCESS,
               "a CQ is created");
        cq = reinterpret_cast<NDK_CQ*>(cq_call.object);
        Call qp_call(host);
        expect(qp_call.wait(pd->Dispatch->NdkCreateQp(pd, cq, cq, this, 512, 2, 1, 1, 0, Call::created, &qp_call,
                                                      nullptr)) == STATUS_SUCCESS,
               "a QP is created");
        qp = reinterpret_cast<NDK_QP*>(qp_call.object);
        qp->Dispatch->NdkFlush(qp);
        host.sleep(kLong);
    }
    static void notified(PVOID context, NTSTATUS status) {
        auto& queue = *static_cast<Queue*>(context);
        expect(!queue.inside, "callbacks do not overlap (K71)");
        queue.inside = true;
        queue.callbacks.push_back(status);
        if (queue.on_callback) {
            queue.on_callback();
        }
        queue.inside = false;
    }
    void place(int count) {
        for (; count > 0; --count) {
            expect(qp->Dispatch->NdkReceive(qp, reinterpret_cast<PVOID>(++placed), nullptr, 0) == STATUS_SUCCESS,
                   "a receive is posted");
        }
    }
    void place_and_wait(int count) {
        place(count);
        host.sleep(kLong);
    }
    void arm(ULONG type = NDK_CQ_NOTIFY_ANY) { cq->Dispatch->NdkArmCq(cq, type); }
    // Takes up to `wanted` results; they must come in the order in which they were placed, none left out.
    ULONG poll(ULONG wanted) {
        std::array<NDK_RESULT, 64> results{};
        const ULONG count = cq->Dispatch->NdkGetCqResults(cq, results.data(), wanted);
        for (ULONG i = 0; i < count; ++i) {
            ++polled;
            expect(results[i].RequestContext == reinterpret_cast<PVOID>(polled), "results come in their order");
        }
        return count;
    }
    NTSTATUS resize(ULONG depth) {
        Call call(host);
        return call.wait(cq->Dispatch->NdkResizeCq(cq, depth, Call::done, &call));
    }
    NTSTATUS moderate(ULONG interval, ULONG count) {
        return cq->Dispatch->NdkControlCqInterruptModeration(cq, interval, count);
    }

    HostContext& host;
    NDK_ADAPTER* adapter = nullptr;
    NDK_PD* pd = nullptr;
    NDK_CQ* cq = nullptr;
    NDK_QP* qp = nullptr;
    std::uintptr_t placed = 0;
    std::uintptr_t polled = 0;
    std::vector<NTSTATUS> callbacks;
    std::function<void()> on_callback;
    bool inside = false;
};

// Runs a program on a queue of this depth. It may have done this many things that the interface's rules forbid, or
// more.
void run_queue(ULONG depth, const std::function<void(Queue&)>& program, const std::vector<std::string>& overrides = {},
               bool errors = false) {
    RunOptions options;
    options.programs = {{"A",
                         [&](HostContext& host) {
                             Queue queue(host, depth);
                             program(queue);
                         }},
                        {"B", [](HostContext&) {}}};
    const ChildResult run = run_text(R"({"hosts": {"A": {}, "B": {}}})", overrides, options);
    INFO(run.why);
    REQUIRE(run.ended);
    CHECK(run.outcome == RunOutcome::finished);
    CHECK((run.metric("programs.A.consumer_errors") > 0) == errors);
}

void fill_completely(Queue& queue, ULONG depth) {
    queue.place_and_wait(static_cast<int>(depth));
}

}  // namespace

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
                for (int i = 0; i < 8 && queue.polled < 2; ++i) {
                    (void)queue.poll(1);  // one that finds nothing lasts until there is something
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

TEST_CASE("cq: exactly as many entries as its depth are no overrun, one more is", "[K79][K163][K164][K165]") {
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
TEST_CASE("cq: polls that the NIC has not heard of count", "[K163][K165]") {
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

TEST_CASE("cq: an overrun is told without delay", "[K95]") {
    run_queue(4, [](Queue& queue) {
        expect(queue.moderate(1'000'000, MAXULONG) == STATUS_SUCCESS, "a second");
        queue.host.sleep(kLong);
        queue.arm();
        queue.place_and_wait(5);
        expect(queue.callbacks == std::vector<NTSTATUS>{STATUS_BUFFER_OVERFLOW}, "within 50 us");
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
