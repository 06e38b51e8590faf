// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>

#include "ndapi/core/mr.hpp"
#include "ndapi/ndspi/com.hpp"
#include "ndapi/ndspi/overlapped_calls.hpp"

namespace ndsim::nd {

// Registrations: the memory registered with an adapter of version 1, by handle. A handle is the number of the region's
// key, so none is used twice. This outlives the adapter while the NIC works on a registration.
class Registrations final : public std::enable_shared_from_this<Registrations> {
public:
    Registrations(AdapterPtr adapter, std::shared_ptr<os::File> file)
        : adapter_(std::move(adapter)), requests_(adapter_->process, std::move(file)) {}

    [[nodiscard]] OverlappedCalls& requests() { return requests_; }
    // For the adapter's own access; peers need windows. The handle is valid when the request ends (R122).
    void add(std::byte* data, std::uint64_t length, OVERLAPPED& overlapped, ND_MR_HANDLE* handle);
    // ND_PENDING, ND_INVALID_HANDLE, or ND_DEVICE_BUSY while windows are bound to it (R116).
    [[nodiscard]] HRESULT remove(ND_MR_HANDLE handle, OVERLAPPED& overlapped);
    // nullptr if there is no such registration, or no longer.
    [[nodiscard]] core::Mr* find(ND_MR_HANDLE handle) const;
    // Ends all registrations and pending requests.
    void leave();

private:
    void registered(core::Mr& mr, OverlappedCalls::Id request, ND_MR_HANDLE* handle);
    void let_go(core::Mr& mr);

    const AdapterPtr adapter_;
    OverlappedCalls requests_;
    std::map<ND_MR_HANDLE, core::Mr*> registered_;
};

}  // namespace ndsim::nd
