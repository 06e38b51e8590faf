// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <functional>

#include "tests/ndapi/ndk/ndk_calls.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/child.hpp"

// Completion queues through NDKPI. A queue pair that has been flushed completes each receive at once, as cancelled: so
// one host places entries when it likes.
namespace ndsim::test {

inline constexpr Picoseconds kLong = std::chrono::microseconds{50};  // enough for every way through the NIC

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
inline void run_queue(ULONG depth, const std::function<void(Queue&)>& program,
                      const std::vector<std::string>& overrides = {}, bool errors = false) {
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

inline void fill_completely(Queue& queue, ULONG depth) {
    queue.place_and_wait(static_cast<int>(depth));
}

}  // namespace ndsim::test
