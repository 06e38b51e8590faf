// SPDX-License-Identifier: Apache-2.0
#include "ndapi/ndk/queue_pair.hpp"

#include <algorithm>
#include <array>

#include "ndapi/ndk/faces.hpp"

namespace ndsim::ndk {

namespace {

constexpr ULONG kSendFlags = NDK_OP_FLAG_SILENT_SUCCESS | NDK_OP_FLAG_READ_FENCE | NDK_OP_FLAG_SEND_AND_SOLICIT_EVENT |
                             NDK_OP_FLAG_INLINE | NDK_OP_FLAG_DEFER;
// INLINE is not on the page of NdkWrite, but MaxInlineDataSize also covers writes [K100].
constexpr ULONG kWriteFlags = kSendFlags & ~NDK_OP_FLAG_SEND_AND_SOLICIT_EVENT;
constexpr ULONG kReadFlags =
    NDK_OP_FLAG_SILENT_SUCCESS | NDK_OP_FLAG_READ_FENCE | NDK_OP_FLAG_RDMA_READ_LOCAL_INVALIDATE | NDK_OP_FLAG_DEFER;
constexpr ULONG kInvalidateFlags = NDK_OP_FLAG_SILENT_SUCCESS | NDK_OP_FLAG_READ_FENCE | NDK_OP_FLAG_DEFER;
constexpr ULONG kBindFlags = kInvalidateFlags | NDK_OP_FLAG_ALLOW_REMOTE_READ | NDK_OP_FLAG_ALLOW_REMOTE_WRITE;
constexpr ULONG kFastRegisterFlags = kBindFlags | NDK_OP_FLAG_RDMA_READ_SINK;
// The bit of ALLOW_REMOTE_WRITE that is no flag by itself.
constexpr ULONG kBindRemoteWrite = NDK_OP_FLAG_ALLOW_REMOTE_WRITE & ~NDK_OP_FLAG_ALLOW_LOCAL_WRITE;

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

// The rights requested by a Bind or a FastRegister.
std::uint8_t access_of(ULONG flags) {
    std::uint8_t access = kLocalRead;
    access |= (flags & NDK_OP_FLAG_ALLOW_LOCAL_WRITE) != 0 ? kLocalWrite : 0;
    access |= (flags & NDK_OP_FLAG_ALLOW_REMOTE_READ) != 0 ? kRemoteRead : 0;
    access |= (flags & kBindRemoteWrite) != 0 ? kRemoteWrite : 0;
    return access;
}
bool has_remote_write_alone(ULONG flags) {
    return (flags & NDK_OP_FLAG_ALLOW_REMOTE_WRITE) == kBindRemoteWrite;
}

NTSTATUS send(NDK_QP* object, PVOID context, const NDK_SGE* sgl, ULONG count, ULONG flags) {
    core::Qp& qp = face<QpFace>(object).core;
    core::Pieces pieces;
    if ((flags & ~kSendFlags) != 0 || !pieces.read(sgl, count, piece_of, options_of(flags).inlined)) {
        return qp.initiator().refuse(STATUS_INVALID_PARAMETER);
    }
    return qp.initiator().send(context, pieces.get(), options_of(flags));
}

NTSTATUS send_and_invalidate(NDK_QP* object, PVOID context, const NDK_SGE* sgl, ULONG count, ULONG flags,
                             UINT32 remote_token) {
    core::Qp& qp = face<QpFace>(object).core;
    core::Pieces pieces;
    if ((flags & ~kSendFlags) != 0 || !pieces.read(sgl, count, piece_of, options_of(flags).inlined)) {
        return qp.initiator().refuse(STATUS_INVALID_PARAMETER);
    }
    return qp.initiator().send_and_invalidate(context, pieces.get(), MrKey{remote_token}, options_of(flags));
}

NTSTATUS write(NDK_QP* object, PVOID context, const NDK_SGE* sgl, ULONG count, UINT64 remote_address,
               UINT32 remote_token, ULONG flags) {
    core::Qp& qp = face<QpFace>(object).core;
    core::Pieces pieces;
    if ((flags & ~kWriteFlags) != 0 || !pieces.read(sgl, count, piece_of, options_of(flags).inlined)) {
        return qp.initiator().refuse(STATUS_INVALID_PARAMETER);
    }
    return qp.initiator().write(context, pieces.get(), {Address{remote_address}, MrKey{remote_token}},
                                options_of(flags));
}

NTSTATUS read(NDK_QP* object, PVOID context, const NDK_SGE* sgl, ULONG count, UINT64 remote_address,
              UINT32 remote_token, ULONG flags) {
    QpFace& qp = face<QpFace>(object);
    core::Pieces pieces;
    if ((flags & ~kReadFlags) != 0 || !pieces.read(sgl, count, piece_of)) {
        return qp.core.initiator().refuse(STATUS_INVALID_PARAMETER);
    }
    // The first entry's token is invalidated; an adapter that cannot do so ignores the flag [K140, K141].
    const bool invalidates = (flags & NDK_OP_FLAG_RDMA_READ_LOCAL_INVALIDATE) != 0 && count > 0 &&
                             qp.adapter.driver.params().nic.queues.read_local_invalidate;
    return qp.core.initiator().read(context, pieces.get(), {Address{remote_address}, MrKey{remote_token}},
                                    invalidates ? pieces.get().front().key : MrKey{}, options_of(flags));
}

NTSTATUS receive(NDK_QP* qp, PVOID context, const NDK_SGE* sgl, ULONG count) {
    core::Pieces pieces;
    if (!pieces.read(sgl, count, piece_of)) {
        return STATUS_INVALID_PARAMETER;
    }
    return face<QpFace>(qp).core.receive(context, pieces.get());
}

NTSTATUS bind(NDK_QP* object, PVOID context, NDK_MR* mr, NDK_MW* mw, PVOID address, SIZE_T length, ULONG flags) {
    core::Qp& qp = face<QpFace>(object).core;
    core::Mr* const region = mr == nullptr ? nullptr : face<MrFace>(mr).region();
    const bool asks_nothing = (access_of(flags) & kRemoteAccess) == 0;
    const bool local_write_alone =
        (flags & NDK_OP_FLAG_ALLOW_REMOTE_WRITE) == NDK_OP_FLAG_ALLOW_LOCAL_WRITE;  // valid for FastRegister only
    if ((flags & ~kBindFlags) != 0 || has_remote_write_alone(flags) || local_write_alone || asks_nothing ||
        region == nullptr || mw == nullptr) {
        return qp.initiator().refuse(STATUS_INVALID_PARAMETER);
    }
    const core::Binding binding{*region, face<MwFace>(mw).core, static_cast<std::byte*>(address), length,
                                access_of(flags)};
    return qp.initiator().bind(context, binding, options_of(flags));
}

NTSTATUS fast_register(NDK_QP* object, PVOID context, NDK_MR* mr, ULONG count, const NDK_LOGICAL_ADDRESS* pages,
                       ULONG first_byte, SIZE_T length, PVOID base, ULONG flags) {
    core::Qp& qp = face<QpFace>(object).core;
    core::FastMr* const region = mr == nullptr ? nullptr : face<MrFace>(mr).fast();
    if ((flags & ~kFastRegisterFlags) != 0 || has_remote_write_alone(flags) || region == nullptr ||
        (count > 0 && pages == nullptr) || count > kFastRegisterPages) {
        return qp.initiator().refuse(STATUS_INVALID_PARAMETER);
    }
    std::array<Address, kFastRegisterPages> addresses{};
    std::transform(pages, pages + count, addresses.begin(),
                   [](const NDK_LOGICAL_ADDRESS& page) { return Address{static_cast<std::uint64_t>(page.QuadPart)}; });
    const core::FastRegistration registration{
        *region,         {addresses.data(), count}, first_byte, length, Address{reinterpret_cast<std::uintptr_t>(base)},
        access_of(flags)};
    return qp.initiator().fast_register(context, registration, options_of(flags));
}

NTSTATUS invalidate(NDK_QP* object, PVOID context, NDK_OBJECT_HEADER* victim, ULONG flags) {
    core::Qp& qp = face<QpFace>(object).core;
    if ((flags & ~kInvalidateFlags) != 0 || victim == nullptr) {
        return qp.initiator().refuse(STATUS_INVALID_PARAMETER);
    }
    if (victim->ObjectType == NdkObjectTypeMw) {
        const core::Mw& mw = face<MwFace>(reinterpret_cast<NDK_MW*>(victim)).core;
        return qp.initiator().invalidate(context, mw.pd(), mw.key(), options_of(flags));
    }
    const core::FastMr* const mr =
        victim->ObjectType == NdkObjectTypeMr ? face<MrFace>(reinterpret_cast<NDK_MR*>(victim)).fast() : nullptr;
    if (mr == nullptr) {
        return qp.initiator().refuse(STATUS_INVALID_PARAMETER);  // [K134]
    }
    return qp.initiator().invalidate(context, mr->pd(), mr->key(), options_of(flags));
}

}  // namespace

const NDK_QP_DISPATCH kQpDispatch{
    close_object<QpFace>, query_extension, flush, send, receive, bind, fast_register, invalidate, read, write,
    send_and_invalidate,
};

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

QpFace::QpFace(PdFace& pd, CqFace& receive_cq, CqFace& send_cq, core::Srq* srq, void* context,
               const core::QpLimits& limits)
    : Child(NdkObjectTypeQp, pd.adapter, kQpDispatch),
      core(pd.core, receive_cq.core, send_cq.core, srq, context, limits) {
    core.report_overlaps();
}

}  // namespace ndsim::ndk
