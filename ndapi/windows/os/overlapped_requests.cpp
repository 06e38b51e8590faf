// SPDX-License-Identifier: Apache-2.0
#include "ndapi/windows/os/overlapped_requests.hpp"

#include <utility>

#include "ndapi/windows/abi/constants.h"
#include "ndapi/windows/abi/ntstatus.h"
#include "ndapi/windows/os/waits.hpp"

namespace ndsim::os {

namespace {

constexpr ULONG_PTR kNoPacket = 1;  // in OVERLAPPED::hEvent (B14)

HANDLE event_of(const OVERLAPPED& overlapped) {
    return reinterpret_cast<HANDLE>(reinterpret_cast<ULONG_PTR>(overlapped.hEvent) & ~kNoPacket);
}

bool is_pending(const OVERLAPPED& overlapped) {
    return static_cast<NTSTATUS>(overlapped.Internal) == STATUS_PENDING;
}

}  // namespace

class OverlappedRequests::Result final : public Waitable {
public:
    explicit Result(const OVERLAPPED& overlapped) : overlapped_(overlapped) {}
    [[nodiscard]] bool is_ready(const Core& /*by*/) const override { return !is_pending(overlapped_); }
    [[nodiscard]] bool is_of(const OVERLAPPED& overlapped) const { return &overlapped == &overlapped_; }
    void completed(core::Driver& driver) const { wake(driver); }

private:
    const OVERLAPPED& overlapped_;
};

OverlappedRequests::Told OverlappedRequests::begin(OVERLAPPED& overlapped) const {
    overlapped.Internal = static_cast<ULONG>(STATUS_PENDING);
    overlapped.InternalHigh = 0;
    auto event = handles_.find<Event>(event_of(overlapped));
    if (event != nullptr) {
        event->reset();
    }
    return {std::move(event), (reinterpret_cast<ULONG_PTR>(overlapped.hEvent) & kNoPacket) == 0};
}

// The status goes last but for those who are told: a thread may look at it at any time. Nothing is touched once the
// program has ended.
void OverlappedRequests::complete(OVERLAPPED& overlapped, NTSTATUS status, const Told& told, const File* file) const {
    if (lifetime_.has_ended()) {
        return;
    }
    driver_.core().sync();
    overlapped.Internal = static_cast<ULONG>(status);
    for (const Result* const result : results_) {
        if (result->is_of(overlapped)) {
            result->completed(driver_);
        }
    }
    if (told.event != nullptr) {
        told.event->set();
    }
    if (told.by_packet && file != nullptr) {
        file->completed(overlapped, status);
    }
    driver_.spinners().changed(driver_.now(), driver_.core().clock());
}

NTSTATUS OverlappedRequests::result_of(const OVERLAPPED& overlapped, bool wait) {
    driver_.core().sync();
    if (!wait && is_pending(overlapped)) {
        look_in_vain(driver_, &overlapped);
        return STATUS_PENDING;
    }
    if (is_pending(overlapped)) {
        Result result(overlapped);
        results_.push_back(&result);
        Waitable* const object = &result;
        (void)wait_for_any(driver_, {&object, 1}, INFINITE, "an overlapped request");
        std::erase(results_, &result);
    }
    return static_cast<NTSTATUS>(overlapped.Internal);
}

}  // namespace ndsim::os
