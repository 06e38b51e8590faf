// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "ndapi/ndk/faces.hpp"
#include "ndapi/ndk/pieces.hpp"

namespace ndsim::ndk {

namespace {

constexpr ULONG kSendFlags = NDK_OP_FLAG_SILENT_SUCCESS | NDK_OP_FLAG_READ_FENCE | NDK_OP_FLAG_SEND_AND_SOLICIT_EVENT |
                             NDK_OP_FLAG_INLINE | NDK_OP_FLAG_DEFER;
// INLINE is not on the page of NdkWrite, but MaxInlineDataSize speaks of writes, too [K100].
constexpr ULONG kWriteFlags = kSendFlags & ~NDK_OP_FLAG_SEND_AND_SOLICIT_EVENT;

NTSTATUS close_qp(NDK_OBJECT_HEADER* object, NDK_FN_CLOSE_COMPLETION* completion, PVOID context) {
    QpFace& qp = face<QpFace>(reinterpret_cast<NDK_QP*>(object));
    return close_face(qp, qp.core, completion, context);
}

VOID flush(NDK_QP* qp) {
    face<QpFace>(qp).core.flush();
}

core::RequestOptions options_of(ULONG flags) {
    core::RequestOptions options;
    options.silent = (flags & NDK_OP_FLAG_SILENT_SUCCESS) != 0;
    options.read_fence = (flags & NDK_OP_FLAG_READ_FENCE) != 0;
    options.solicit = (flags & NDK_OP_FLAG_SEND_AND_SOLICIT_EVENT) != 0;
    options.inlined = (flags & NDK_OP_FLAG_INLINE) != 0;
    options.defer = (flags & NDK_OP_FLAG_DEFER) != 0;
    return options;
}

NTSTATUS send(NDK_QP* qp, PVOID context, const NDK_SGE* sgl, ULONG count, ULONG flags) {
    Pieces pieces;
    if ((flags & ~kSendFlags) != 0 || !pieces.read(sgl, count)) {
        return STATUS_INVALID_PARAMETER;
    }
    return face<QpFace>(qp).core.send(context, pieces.get(), options_of(flags));
}

NTSTATUS write(NDK_QP* qp, PVOID context, const NDK_SGE* sgl, ULONG count, UINT64 remote_address, UINT32 remote_token,
               ULONG flags) {
    Pieces pieces;
    if ((flags & ~kWriteFlags) != 0 || !pieces.read(sgl, count)) {
        return STATUS_INVALID_PARAMETER;
    }
    return face<QpFace>(qp).core.write(context, pieces.get(), {Address{remote_address}, MrKey{remote_token}},
                                       options_of(flags));
}

NTSTATUS receive(NDK_QP* qp, PVOID context, const NDK_SGE* sgl, ULONG count) {
    Pieces pieces;
    if (!pieces.read(sgl, count)) {
        return STATUS_INVALID_PARAMETER;
    }
    return face<QpFace>(qp).core.receive(context, pieces.get());
}

// Operations that this provider does not offer yet.
NTSTATUS bind(NDK_QP*, PVOID, NDK_MR*, NDK_MW*, PVOID, SIZE_T, ULONG) {
    return STATUS_NOT_SUPPORTED;
}
NTSTATUS fast_register(NDK_QP*, PVOID, NDK_MR*, ULONG, const NDK_LOGICAL_ADDRESS*, ULONG, SIZE_T, PVOID, ULONG) {
    return STATUS_NOT_SUPPORTED;
}
NTSTATUS invalidate(NDK_QP*, PVOID, NDK_OBJECT_HEADER*, ULONG) {
    return STATUS_NOT_SUPPORTED;
}
NTSTATUS read(NDK_QP*, PVOID, const NDK_SGE*, ULONG, UINT64, UINT32, ULONG) {
    return STATUS_NOT_SUPPORTED;
}
NTSTATUS send_and_invalidate(NDK_QP*, PVOID, const NDK_SGE*, ULONG, ULONG, UINT32) {
    return STATUS_NOT_SUPPORTED;
}

}  // namespace

const NDK_QP_DISPATCH kQpDispatch{
    close_qp, query_extension, flush, send, receive, bind, fast_register, invalidate, read, write, send_and_invalidate,
};
QpFace::QpFace(PdFace& pd, CqFace& receive_cq, CqFace& send_cq, core::Srq* srq, void* context,
               const core::QpLimits& limits)
    : NDK_QP{header(NdkObjectTypeQp, pd.adapter), &kQpDispatch},
      adapter(pd.adapter),
      core(pd.core, receive_cq.core, send_cq.core, srq, context, limits) {
    adapter.hold();
}

}  // namespace ndsim::ndk
