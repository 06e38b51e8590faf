// SPDX-License-Identifier: Apache-2.0
#include "ndapi/ndspi/v1_endpoint.hpp"

#include <algorithm>
#include <span>

#include "ndapi/ndspi/posts.hpp"
#include "ndapi/ndspi/v1_descriptor.hpp"
#include "ndapi/ndspi/v1_memory_window.hpp"

// A call first checks its arguments, in order, then the state of the endpoint (ndspi.md 5.1).
namespace ndsim::nd {

namespace {

constexpr DWORD kV1SendFlags = ND_OP_FLAG_SILENT_SUCCESS | ND_OP_FLAG_READ_FENCE | ND_OP_FLAG_SEND_AND_SOLICIT_EVENT;
constexpr DWORD kV1WriteFlags = ND_OP_FLAG_SILENT_SUCCESS | ND_OP_FLAG_READ_FENCE;

// The number of bytes that a request moves is known at its post, and counts if it succeeds (R32).
HRESULT posted(core::Driver& driver, HRESULT status, ND_RESULT& result, const core::Pieces& pieces) {
    if (status == ND_SUCCESS) {
        result.BytesTransferred = core::total_length(pieces.get());
    }
    return nd::posted(driver, status);
}

// The checks of a Read or Write behind those of its list.
HRESULT check_target(const ND_MW_DESCRIPTOR* window, DWORD flags, DWORD known) {
    if (window == nullptr) {
        return ND_INVALID_PARAMETER_4;
    }
    return (flags & ~known) != 0 ? ND_INVALID_PARAMETER_6 : ND_SUCCESS;
}

core::RequestOptions options_with(DWORD flags, bool inlined) {
    core::RequestOptions options = options_of(flags);
    options.inlined = inlined;
    return options;
}

}  // namespace

Endpoint1::Endpoint1(Shared1& owner, const std::shared_ptr<Connection>& connection, const Queues& queues,
                     const core::QpLimits& limits, const core::ReadLimits& reads)
    : Part1(owner, {IID_INDEndpoint}),
      connection_(connection),
      limits_(limits),
      reads_(reads),
      core_(owner.adapter()->pd, queues.inbound, queues.outbound, nullptr, nullptr, limits) {}

HRESULT Endpoint1::Flush() {
    core_.flush();
    return ND_SUCCESS;
}

// The first checks of posts with a list. One piece beyond the limit of requests is enough for a refusal. Key 0 belongs
// to no memory: without a valid handle, the NIC refuses the piece when it reaches it (R29, R31).
HRESULT Endpoint1::begin(core::Pieces& pieces, const ND_RESULT* result, const ND_SGE* list, SIZE_T count) const {
    const SIZE_T most = driver().params().nic.queues.max_sge;
    const auto piece_of = [this](const ND_SGE& sge) -> core::LocalPiece {
        const core::Mr* const mr = owner().registrations().find(sge.hMr);
        return {static_cast<std::byte*>(sge.pAddr), sge.Length, mr == nullptr ? MrKey{} : mr->key()};
    };
    if (result == nullptr) {
        return ND_INVALID_PARAMETER_1;
    }
    return pieces.read(list, std::min(count, most + 1), piece_of) ? ND_SUCCESS : ND_INVALID_PARAMETER_2;
}

// A piece without a handle makes the whole request inline data, if there is room for it (R144).
bool Endpoint1::is_inline(const ND_SGE* list, SIZE_T count) const {
    if (count > limits_.initiator_sges) {
        return false;
    }
    std::uint64_t left = limits_.inline_bytes;
    bool has_unregistered = false;
    for (const ND_SGE& sge : std::span(list, count)) {
        if (sge.Length > left) {
            return false;
        }
        left -= sge.Length;
        has_unregistered = has_unregistered || sge.hMr == nullptr;
    }
    return has_unregistered;
}

HRESULT Endpoint1::Send(ND_RESULT* result, const ND_SGE* list, SIZE_T count, DWORD flags) {
    core::Pieces pieces;
    if (const HRESULT wrong = begin(pieces, result, list, count); wrong != ND_SUCCESS) {
        return wrong;
    }
    if ((flags & ~kV1SendFlags) != 0) {
        return ND_INVALID_PARAMETER_4;  // R14
    }
    return posted(driver(), core_.initiator().send(result, pieces.get(), options_with(flags, is_inline(list, count))),
                  *result, pieces);
}

HRESULT Endpoint1::SendAndInvalidate(ND_RESULT* result, const ND_SGE* list, SIZE_T count,
                                     const ND_MW_DESCRIPTOR* window, DWORD flags) {
    core::Pieces pieces;
    if (const HRESULT wrong = begin(pieces, result, list, count); wrong != ND_SUCCESS) {
        return wrong;
    }
    if (window == nullptr) {
        return ND_INVALID_PARAMETER_4;
    }
    if ((flags & ~kV1SendFlags) != 0) {
        return ND_INVALID_PARAMETER_5;  // R14
    }
    return posted(driver(),
                  core_.initiator().send_and_invalidate(result, pieces.get(), key_of(*window),
                                                        options_with(flags, is_inline(list, count))),
                  *result, pieces);
}

HRESULT Endpoint1::Receive(ND_RESULT* result, const ND_SGE* list, SIZE_T count) {
    core::Pieces pieces;
    const HRESULT wrong = begin(pieces, result, list, count);
    return wrong == ND_SUCCESS ? posted(driver(), core_.receive(result, pieces.get())) : wrong;
}

// The NIC checks the range: a range outside the registration gives an error as result (R111).
HRESULT Endpoint1::Bind(ND_RESULT* result, ND_MR_HANDLE handle, INDMemoryWindow* window, const VOID* buffer,
                        SIZE_T length, DWORD flags, ND_MW_DESCRIPTOR* descriptor) {
    core::Mr* const mr = owner().registrations().find(handle);
    auto* const mw = ours<MemoryWindow1>(window, adapter());
    if (result == nullptr) {
        return ND_INVALID_PARAMETER_1;
    }
    if (mr == nullptr || mw == nullptr) {
        return mr == nullptr ? ND_INVALID_PARAMETER_2 : ND_INVALID_PARAMETER_3;
    }
    if ((flags & ~kBindFlags) != 0) {
        return ND_INVALID_PARAMETER_6;
    }
    if (descriptor == nullptr) {
        return ND_INVALID_PARAMETER_7;
    }
    if (mw->core().is_bound()) {
        return ND_INVALID_DEVICE_STATE;  // R114
    }
    auto* const data = static_cast<std::byte*>(const_cast<VOID*>(buffer));  // NOLINT: the peer may write to it
    const core::Binding binding{*mr, mw->core(), data, length, bind_access_of(flags), core::RangeCheck::by_nic};
    const HRESULT status = posted(driver(), core_.initiator().bind(result, binding, options_of(flags)));
    if (status == ND_SUCCESS) {
        *descriptor = descriptor_of(mw->core().key(), mr->remote_address_of(data), length);  // R113
    }
    return status;
}

HRESULT Endpoint1::Invalidate(ND_RESULT* result, INDMemoryWindow* window, DWORD flags) {
    auto* const mw = ours<MemoryWindow1>(window, adapter());
    if (result == nullptr || mw == nullptr) {
        return result == nullptr ? ND_INVALID_PARAMETER_1 : ND_INVALID_PARAMETER_2;
    }
    if ((flags & ~kInvalidateFlags) != 0) {
        return ND_INVALID_PARAMETER_3;
    }
    return posted(driver(), core_.initiator().invalidate(result, mw->core(), options_of(flags)));
}

HRESULT Endpoint1::Read(ND_RESULT* result, const ND_SGE* list, SIZE_T count, const ND_MW_DESCRIPTOR* window,
                        ULONGLONG offset, DWORD flags) {
    core::Pieces pieces;
    HRESULT wrong = begin(pieces, result, list, count);
    wrong = wrong == ND_SUCCESS ? check_target(window, flags, kReadFlags) : wrong;
    if (wrong != ND_SUCCESS) {
        return wrong;
    }
    return posted(driver(),
                  core_.initiator().read(result, pieces.get(), place_in(*window, offset), MrKey{}, options_of(flags)),
                  *result, pieces);
}

HRESULT Endpoint1::Write(ND_RESULT* result, const ND_SGE* list, SIZE_T count, const ND_MW_DESCRIPTOR* window,
                         ULONGLONG offset, DWORD flags) {
    core::Pieces pieces;
    HRESULT wrong = begin(pieces, result, list, count);
    wrong = wrong == ND_SUCCESS ? check_target(window, flags, kV1WriteFlags) : wrong;
    if (wrong != ND_SUCCESS) {
        return wrong;
    }
    return posted(driver(),
                  core_.initiator().write(result, pieces.get(), place_in(*window, offset),
                                          options_with(flags, is_inline(list, count))),
                  *result, pieces);
}

}  // namespace ndsim::nd
