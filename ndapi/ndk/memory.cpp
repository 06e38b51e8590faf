// SPDX-License-Identifier: Apache-2.0
#include "ndapi/ndk/faces.hpp"
#include "ndapi/ndk/mdl_chain.hpp"
#include "ndapi/ndk/srq.hpp"

namespace ndsim::ndk {

namespace {

constexpr ULONG kMrFlags = NDK_MR_FLAG_ALLOW_LOCAL_WRITE | NDK_MR_FLAG_ALLOW_REMOTE_READ |
                           NDK_MR_FLAG_ALLOW_REMOTE_WRITE | NDK_MR_FLAG_RDMA_READ_SINK;
constexpr ULONG kRegionRemoteWrite = NDK_MR_FLAG_ALLOW_REMOTE_WRITE & ~NDK_MR_FLAG_ALLOW_LOCAL_WRITE;

NTSTATUS close_mr(NDK_OBJECT_HEADER* object, NDK_FN_CLOSE_COMPLETION completion, PVOID context) {
    MrFace& mr = face<MrFace>(reinterpret_cast<NDK_MR*>(object));
    return close_face(mr, mr.object(), completion, context);
}

NTSTATUS register_mr(NDK_MR* object, MDL* mdl, SIZE_T length, ULONG flags, NDK_FN_REQUEST_COMPLETION completion,
                     PVOID context) {
    MrFace& its = face<MrFace>(object);
    core::Mr* const mr = its.region();
    if (mr == nullptr) {
        return STATUS_INVALID_DEVICE_REQUEST;  // [K137]
    }
    const bool remote_write_alone = (flags & kRegionRemoteWrite) != 0 && (flags & NDK_MR_FLAG_ALLOW_LOCAL_WRITE) == 0;
    std::byte* const data = contiguous(mdl, length);
    if (data == nullptr || length > info_of(its.adapter).MaxRegistrationSize || (flags & ~kMrFlags) != 0 ||
        remote_write_alone || !mr->is_free()) {
        return STATUS_INVALID_PARAMETER;
    }
    std::uint8_t access = kLocalRead;
    access |= (flags & NDK_MR_FLAG_ALLOW_LOCAL_WRITE) != 0 ? kLocalWrite : 0;
    access |= (flags & NDK_MR_FLAG_ALLOW_REMOTE_READ) != 0 ? kRemoteRead : 0;
    access |= (flags & kRegionRemoteWrite) != 0 ? kRemoteWrite : 0;
    mr->register_memory(data, length, access, report_to(completion, context));
    return STATUS_PENDING;
}

NTSTATUS deregister_mr(NDK_MR* object, NDK_FN_REQUEST_COMPLETION completion, PVOID context) {
    core::Mr* const mr = face<MrFace>(object).region();
    if (mr == nullptr || !mr->registered()) {
        return STATUS_INVALID_DEVICE_REQUEST;
    }
    if (mr->has_windows()) {
        return STATUS_DEVICE_BUSY;  // [X45]
    }
    mr->deregister(report_to(completion, context));
    return STATUS_PENDING;
}

NTSTATUS initialize_fast_register_mr(NDK_MR* object, ULONG pages, BOOLEAN remote_access,
                                     NDK_FN_REQUEST_COMPLETION completion, PVOID context) {
    core::FastMr* const mr = face<MrFace>(object).fast();
    if (mr == nullptr) {
        return STATUS_INVALID_DEVICE_REQUEST;  // [K137]
    }
    if (pages == 0) {
        return STATUS_INVALID_PARAMETER;
    }
    if (pages > kFastRegisterPages) {
        return STATUS_IMPLEMENTATION_LIMIT;  // [K124]
    }
    mr->initialize(pages, remote_access != 0, report_to(completion, context));
    return STATUS_PENDING;
}

UINT32 token(NDK_MR* object) {
    return raw(face<MrFace>(object).key());
}

NTSTATUS close_mw(NDK_OBJECT_HEADER* object, NDK_FN_CLOSE_COMPLETION completion, PVOID context) {
    MwFace& mw = face<MwFace>(reinterpret_cast<NDK_MW*>(object));
    return close_face(mw, mw.core, completion, context);
}

UINT32 window_token(NDK_MW* object) {
    return raw(face<MwFace>(object).core.key());
}

NTSTATUS close_pd(NDK_OBJECT_HEADER* object, NDK_FN_CLOSE_COMPLETION completion, PVOID context) {
    PdFace& pd = face<PdFace>(reinterpret_cast<NDK_PD*>(object));
    return close_face(pd, pd.core, completion, context);
}

NTSTATUS create_mr(NDK_PD* pd, BOOLEAN fast_register, NDK_FN_CREATE_COMPLETION completion, PVOID context,
                   NDK_MR** out) {
    PdFace& parent = face<PdFace>(pd);
    core::Driver& driver = parent.adapter.driver;
    auto* const mr = make_face<MrFace>(driver, parent, fast_register != 0);
    return hand_out(driver, out, mr, STATUS_SUCCESS, completion, context);
}

NTSTATUS create_mw(NDK_PD* pd, NDK_FN_CREATE_COMPLETION completion, PVOID context, NDK_MW** out) {
    PdFace& parent = face<PdFace>(pd);
    auto* const mw = make_face<MwFace>(parent.adapter.driver, parent);
    return create_in_nic(parent.adapter.driver, out, mw, completion, context);
}

NTSTATUS create_qp(NDK_PD* object, NDK_CQ* receive_cq, NDK_CQ* send_cq, PVOID qp_context, ULONG receive_depth,
                   ULONG initiator_depth, ULONG receive_sges, ULONG initiator_sges, ULONG inline_bytes,
                   NDK_FN_CREATE_COMPLETION completion, PVOID context, NDK_QP** out) {
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

// One token for all PDs, known to every NIC.
VOID privileged_token(NDK_PD*, UINT32* out) {
    *out = raw(kPrivilegedKey);
}

}  // namespace

const NDK_MR_DISPATCH kMrDispatch{
    close_mr, query_extension, register_mr, deregister_mr, initialize_fast_register_mr, token, token,
};
const NDK_MW_DISPATCH kMwDispatch{
    close_mw,
    query_extension,
    window_token,
};
const NDK_PD_DISPATCH kPdDispatch{
    close_pd, query_extension, create_mr, create_mw, create_srq, create_qp, create_qp_with_srq, privileged_token,
};

PdFace::PdFace(AdapterFace& parent)
    : NDK_PD{header(NdkObjectTypePd, parent), &kPdDispatch}, adapter(parent), core(parent.driver) {
    adapter.hold();
}

MrFace::MrFace(PdFace& pd, bool fast_register)
    : NDK_MR{header(NdkObjectTypeMr, pd.adapter), &kMrDispatch}, adapter(pd.adapter) {
    if (fast_register) {
        core.emplace<core::FastMr>(pd.core);
    } else {
        core.emplace<core::Mr>(pd.core);
    }
    adapter.hold();
}

core::Object& MrFace::object() {
    return region() != nullptr ? static_cast<core::Object&>(*region()) : *fast();
}

MrKey MrFace::key() {
    return region() != nullptr ? region()->key() : fast()->key();
}

MwFace::MwFace(PdFace& pd)
    : NDK_MW{header(NdkObjectTypeMw, pd.adapter), &kMwDispatch}, adapter(pd.adapter), core(pd.core) {
    adapter.hold();
}

}  // namespace ndsim::ndk
