// SPDX-License-Identifier: Apache-2.0
#include "ndapi/ndspi/v2_memory.hpp"

#include "ndapi/core/adapter_limits.hpp"
#include "ndapi/core/blocking.hpp"
#include "ndapi/windows/abi/byteorder.h"

namespace ndsim::nd {

namespace {

std::uint8_t access_of(ULONG flags) {
    constexpr ULONG kRemoteWriteBit = ND_MR_FLAG_ALLOW_REMOTE_WRITE & ~ND_MR_FLAG_ALLOW_LOCAL_WRITE;
    std::uint8_t access = kLocalRead;
    access |= (flags & ND_MR_FLAG_ALLOW_LOCAL_WRITE) != 0 ? kLocalWrite : 0;
    access |= (flags & ND_MR_FLAG_ALLOW_REMOTE_READ) != 0 ? kRemoteRead : 0;
    access |= (flags & kRemoteWriteBit) != 0 ? kRemoteWrite : 0;
    return access;
}

// The code for invalid memory (R118): one in the documents, two of InfiniBand's providers.
HRESULT no_memory(StatusProfile profile, const VOID* buffer) {
    if (profile == StatusProfile::documented) {
        return ND_ACCESS_VIOLATION;
    }
    return buffer == nullptr ? ND_INVALID_PARAMETER : ND_INVALID_BUFFER_SIZE;
}

}  // namespace

MemoryRegion2::MemoryRegion2(const AdapterPtr& adapter, std::shared_ptr<os::File> file)
    : Overlapped2(adapter, std::move(file), IID_IND2MemoryRegion), core_(adapter->pd) {}

// A program that releases a registered region may free its memory next, so the NIC must have let it go by then.
void MemoryRegion2::leave() {
    requests().cancel();
    if (core_.registered() && !core_.has_windows() && !process().lifetime().has_ended()) {
        core::wait_for(driver(), "the NIC to deregister a region", [this](const auto& done) {
            core_.deregister(done);
            return STATUS_PENDING;
        });
    }
    close(core_);
}

HRESULT MemoryRegion2::Register(const VOID* buffer, SIZE_T length, ULONG flags, OVERLAPPED* overlapped) {
    if (buffer == nullptr || length == 0) {
        return no_memory(driver().profile(), buffer);
    }
    if (length > core::limits_of(driver()).registration_size) {
        return ND_INVALID_PARAMETER;
    }
    core::catch_up(driver());
    if (!core_.is_free()) {
        return ND_INVALID_DEVICE_STATE;
    }
    const OverlappedCalls::Id request = requests().begin(*overlapped);
    auto* const data = static_cast<std::byte*>(const_cast<VOID*>(buffer));  // NOLINT: devices may write to it
    // A cancelled request registers nothing: it is undone, and the region takes no other buffer until then.
    core_.register_memory(data, length, access_of(flags), [this, request](NTSTATUS status) {
        if (!requests().is_pending(request) && core_.registered() && !core_.has_windows()) {
            core_.deregister([](NTSTATUS) {});
        }
        requests().finish(request, status);
    });
    return ND_PENDING;
}

HRESULT MemoryRegion2::Deregister(OVERLAPPED* overlapped) {
    core::catch_up(driver());
    if (!core_.registered()) {
        return ND_INVALID_DEVICE_STATE;
    }
    if (core_.has_windows()) {
        return ND_DEVICE_BUSY;  // R116
    }
    const OverlappedCalls::Id request = requests().begin(*overlapped);
    core_.deregister([this, request](NTSTATUS status) { requests().finish(request, status); });
    return ND_PENDING;
}

// In network byte order (ndspi.md 4.6); requests pass it back unchanged.
UINT32 MemoryRegion2::GetRemoteToken() {
    return htonl(raw(core_.key()));
}

MemoryWindow2::MemoryWindow2(const AdapterPtr& adapter) : Face(adapter, {IID_IND2MemoryWindow}), core_(adapter->pd) {}

UINT32 MemoryWindow2::GetRemoteToken() {
    return htonl(raw(core_.key()));
}

}  // namespace ndsim::nd
