// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>

#include "ndapi/ndk/host_program.h"

namespace ndsim::test {

// Programs run in a child process; what they find wrong comes back as the reason why the run broke off.
inline void expect(bool holds, const std::string& what) {
    if (!holds) {
        throw std::runtime_error("not so: " + what);
    }
}

// A call that may pend, and its outcome.
struct Call {
    explicit Call(HostContext& host) : event(host) {}

    HostEvent event;
    int callbacks = 0;
    NTSTATUS status = STATUS_PENDING;
    NDK_OBJECT_HEADER* object = nullptr;

    static void created(PVOID context, NTSTATUS status, NDK_OBJECT_HEADER* object) {
        static_cast<Call*>(context)->object = object;
        done(context, status);
    }
    static void done(PVOID context, NTSTATUS status) {
        auto& call = *static_cast<Call*>(context);
        ++call.callbacks;
        call.status = status;
        call.event.signal();
    }
    static void closed(PVOID context) { done(context, STATUS_SUCCESS); }
    NTSTATUS wait(NTSTATUS returned) {
        if (returned != STATUS_PENDING) {
            return returned;
        }
        event.wait("a call to complete");
        return status;
    }
};

}  // namespace ndsim::test
