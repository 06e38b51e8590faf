// SPDX-License-Identifier: Apache-2.0
#include "ndapi/ndspi/v2_queue_pair.hpp"

#include "ndapi/core/pieces.hpp"
#include "ndapi/ndspi/posts.hpp"
#include "ndapi/ndspi/v2_memory.hpp"
#include "ndapi/windows/abi/byteorder.h"

namespace ndsim::nd {

namespace {

constexpr ULONG kV2SendFlags =
    ND_OP_FLAG_SILENT_SUCCESS | ND_OP_FLAG_READ_FENCE | ND_OP_FLAG_SEND_AND_SOLICIT_EVENT | ND_OP_FLAG_INLINE;
constexpr ULONG kV2WriteFlags = ND_OP_FLAG_SILENT_SUCCESS | ND_OP_FLAG_READ_FENCE | ND_OP_FLAG_INLINE;

RemoteRange remote(UINT64 address, UINT32 token) {
    return {Address{address}, MrKey{ntohl(token)}};
}

}  // namespace

QueuePair2::QueuePair2(const AdapterPtr& adapter, core::Cq& receive_cq, core::Cq& initiator_cq, core::Srq* srq,
                       void* context, const core::QpLimits& limits)
    : Face(adapter, {IID_IND2QueuePair}), core_(adapter->pd, receive_cq, initiator_cq, srq, context, limits) {}

HRESULT QueuePair2::Flush() {
    core_.flush();
    return ND_SUCCESS;
}

HRESULT QueuePair2::Send(VOID* context, const ND2_SGE sge[], ULONG count, ULONG flags) {
    core::Pieces pieces;
    if ((flags & ~kV2SendFlags) != 0) {
        return ND_INVALID_PARAMETER_4;  // R14
    }
    const core::RequestOptions options = options_of(flags);
    return pieces.read(sge, count, piece_of, options.inlined)
               ? posted(driver(), core_.initiator().send(context, pieces.get(), options))
               : ND_INVALID_PARAMETER_2;
}

HRESULT QueuePair2::Receive(VOID* context, const ND2_SGE sge[], ULONG count) {
    core::Pieces pieces;
    return pieces.read(sge, count, piece_of) ? posted(driver(), core_.receive(context, pieces.get()))
                                             : ND_INVALID_PARAMETER_2;
}

// The NIC checks the range: a range outside the region gives an error as result (R111).
HRESULT QueuePair2::Bind(VOID* context, IUnknown* region, IUnknown* window, const VOID* buffer, SIZE_T length,
                         ULONG flags) {
    auto* const mr = ours<MemoryRegion2>(region, adapter());
    auto* const mw = ours<MemoryWindow2>(window, adapter());
    if (mr == nullptr || mw == nullptr) {
        return mr == nullptr ? ND_INVALID_PARAMETER_2 : ND_INVALID_PARAMETER_3;
    }
    if ((flags & ~kBindFlags) != 0) {
        return ND_INVALID_PARAMETER_6;
    }
    if (mw->core().is_bound()) {
        return ND_INVALID_DEVICE_STATE;  // R114
    }
    auto* const data = static_cast<std::byte*>(const_cast<VOID*>(buffer));  // NOLINT: the peer may write to it
    return posted(driver(),
                  core_.initiator().bind(
                      context, {mr->core(), mw->core(), data, length, bind_access_of(flags), core::RangeCheck::by_nic},
                      options_of(flags)));
}

HRESULT QueuePair2::Invalidate(VOID* context, IUnknown* window, ULONG flags) {
    auto* const mw = ours<MemoryWindow2>(window, adapter());
    if (mw == nullptr) {
        return ND_INVALID_PARAMETER_2;
    }
    if ((flags & ~kInvalidateFlags) != 0) {
        return ND_INVALID_PARAMETER_3;
    }
    return posted(driver(), core_.initiator().invalidate(context, mw->core(), options_of(flags)));
}

HRESULT QueuePair2::Read(VOID* context, const ND2_SGE sge[], ULONG count, UINT64 remote_address, UINT32 remote_token,
                         ULONG flags) {
    core::Pieces pieces;
    if ((flags & ~kReadFlags) != 0) {
        return ND_INVALID_PARAMETER_6;
    }
    return pieces.read(sge, count, piece_of)
               ? posted(driver(), core_.initiator().read(context, pieces.get(), remote(remote_address, remote_token),
                                                         MrKey{}, options_of(flags)))
               : ND_INVALID_PARAMETER_2;
}

HRESULT QueuePair2::Write(VOID* context, const ND2_SGE sge[], ULONG count, UINT64 remote_address, UINT32 remote_token,
                          ULONG flags) {
    core::Pieces pieces;
    if ((flags & ~kV2WriteFlags) != 0) {
        return ND_INVALID_PARAMETER_6;  // R14
    }
    const core::RequestOptions options = options_of(flags);
    return pieces.read(sge, count, piece_of, options.inlined)
               ? posted(driver(),
                        core_.initiator().write(context, pieces.get(), remote(remote_address, remote_token), options))
               : ND_INVALID_PARAMETER_2;
}

}  // namespace ndsim::nd
