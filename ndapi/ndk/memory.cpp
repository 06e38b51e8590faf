// SPDX-License-Identifier: Apache-2.0
#include "ndapi/ndk/faces.hpp"
#include "ndapi/ndk/srq.hpp"

namespace ndsim::ndk {

namespace {

constexpr ULONG kMrFlags = NDK_MR_FLAG_ALLOW_LOCAL_WRITE | NDK_MR_FLAG_ALLOW_REMOTE_READ |
                           NDK_MR_FLAG_ALLOW_REMOTE_WRITE | NDK_MR_FLAG_RDMA_READ_SINK;
constexpr ULONG kRemoteWriteBit = NDK_MR_FLAG_ALLOW_REMOTE_WRITE & ~NDK_MR_FLAG_ALLOW_LOCAL_WRITE;

NTSTATUS close_mr(NDK_OBJECT_HEADER* object, NDK_FN_CLOSE_COMPLETION* completion, PVOID context) {
    MrFace& mr = face<MrFace>(reinterpret_cast<NDK_MR*>(object));
    return close_face(mr, mr.core, completion, context);
}

NTSTATUS register_mr(NDK_MR* object, MDL* mdl, SIZE_T length, ULONG flags, NDK_FN_REQUEST_COMPLETION* completion,
                     PVOID context) {
    const bool remote_write_alone = (flags & kRemoteWriteBit) != 0 && (flags & NDK_MR_FLAG_ALLOW_LOCAL_WRITE) == 0;
    if (mdl == nullptr || length == 0 || (flags & ~kMrFlags) != 0 || remote_write_alone) {
        return STATUS_INVALID_PARAMETER;
    }
    // The chain has to be contiguous over the whole length [K120].
    auto* const first = static_cast<std::byte*>(MmGetMdlVirtualAddress(mdl));
    SIZE_T covered = MmGetMdlByteCount(mdl);
    for (const MDL* next = mdl->Next; next != nullptr && covered < length; next = next->Next) {
        if (static_cast<std::byte*>(MmGetMdlVirtualAddress(next)) != first + covered) {
            return STATUS_INVALID_PARAMETER;
        }
        covered += MmGetMdlByteCount(next);
    }
    MrFace& mr = face<MrFace>(object);
    if (covered < length || mr.core.registered()) {
        return STATUS_INVALID_PARAMETER;
    }
    std::uint8_t access = kLocalRead;
    access |= (flags & NDK_MR_FLAG_ALLOW_LOCAL_WRITE) != 0 ? kLocalWrite : 0;
    access |= (flags & NDK_MR_FLAG_ALLOW_REMOTE_READ) != 0 ? kRemoteRead : 0;
    access |= (flags & kRemoteWriteBit) != 0 ? kRemoteWrite : 0;
    mr.core.register_memory(first, length, access, report_to(completion, context));
    return STATUS_PENDING;
}

NTSTATUS deregister_mr(NDK_MR* object, NDK_FN_REQUEST_COMPLETION* completion, PVOID context) {
    MrFace& mr = face<MrFace>(object);
    if (!mr.core.registered()) {
        return STATUS_INVALID_DEVICE_REQUEST;
    }
    mr.core.deregister(report_to(completion, context));
    return STATUS_PENDING;
}

NTSTATUS initialize_fast_register_mr(NDK_MR*, ULONG, BOOLEAN, NDK_FN_REQUEST_COMPLETION*, PVOID) {
    return STATUS_NOT_SUPPORTED;
}

UINT32 token(NDK_MR* object) {
    return raw(face<MrFace>(object).core.key());
}

NTSTATUS close_pd(NDK_OBJECT_HEADER* object, NDK_FN_CLOSE_COMPLETION* completion, PVOID context) {
    PdFace& pd = face<PdFace>(reinterpret_cast<NDK_PD*>(object));
    return close_face(pd, pd.core, completion, context);
}

NTSTATUS create_mr(NDK_PD* pd, BOOLEAN fast_register, NDK_FN_CREATE_COMPLETION* completion, PVOID context,
                   NDK_MR** mr) {
    PdFace& parent = face<PdFace>(pd);
    if (fast_register != 0) {
        return STATUS_NOT_SUPPORTED;
    }
    core::Driver& driver = parent.adapter.driver;
    return hand_out(driver, mr, make_face<MrFace>(driver, parent), STATUS_SUCCESS, completion, context);
}

NTSTATUS create_mw(NDK_PD*, NDK_FN_CREATE_COMPLETION*, PVOID, NDK_MW**) {
    return STATUS_NOT_SUPPORTED;
}

NTSTATUS create_qp(NDK_PD* object, NDK_CQ* receive_cq, NDK_CQ* send_cq, PVOID qp_context, ULONG receive_depth,
                   ULONG initiator_depth, ULONG receive_sges, ULONG initiator_sges, ULONG inline_bytes,
                   NDK_FN_CREATE_COMPLETION* completion, PVOID context, NDK_QP** out) {
    PdFace& pd = face<PdFace>(object);
    const NDK_ADAPTER_INFO info = info_of(pd.adapter);
    if (initiator_depth == 0 || receive_depth > info.MaxReceiveQueueDepth ||
        initiator_depth > info.MaxInitiatorQueueDepth || receive_sges > info.MaxReceiveRequestSge ||
        initiator_sges > info.MaxInitiatorRequestSge || inline_bytes > info.MaxInlineDataSize) {
        return STATUS_INVALID_PARAMETER;
    }
    const core::QpLimits limits{receive_depth, initiator_depth, receive_sges, initiator_sges, inline_bytes};
    auto* const qp = make_face<QpFace>(pd.adapter.driver, pd, face<CqFace>(receive_cq), face<CqFace>(send_cq), nullptr,
                                       qp_context, limits);
    return create_in_nic(pd.adapter.driver, out, qp, completion, context);
}

// No privileged token yet: 0 is a token that is never valid.
VOID privileged_token(NDK_PD*, UINT32* out) {
    *out = 0;
}

}  // namespace

const NDK_MR_DISPATCH kMrDispatch{
    close_mr, query_extension, register_mr, deregister_mr, initialize_fast_register_mr, token, token,
};
const NDK_PD_DISPATCH kPdDispatch{
    close_pd, query_extension, create_mr, create_mw, create_srq, create_qp, create_qp_with_srq, privileged_token,
};

PdFace::PdFace(AdapterFace& parent)
    : NDK_PD{header(NdkObjectTypePd, parent), &kPdDispatch}, adapter(parent), core(parent.driver) {
    adapter.hold();
}

MrFace::MrFace(PdFace& pd)
    : NDK_MR{header(NdkObjectTypeMr, pd.adapter), &kMrDispatch}, adapter(pd.adapter), core(pd.core) {
    adapter.hold();
}

}  // namespace ndsim::ndk
