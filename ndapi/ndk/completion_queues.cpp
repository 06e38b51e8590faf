// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "ndapi/ndk/faces.hpp"

namespace ndsim::ndk {

namespace {

constexpr std::size_t kPollBatch = 64;

NTSTATUS close_cq(NDK_OBJECT_HEADER* object, NDK_FN_CLOSE_COMPLETION* completion, PVOID context) {
    CqFace& cq = face<CqFace>(reinterpret_cast<NDK_CQ*>(object));
    return close_face(cq, cq.core, completion, context);
}

VOID arm(NDK_CQ* cq, ULONG type) {
    switch (type) {
        case NDK_CQ_NOTIFY_ERRORS:
            face<CqFace>(cq).core.arm(Arm::errors);
            break;
        case NDK_CQ_NOTIFY_SOLICITED:
            face<CqFace>(cq).core.arm(Arm::solicited);
            break;
        default:
            face<CqFace>(cq).core.arm(Arm::any);
            break;
    }
}

NDK_OPERATION_TYPE type_of(OperationKind kind) {
    switch (kind) {
        case OperationKind::receive:
            return NdkOperationTypeReceive;
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
    std::array<core::Completion, kPollBatch> batch;
    const std::size_t most = std::min<std::size_t>(wanted, kPollBatch);
    const std::size_t count = face<CqFace>(cq).core.poll({batch.data(), most});
    std::transform(batch.begin(), batch.begin() + static_cast<std::ptrdiff_t>(count), results, convert);
    return static_cast<ULONG>(count);
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
        result.Type = type_of(completion.kind);
        result.TypeSpecificCompletionOutput = completion.token;
        return result;
    });
}

// Adapter flag 0x100 is clear, so consumers do not call this [K170].
NTSTATUS resize_cq(NDK_CQ*, ULONG, NDK_FN_REQUEST_COMPLETION*, PVOID) {
    return STATUS_NOT_SUPPORTED;
}
// Adapter flag 0x4 is clear.
NTSTATUS control_interrupt_moderation(NDK_CQ*, ULONG, ULONG) {
    return STATUS_NOT_SUPPORTED;
}

}  // namespace

const NDK_CQ_DISPATCH kCqDispatch{
    close_cq, query_extension, resize_cq, arm, get_cq_results, control_interrupt_moderation, get_cq_results_ex,
};

CqFace::CqFace(AdapterFace& parent, std::uint32_t depth, core::Cq::Notification notify)
    : NDK_CQ{header(NdkObjectTypeCq), &kCqDispatch}, adapter(parent), core(parent.driver, depth, std::move(notify)) {
    adapter.hold();
}

}  // namespace ndsim::ndk
