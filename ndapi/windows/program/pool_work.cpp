// SPDX-License-Identifier: Apache-2.0
// Work that is submitted to the pool again and again, and timers that call functions.

#include "ndapi/windows/abi/constants.h"
#include "ndapi/windows/abi/pool.h"
#include "ndapi/windows/program/instance.hpp"
#include "ndapi/windows/program/pool.hpp"
#include "ndapi/windows/program/thread_waits.hpp"

using ndsim::host;

struct _TP_WORK {
    PTP_WORK_CALLBACK callback;
    PVOID context;
    DWORD queued;     // not begun
    DWORD cancelled;  // of these, the first
    DWORD pending;    // not ended; threads wait at the work for it to be 0
    bool closed;
};

namespace {

constexpr std::uint64_t kNanosecondsPerMillisecond = 1'000'000;

void run_work(void* argument) {
    auto* const work = static_cast<PTP_WORK>(argument);
    --work->queued;
    if (work->cancelled > 0) {
        --work->cancelled;
    } else {
        work->callback(nullptr, work->context, work);
    }
    if (--work->pending > 0) {
        return;
    }
    if (work->closed) {
        delete work;
    } else {
        ndsim::wake_all_at(work);
    }
}

struct SimpleCall {
    PTP_SIMPLE_CALLBACK callback;
    PVOID context;
};

void run_simple(void* argument) {
    const SimpleCall call = *static_cast<SimpleCall*>(argument);
    delete static_cast<SimpleCall*>(argument);
    call.callback(nullptr, call.context);
}

struct QueueTimer {
    WAITORTIMERCALLBACK function;
    PVOID context;
    HANDLE timer;
    HANDLE stop;
    HANDLE thread;
    bool repeats;
    bool calls = false;           // the function is under way
    bool has_ended = false;       // nothing will be called
    bool is_deleted = false;      // and nobody waits for the end
    HANDLE completion = nullptr;  // an event for the end of one that is deleted; may be null
};

void destroy(QueueTimer* timer) {
    if (timer->completion != nullptr) {
        host().set_event(timer->completion);
    }
    for (HANDLE each : {timer->timer, timer->stop, timer->thread}) {
        host().close_handle(each);
    }
    delete timer;
}

DWORD run_timer(void* argument) {
    auto* const of = static_cast<QueueTimer*>(argument);
    const HANDLE both[] = {of->stop, of->timer};
    while (host().wait(static_cast<const HANDLE*>(both), 2, false, INFINITE) == WAIT_OBJECT_0 + 1) {
        of->calls = true;
        of->function(of->context, TRUE);
        of->calls = false;
        if (!of->repeats) {
            break;
        }
    }
    of->has_ended = true;
    if (of->is_deleted) {
        destroy(of);
    }
    return 0;
}

}  // namespace

BOOL TrySubmitThreadpoolCallback(PTP_SIMPLE_CALLBACK callback, PVOID context, PTP_CALLBACK_ENVIRON) {
    auto* const call = new SimpleCall{callback, context};
    if (ndsim::run_in_pool(run_simple, call)) {
        return TRUE;
    }
    delete call;
    return FALSE;
}
PTP_WORK CreateThreadpoolWork(PTP_WORK_CALLBACK callback, PVOID context, PTP_CALLBACK_ENVIRON) {
    return new _TP_WORK{callback, context, 0, 0, 0, false};
}
void SubmitThreadpoolWork(PTP_WORK work) {
    ++work->queued;
    ++work->pending;
    if (!ndsim::run_in_pool(run_work, work)) {
        run_work(work);  // there is no core for a thread, and the call cannot be refused
    }
}
void WaitForThreadpoolWorkCallbacks(PTP_WORK work, BOOL cancel) {
    if (cancel != FALSE) {
        work->cancelled = work->queued;
    }
    if (work->pending > 0) {
        (void)ndsim::wait_at(work);  // who wakes it may close the work at once
    }
}
void CloseThreadpoolWork(PTP_WORK work) {
    work->closed = true;
    if (work->pending == 0) {
        delete work;
    }
}

BOOL CreateTimerQueueTimer(PHANDLE timer, HANDLE, WAITORTIMERCALLBACK function, PVOID context, DWORD due, DWORD period,
                           ULONG) {
    auto* const made = new QueueTimer{
        function, context, host().create_timer(false), host().create_event(true, false), nullptr, period != 0};
    host().set_timer(made->timer, due * kNanosecondsPerMillisecond, period);
    made->thread = host().create_thread(run_timer, made, nullptr);
    *timer = made;
    if (made->thread == nullptr) {
        host().close_handle(made->timer);
        host().close_handle(made->stop);
        delete made;
        return FALSE;
    }
    return TRUE;
}
// Only INVALID_HANDLE_VALUE waits for a call that is under way; otherwise it may be that call which deletes its timer.
BOOL DeleteTimerQueueTimer(HANDLE, HANDLE timer, HANDLE completion) {
    auto* const of = static_cast<QueueTimer*>(timer);
    const bool waits = completion == INVALID_HANDLE_VALUE;
    host().cancel_timer(of->timer);
    host().set_event(of->stop);
    if (waits) {
        (void)host().wait(&of->thread, 1, false, INFINITE);
    } else {
        of->completion = completion;
    }
    const bool calls = of->calls;
    of->is_deleted = true;
    if (of->has_ended) {
        destroy(of);
    }
    return calls ? ndsim::succeeded(ERROR_IO_PENDING) : TRUE;
}
