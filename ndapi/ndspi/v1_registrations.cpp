// SPDX-License-Identifier: Apache-2.0
#include "ndapi/ndspi/v1_registrations.hpp"

#include "ndapi/core/blocking.hpp"

namespace ndsim::nd {

void Registrations::add(std::byte* data, std::uint64_t length, OVERLAPPED& overlapped, ND_MR_HANDLE* handle) {
    auto& mr = make<core::Mr>(adapter_->driver, adapter_->pd);
    const OverlappedCalls::Id request = requests_.begin(overlapped);
    mr.register_memory(data, length, kLocalWrite, [self = shared_from_this(), &mr, request, handle](NTSTATUS) {
        self->registered(mr, request, handle);
    });
}

// The program never learns the handle of a cancelled registration.
void Registrations::registered(core::Mr& mr, OverlappedCalls::Id request, ND_MR_HANDLE* handle) {
    if (!requests_.is_pending(request)) {
        let_go(mr);
        return;
    }
    *handle = reinterpret_cast<ND_MR_HANDLE>(std::uintptr_t{raw(mr.key())});
    registered_.emplace(*handle, &mr);
    requests_.finish(request, ND_SUCCESS);
}

HRESULT Registrations::remove(ND_MR_HANDLE handle, OVERLAPPED& overlapped) {
    core::catch_up(adapter_->driver);
    const auto found = registered_.find(handle);
    if (found == registered_.end()) {
        return ND_INVALID_HANDLE;
    }
    core::Mr& mr = *found->second;
    if (mr.has_windows()) {
        return ND_DEVICE_BUSY;
    }
    registered_.erase(found);
    const OverlappedCalls::Id request = requests_.begin(overlapped);
    mr.deregister([self = shared_from_this(), &mr, request](NTSTATUS status) {
        self->requests_.finish(request, status);
        self->let_go(mr);
    });
    return ND_PENDING;
}

core::Mr* Registrations::find(ND_MR_HANDLE handle) const {
    const auto found = registered_.find(handle);
    return found == registered_.end() ? nullptr : found->second;
}

// A program that releases an adapter may free the registered memory next, so the NIC must have let it go by then.
void Registrations::leave() {
    requests_.cancel();
    for (const auto& [handle, mr] : std::exchange(registered_, {})) {
        if (!mr->has_windows() && !adapter_->process.lifetime().has_ended()) {
            core::wait_for(adapter_->driver, "the NIC to deregister memory", [mr = mr](const auto& done) {
                mr->deregister(done);
                return STATUS_PENDING;
            });
        }
        let_go(*mr);
    }
}

void Registrations::let_go(core::Mr& mr) {
    mr.close([self = shared_from_this(), &mr](const std::function<void()>& antecedents) {
        antecedents();
        core::Driver& driver = self->adapter_->driver;
        driver.callbacks().defer(driver.now(), [self, &mr] { self->adapter_->driver.drop(&mr); });
    });
}

}  // namespace ndsim::nd
