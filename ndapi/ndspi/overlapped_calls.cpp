// SPDX-License-Identifier: Apache-2.0
#include "ndapi/ndspi/overlapped_calls.hpp"

#include <algorithm>
#include <utility>

#include "ndapi/core/blocking.hpp"

namespace ndsim::nd {

OverlappedCalls::Id OverlappedCalls::begin(OVERLAPPED& overlapped) {
    const Id id{next_++};
    requests_.push_back({id, &overlapped, process_.overlapped().begin(overlapped)});
    return id;
}

bool OverlappedCalls::is_pending(Id id) const {
    return std::ranges::find(requests_, id, &Request::id) != requests_.end();
}

void OverlappedCalls::finish(Id id, HRESULT status) {
    const auto found = std::ranges::find(requests_, id, &Request::id);
    if (found != requests_.end()) {
        const Request request = std::move(*found);
        requests_.erase(found);  // first: once ended, a request may start again with the same memory
        process_.overlapped().complete(*request.overlapped, status, request.told, file_.get());
    }
}

void OverlappedCalls::forget(Id id, HRESULT status) {
    const auto found = std::ranges::find(requests_, id, &Request::id);
    found->overlapped->Internal = static_cast<ULONG>(status);
    requests_.erase(found);
}

// A core may be ahead of the simulation: events up to its time still complete requests.
void OverlappedCalls::cancel() {
    core::catch_up(process_.driver());
    for (const Request& request : std::exchange(requests_, {})) {
        process_.overlapped().complete(*request.overlapped, ND_CANCELED, request.told, file_.get());
    }
}

}  // namespace ndsim::nd
