// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

#include "ndapi/core/driver.hpp"
#include "ndapi/windows/abi/program_host.h"
#include "ndapi/wsd/wsp.h"

namespace ndsim {

// How a switch drives its provider, and its deliberate faults.
struct WsdSettings {
    // With fewer, credits for messages of nothing but credits would go to and fro for ever, or never come.
    static constexpr std::uint32_t kFewestBuffers = 4;

    bool polls = true;                              // it polls for the ends of operations, otherwise it is told
    std::uint32_t buffers = 12;                     // for messages, each way; kFewestBuffers at least
    std::optional<std::uint32_t> threshold{};       // blocks up to this go in messages; none: as the provider prefers
    bool ignores_credits = false;                   // fault: it sends even without a receive
    std::uint32_t posts_late_ms = 0;                // fault: the accepting side posts its receives this much later
    std::function<void(std::string_view)> trace{};  // each step, as it is taken
};

// The state shared by the parts of a switch.
struct WsdContext {
    ProgramHost& os;
    core::Driver& driver;
    wsd::Wsp& provider;
    const WsdSettings settings;
    const HANDLE done;  // an event: an operation has ended, if the switch is told of it

    void step(std::string_view what) const {
        if (settings.trace) {
            settings.trace(what);
        }
    }
    // A fresh structure for an operation.
    [[nodiscard]] OVERLAPPED overlapped() const {
        OVERLAPPED fresh{};
        fresh.hEvent = reinterpret_cast<HANDLE>(reinterpret_cast<ULONG_PTR>(done) | (settings.polls ? 1 : 0));
        return fresh;
    }
    // The result of an operation of a socket.
    [[nodiscard]] int outcome(SOCKET socket, OVERLAPPED& overlapped, DWORD& bytes) const {
        DWORD flags = 0;
        int code = 0;
        const BOOL good = provider.WSPGetOverlappedResult(socket, &overlapped, &bytes, FALSE, &flags, &code);
        return good != FALSE ? 0 : code;
    }
};

[[nodiscard]] inline bool is_pending(const OVERLAPPED& overlapped) {
    return overlapped.Internal == WSS_OPERATION_IN_PROGRESS;
}

}  // namespace ndsim
