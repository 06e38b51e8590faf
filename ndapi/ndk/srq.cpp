// SPDX-License-Identifier: Apache-2.0
#include "ndapi/ndk/srq.hpp"

namespace ndsim::ndk {

namespace {

NTSTATUS modify_srq(NDK_SRQ* object, ULONG depth, ULONG threshold, NDK_FN_REQUEST_COMPLETION completion,
                    PVOID context) {
    SrqFace& srq = face_by_now<SrqFace>(object);
    if (depth > info_of(srq.adapter).MaxSrqDepth) {
        return STATUS_INVALID_PARAMETER;
    }
    return srq.core.modify(depth, threshold, report_to(completion, context));
}

NTSTATUS srq_receive(NDK_SRQ* srq, PVOID context, const NDK_SGE* sgl, ULONG count) {
    core::Pieces pieces;
    if (!pieces.read(sgl, count, piece_of)) {
        return STATUS_INVALID_PARAMETER;
    }
    return face<SrqFace>(srq).core.receive(context, pieces.get());
}

const NDK_SRQ_DISPATCH kSrqDispatch{close_object<SrqFace>, query_extension, modify_srq, srq_receive};

}  // namespace

SrqFace::SrqFace(PdFace& pd, const core::SrqLimits& limits, core::Srq::Notification notify)
    : Child(NdkObjectTypeSrq, pd.adapter, kSrqDispatch), core(pd.core, limits, std::move(notify)) {
    core.report_overlaps();
}

NTSTATUS create_srq(NDK_PD* object, ULONG depth, ULONG sges, ULONG threshold, NDK_FN_SRQ_NOTIFICATION_CALLBACK notify,
                    PVOID notify_context, GROUP_AFFINITY*, NDK_FN_CREATE_COMPLETION completion, PVOID context,
                    NDK_SRQ** out) {
    PdFace& pd = face<PdFace>(object);
    const NDK_ADAPTER_INFO info = info_of(pd.adapter);
    if (info.MaxSrqDepth == 0) {
        return STATUS_NOT_SUPPORTED;
    }
    if (depth == 0 || depth > info.MaxSrqDepth || sges > info.MaxReceiveRequestSge) {
        return STATUS_INVALID_PARAMETER;
    }
    // Without a callback, nothing is armed.
    core::Srq::Notification callback;
    if (notify != nullptr) {
        callback = [notify, notify_context](NTSTATUS status) { notify(notify_context, status); };
    }
    const core::SrqLimits limits{depth, sges, notify == nullptr ? 0 : threshold};
    auto* const srq = make_face<SrqFace>(pd.adapter.driver, pd, limits, std::move(callback));
    return create_in_nic(pd.adapter.driver, out, srq, completion, context);
}

NTSTATUS create_qp_with_srq(NDK_PD* object, NDK_CQ* receive_cq, NDK_CQ* send_cq, NDK_SRQ* srq, PVOID qp_context,
                            ULONG initiator_depth, ULONG initiator_sges, ULONG inline_bytes,
                            NDK_FN_CREATE_COMPLETION completion, PVOID context, NDK_QP** out) {
    PdFace& pd = face<PdFace>(object);
    core::Srq& shared = face<SrqFace>(srq).core;
    const NDK_ADAPTER_INFO info = info_of(pd.adapter);
    if (initiator_depth == 0 || initiator_depth > info.MaxInitiatorQueueDepth ||
        initiator_sges > info.MaxInitiatorRequestSge || inline_bytes > info.MaxInlineDataSize ||
        &shared.pd() != &pd.core) {
        return STATUS_INVALID_PARAMETER;
    }
    const core::QpLimits limits{0, initiator_depth, 0, initiator_sges, inline_bytes};
    auto* const qp = make_face<QpFace>(pd.adapter.driver, pd, face<CqFace>(receive_cq), face<CqFace>(send_cq), &shared,
                                       qp_context, limits);
    return create_in_nic(pd.adapter.driver, out, qp, completion, context);
}

}  // namespace ndsim::ndk
