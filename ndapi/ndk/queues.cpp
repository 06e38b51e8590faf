// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "ndapi/ndk/faces.hpp"

namespace ndsim::ndk {

namespace {

constexpr ULONG kSendFlags = NDK_OP_FLAG_SILENT_SUCCESS | NDK_OP_FLAG_READ_FENCE | NDK_OP_FLAG_SEND_AND_SOLICIT_EVENT |
                             NDK_OP_FLAG_INLINE | NDK_OP_FLAG_DEFER;
// INLINE is not on the page of NdkWrite, but MaxInlineDataSize speaks of writes, too [K100].
constexpr ULONG kWriteFlags = kSendFlags & ~NDK_OP_FLAG_SEND_AND_SOLICIT_EVENT;
constexpr std::size_t kUsualPieces = 8;
constexpr ULONG kMostPieces = 1024;
constexpr std::size_t kPollBatch = 64;

// The pieces of a request: the usual few without an allocation.
class Pieces {
public:
    // False if there is a count but no list, or more entries than any request can have.
    [[nodiscard]] bool read(const NDK_SGE* sgl, ULONG count) {
        if ((count > 0 && sgl == nullptr) || count > kMostPieces) {
            return false;
        }
        std::span<core::LocalPiece> pieces(few_);
        if (count > kUsualPieces) {
            many_.resize(count);
            pieces = many_;
        }
        for (ULONG i = 0; i < count; ++i) {
            pieces[i] = {static_cast<std::byte*>(sgl[i].VirtualAddress), sgl[i].Length,
                         MrKey{sgl[i].MemoryRegionToken}};
        }
        pieces_ = pieces.first(count);
        return true;
    }
    [[nodiscard]] std::span<const core::LocalPiece> get() const { return pieces_; }

private:
    std::array<core::LocalPiece, kUsualPieces> few_;
    std::vector<core::LocalPiece> many_;
    std::span<const core::LocalPiece> pieces_;
};

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

const NDK_QP_DISPATCH kQpDispatch{
    close_qp, query_extension, flush, send, receive, bind, fast_register, invalidate, read, write, send_and_invalidate,
};
const NDK_CQ_DISPATCH kCqDispatch{
    close_cq, query_extension, resize_cq, arm, get_cq_results, control_interrupt_moderation, get_cq_results_ex,
};

CqFace::CqFace(AdapterFace& parent, std::uint32_t depth, core::Cq::Notification notify)
    : NDK_CQ{header(NdkObjectTypeCq), &kCqDispatch}, adapter(parent), core(parent.driver, depth, std::move(notify)) {
    adapter.hold();
}

QpFace::QpFace(PdFace& pd, CqFace& receive_cq, CqFace& send_cq, void* context, const core::QpLimits& limits)
    : NDK_QP{header(NdkObjectTypeQp), &kQpDispatch},
      adapter(pd.adapter),
      core(pd.core, receive_cq.core, send_cq.core, context, limits) {
    adapter.hold();
}

}  // namespace ndsim::ndk
