// SPDX-License-Identifier: Apache-2.0
#include "ndapi/ndspi/v1_adapter.hpp"

#include "ndapi/core/adapter_limits.hpp"
#include "ndapi/ndspi/adapter_ids.hpp"
#include "ndapi/ndspi/v1_completion_queue.hpp"
#include "ndapi/ndspi/v1_connections.hpp"
#include "ndapi/ndspi/v1_memory_window.hpp"
#include "ndapi/windows/abi/byteorder.h"

namespace ndsim::nd {

Adapter1::Adapter1(const AdapterPtr& adapter)
    : Face(adapter, {IID_INDAdapter, IID_INDOverlapped}),
      shared_(adapter, *this),
      handle_(adapter->process.handles().add(shared_.file())) {}

void Adapter1::leave() {
    shared_.registrations().leave();
    process().handles().close(handle_);
    forget();
}

HRESULT Adapter1::CancelOverlappedRequests() {
    shared_.registrations().requests().cancel();
    return ND_SUCCESS;
}

HRESULT Adapter1::GetOverlappedResult(OVERLAPPED* overlapped, SIZE_T* bytes, BOOL wait) {
    return result_of(shared_.registrations().requests(), *overlapped, bytes, wait);
}

// Without a size the caller's structure has the size of its type.
HRESULT Adapter1::Query(DWORD version, ND_ADAPTER_INFO* info, SIZE_T* length) {
    if (version != ND_VERSION_1) {
        return ND_NOT_SUPPORTED;
    }
    SIZE_T room = length != nullptr ? *length : sizeof(ND_ADAPTER_INFO);
    room = info != nullptr ? room : 0;
    if (length != nullptr) {
        *length = sizeof(ND_ADAPTER_INFO);
    }
    if (room < sizeof(ND_ADAPTER_INFO)) {
        return ND_BUFFER_OVERFLOW;
    }
    const core::AdapterLimits limits = core::limits_of(driver());
    *info = {kVendorId,
             kDeviceId,
             limits.receive_sges,
             limits.receive_depth,
             limits.transfer_length,
             limits.initiator_sges,
             limits.initiator_depth,
             limits.transfer_length,
             limits.inline_bytes,
             limits.inbound_reads,
             limits.outbound_reads,
             limits.cq_depth,
             limits.registration_size,
             limits.window_size,
             limits.large_request,
             limits.caller_data,
             limits.callee_data};
    return ND_SUCCESS;
}

HRESULT Adapter1::Control(DWORD, const VOID*, SIZE_T, VOID*, SIZE_T, SIZE_T*, OVERLAPPED*) {
    return ND_NOT_SUPPORTED;
}

HRESULT Adapter1::CreateCompletionQueue(SIZE_T depth, INDCompletionQueue** out) {
    if (depth == 0 || depth > core::kMaxCqDepth) {
        return ND_INVALID_PARAMETER;  // R17
    }
    auto& cq = make<CompletionQueue1>(driver(), shared_, rounded_cq_depth(driver(), depth, Rounding::exact));
    create_in_nic(driver(), cq);
    *out = &cq;
    return ND_SUCCESS;
}

// Invalid memory is recognised by its address and size alone.
HRESULT Adapter1::RegisterMemory(const VOID* buffer, SIZE_T length, OVERLAPPED* overlapped, ND_MR_HANDLE* handle) {
    if (handle == nullptr) {
        return ND_INVALID_PARAMETER_4;
    }
    if (buffer == nullptr || length == 0) {
        return ND_ACCESS_VIOLATION;
    }
    if (length > core::limits_of(driver()).registration_size) {
        return ND_INVALID_PARAMETER;
    }
    auto* const data = static_cast<std::byte*>(const_cast<VOID*>(buffer));  // NOLINT: devices may write to it
    shared_.registrations().add(data, length, *overlapped, handle);
    return ND_PENDING;
}

HRESULT Adapter1::DeregisterMemory(ND_MR_HANDLE handle, OVERLAPPED* overlapped) {
    return shared_.registrations().remove(handle, *overlapped);
}

HRESULT Adapter1::CreateMemoryWindow(ND_RESULT* invalidated, INDMemoryWindow** out) {
    auto& window = make<MemoryWindow1>(driver(), shared_, invalidated);
    create_in_nic(driver(), window);
    *out = &window;
    return ND_SUCCESS;
}

HRESULT Adapter1::CreateConnector(INDConnector** out) {
    *out = &make<Connector1>(driver(), shared_);
    return ND_SUCCESS;
}

HRESULT Adapter1::Listen(SIZE_T backlog, INT protocol, USHORT port, USHORT* assigned, INDListen** out) {
    if (!is_protocol(protocol)) {
        return ND_INVALID_PARAMETER_2;
    }
    if (port == 0 && assigned == nullptr) {
        return ND_INVALID_PARAMETER_MIX;  // R138
    }
    auto& listens = make<Listen1>(driver(), shared_);
    const HRESULT status = listens.begin(backlog, ntohs(port));
    if (status != ND_SUCCESS) {
        listens.Release();
        return status;
    }
    if (assigned != nullptr) {
        *assigned = htons(listens.port());
    }
    *out = &listens;
    return ND_SUCCESS;
}

}  // namespace ndsim::nd
