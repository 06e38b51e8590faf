// SPDX-License-Identifier: Apache-2.0
#include "ndapi/core/adapter_limits.hpp"
#include "ndapi/core/take_results.hpp"
#include "ndapi/ndk/faces.hpp"

namespace ndsim::ndk {

namespace {

VOID arm(NDK_CQ* object, ULONG type) {
    core::Cq& cq = face_by_now<CqFace>(object).core;
    switch (type) {
        case NDK_CQ_NOTIFY_ERRORS:
            cq.arm(Arm::errors);
            break;
        case NDK_CQ_NOTIFY_SOLICITED:
            cq.arm(Arm::solicited);
            break;
        default:
            cq.arm(Arm::any);
            break;
    }
}

NDK_OPERATION_TYPE type_of(const core::Completion& completion) {
    switch (completion.kind) {
        case OperationKind::receive:
            return completion.token == 0 ? NdkOperationTypeReceive : NdkOperationTypeReceiveAndInvalidate;
        case OperationKind::send:
            return NdkOperationTypeSend;
        case OperationKind::read:
            return NdkOperationTypeRead;
        case OperationKind::write:
            return NdkOperationTypeWrite;
        case OperationKind::bind:
            return NdkOperationTypeBind;
        case OperationKind::fast_register:
            return NdkOperationTypeFastRegister;
        case OperationKind::invalidate:
            return NdkOperationTypeInvalidate;
    }
    return NdkOperationTypeSend;
}

NDK_RESULT result_of(const core::Completion& completion) {
    return {completion.status, completion.bytes, completion.qp_context, completion.request_context};
}

template <class Result, class Convert>
ULONG get_results(NDK_CQ* cq, Result* results, ULONG wanted, Convert convert) {
    const auto take = [&](const core::Completion& completion, std::size_t place) {
        results[place] = convert(completion);
        return true;
    };
    return static_cast<ULONG>(core::take_results(face<CqFace>(cq).core, wanted, take));
}

ULONG get_cq_results(NDK_CQ* cq, NDK_RESULT results[], ULONG wanted) {
    return get_results(cq, results, wanted, result_of);
}

ULONG get_cq_results_ex(NDK_CQ* cq, NDK_RESULT_EX results[], ULONG wanted) {
    return get_results(cq, results, wanted, [](const core::Completion& completion) {
        NDK_RESULT_EX result{};
        result.Status = completion.status;
        result.BytesTransferred = completion.bytes;
        result.QPContext = completion.qp_context;
        result.RequestContext = completion.request_context;
        result.Type = type_of(completion);
        result.TypeSpecificCompletionOutput = completion.token;
        return result;
    });
}

NTSTATUS resize_cq(NDK_CQ* object, ULONG depth, NDK_FN_REQUEST_COMPLETION completion, PVOID context) {
    core::Cq& cq = face_by_now<CqFace>(object).core;
    if (!cq.driver().params().nic.queues.cq.can_resize) {
        return STATUS_NOT_SUPPORTED;
    }
    if (depth == 0 || depth > core::kMaxCqDepth) {
        return STATUS_INVALID_PARAMETER;
    }
    return cq.resize(depth, report_to(completion, context));
}

NTSTATUS control_interrupt_moderation(NDK_CQ* object, ULONG interval, ULONG count) {
    core::Cq& cq = face<CqFace>(object).core;
    if (!cq.driver().params().nic.queues.cq.can_moderate) {
        return STATUS_NOT_SUPPORTED;
    }
    const bool any_time = interval == MAXULONG;
    const bool any_count = count == MAXULONG || count > cq.depth();
    if (any_time && any_count) {
        return STATUS_INVALID_PARAMETER_MIX;
    }
    Moderation moderation;
    if (interval != 0 && count > 1) {
        moderation.interval = any_time ? std::nullopt : std::optional(std::chrono::microseconds{interval});
        moderation.count = any_count ? std::nullopt : std::optional(count);
    }
    cq.moderate(moderation);
    return STATUS_SUCCESS;
}

}  // namespace

const NDK_CQ_DISPATCH kCqDispatch{
    close_object<CqFace>,         query_extension,   resize_cq, arm, get_cq_results,
    control_interrupt_moderation, get_cq_results_ex,
};

CqFace::CqFace(AdapterFace& parent, std::uint32_t depth, core::Cq::Notification notify)
    : Child(NdkObjectTypeCq, parent, kCqDispatch), core(parent.driver, depth, std::move(notify)) {
    core.report_overlaps();
}

}  // namespace ndsim::ndk
