// SPDX-License-Identifier: Apache-2.0
// The pool's threads take what there is to do from a port: calls, with no key, and completions, whose key is the
// routine. Nothing else of the host runs between two calls of its ProgramHost, so the counts need no protection.
#include "ndapi/windows/program/pool.hpp"

#include "ndapi/windows/abi/constants.h"
#include "ndapi/windows/abi/pool.h"
#include "ndapi/windows/abi/ports.h"
#include "ndapi/windows/program/instance.hpp"

namespace ndsim {
namespace {

struct Call {
    void (*function)(void*);
    void* argument;
};

void handle(const PortPacket& packet) {
    if (packet.key != 0) {
        reinterpret_cast<LPOVERLAPPED_COMPLETION_ROUTINE>(packet.key)(static_cast<DWORD>(packet.status), packet.bytes,
                                                                      packet.overlapped);
        return;
    }
    auto* const found = reinterpret_cast<Call*>(packet.overlapped);
    const Call call = *found;
    delete found;
    --instance().pool.queued;
    call.function(call.argument);
}

DWORD work(void*) {
    Pool& pool = instance().pool;
    PortPacket packet;
    for (;;) {
        ++pool.idle;
        const Win32Error error = host().dequeue(pool.port, packet, INFINITE);
        --pool.idle;
        if (error != ERROR_SUCCESS) {
            --pool.threads;
            return 0;
        }
        handle(packet);
    }
}

bool add_thread() {
    Pool& pool = instance().pool;
    ++pool.threads;
    HANDLE thread = host().create_thread(work, nullptr, nullptr);
    if (thread == nullptr) {
        --pool.threads;
        return false;
    }
    host().close_handle(thread);
    return true;
}

HANDLE port() {
    Pool& pool = instance().pool;
    if (pool.port == nullptr) {
        pool.port = host().create_port(INVALID_HANDLE_VALUE, nullptr, 0);
    }
    return pool.port;
}

struct WorkItem {
    LPTHREAD_START_ROUTINE function;
    PVOID context;
};

void run_work_item(void* argument) {
    const WorkItem item = *static_cast<WorkItem*>(argument);
    delete static_cast<WorkItem*>(argument);
    item.function(item.context);
}

}  // namespace

bool run_in_pool(void (*function)(void*), void* argument) {
    Pool& pool = instance().pool;
    auto* const call = new Call{function, argument};
    ++pool.queued;
    host().post(port(), {0, 0, reinterpret_cast<OVERLAPPED*>(call), STATUS_SUCCESS});
    if (pool.queued <= pool.idle || add_thread() || pool.threads > 0) {
        return true;
    }
    PortPacket packet;
    (void)host().dequeue(pool.port, packet, 0);
    --pool.queued;
    delete call;
    return false;
}

}  // namespace ndsim

using ndsim::host;

BOOL QueueUserWorkItem(LPTHREAD_START_ROUTINE function, PVOID context, ULONG) {
    auto* const item = new ndsim::WorkItem{function, context};
    if (ndsim::run_in_pool(ndsim::run_work_item, item)) {
        return TRUE;
    }
    delete item;
    return FALSE;
}

// One thread more, so that completions are not behind calls that take long.
BOOL BindIoCompletionCallback(HANDLE file, LPOVERLAPPED_COMPLETION_ROUTINE routine, ULONG) {
    HANDLE const port = ndsim::port();
    if (!ndsim::add_thread() && ndsim::instance().pool.threads == 0) {
        return FALSE;
    }
    return CreateIoCompletionPort(file, port, reinterpret_cast<ULONG_PTR>(routine), 0) == nullptr ? FALSE : TRUE;
}
