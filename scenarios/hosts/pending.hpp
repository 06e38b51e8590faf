// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "ndapi/ndk/host_program.h"

namespace ndsim {

// The outcome of a pending call, and the event that reports it.
struct Pending {
    explicit Pending(HostContext& host) : event(host) {}

    HostEvent event;
    NTSTATUS status = STATUS_PENDING;
    NDK_OBJECT_HEADER* object = nullptr;

    static void created(PVOID context, NTSTATUS status, NDK_OBJECT_HEADER* object) {
        auto& pending = *static_cast<Pending*>(context);
        pending.object = object;
        done(context, status);
    }
    static void done(PVOID context, NTSTATUS status) {
        auto& pending = *static_cast<Pending*>(context);
        pending.status = status;
        pending.event.signal();
    }
    // Waits if the call has returned that it is pending; returns the outcome.
    NTSTATUS outcome(NTSTATUS returned, std::string_view what) {
        if (returned != STATUS_PENDING) {
            return returned;
        }
        event.wait(what);
        return status;
    }
};

// A requested object: the call has put it into `object`, or the callback brings it.
template <class Ndk, class Create>
[[nodiscard]] NTSTATUS obtain(HostContext& host, std::string_view what, Ndk*& object, const Create& create) {
    Pending pending(host);
    const NTSTATUS returned = create(pending, &object);
    const NTSTATUS status = pending.outcome(returned, what);
    if (returned == STATUS_PENDING && status == STATUS_SUCCESS) {
        object = reinterpret_cast<Ndk*>(pending.object);
    }
    return status;
}

}  // namespace ndsim
