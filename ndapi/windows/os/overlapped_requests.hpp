// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "ndapi/windows/os/handles.hpp"
#include "ndapi/windows/os/lifetime.hpp"

namespace ndsim::os {

// OverlappedRequests: how a program learns the ends of its overlapped requests: by the structure, its event, a file's
// port, or a thread that waits for the result.
class OverlappedRequests {
public:
    OverlappedRequests(core::Driver& driver, const Handles& handles, const Lifetime& lifetime)
        : driver_(driver), handles_(handles), lifetime_(lifetime) {}

    // How a request is to be told of, as its structure says at the call. As on Windows, a request keeps its event until
    // it ends, even if the program closes the handle.
    struct Told {
        std::shared_ptr<Event> event;  // if it has one
        bool by_packet = true;         // to the port of its file
    };
    // A request is accepted.
    [[nodiscard]] Told begin(OVERLAPPED& overlapped) const;
    // It has ended.
    void complete(OVERLAPPED& overlapped, NTSTATUS status, const Told& told, const File* file) const;
    // How it has ended, or STATUS_PENDING unless that is waited for.
    [[nodiscard]] NTSTATUS result_of(const OVERLAPPED& overlapped, bool wait);

private:
    class Result;

    core::Driver& driver_;
    const Handles& handles_;
    const Lifetime& lifetime_;
    std::vector<Result*> results_;  // that somebody waits for
};

}  // namespace ndsim::os
