// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "ndapi/ndk/faces.hpp"
#include "ndapi/ndk/srq.hpp"
#include "scenarios/hosts/ndk_face.hpp"

// The requests of a host that uses NDKPI, and their completions.
namespace ndsim {

Posted NdkFace::post(const PostOp& op) {
    sgl_.clear();
    for (const Piece& piece : op.pieces) {
        sgl_.push_back(sge_of(piece));
    }
    const NDK_SGE* const list = sgl_.empty() ? nullptr : sgl_.data();
    const auto count = static_cast<ULONG>(sgl_.size());
    if (op.kind == PostKind::srq_receive) {
        NDK_SRQ* const srq = srqs_.at(op.srq).srq;
        const NTSTATUS status = srq->Dispatch->NdkSrqReceive(srq, nullptr, list, count);
        return {status, ndk::face<ndk::SrqFace>(srq).core.last_request()};
    }
    NDK_QP* const qp = qps_.at(op.qp).qp;
    const NTSTATUS status = post(qp, op, list, count);
    return {status, ndk::face<ndk::QpFace>(qp).core.last_request()};
}

NDK_SGE NdkFace::sge_of(const Piece& piece) const {
    NDK_SGE sge{};
    sge.Length = static_cast<ULONG>(piece.size.count);
    if (side_.has_memory(piece.buffer)) {
        const RemoteRange& open = side_.memory(piece.buffer);
        sge.VirtualAddress = reinterpret_cast<PVOID>(raw(open.address) + piece.offset.count);
        sge.MemoryRegionToken = raw(open.key);
    } else {
        const Region& region = buffers_.at(piece.buffer);
        sge.VirtualAddress = region.memory->data() + piece.offset.count;
        sge.MemoryRegionToken = region.token;
    }
    return sge;
}

NTSTATUS NdkFace::post(NDK_QP* qp, const PostOp& op, const NDK_SGE* list, ULONG count) {
    const RemoteRange peer = op.peer.empty() ? RemoteRange{} : side_.published(op.peer);
    const std::uint64_t place = raw(peer.address) + op.peer_offset.count;
    switch (op.kind) {
        case PostKind::send:
            return qp->Dispatch->NdkSend(qp, nullptr, list, count, op.flags);
        case PostKind::receive:
            return qp->Dispatch->NdkReceive(qp, nullptr, list, count);
        case PostKind::send_and_invalidate:
            return qp->Dispatch->NdkSendAndInvalidate(qp, nullptr, list, count, op.flags, raw(peer.key));
        case PostKind::write:
            return qp->Dispatch->NdkWrite(qp, nullptr, list, count, place, raw(peer.key), op.flags);
        case PostKind::read:
            return qp->Dispatch->NdkRead(qp, nullptr, list, count, place, raw(peer.key), op.flags);
        case PostKind::invalidate: {
            const Memory& memory = memory_.at(op.memory);
            NDK_OBJECT_HEADER& object = memory.mw != nullptr ? memory.mw->Header : memory.mr->Header;
            return qp->Dispatch->NdkInvalidate(qp, nullptr, &object, op.flags);
        }
        case PostKind::bind:
        case PostKind::fast_register:
            return open_memory(qp, op);
        case PostKind::srq_receive:
            break;  // it has no queue pair
    }
    return STATUS_INVALID_PARAMETER;
}

std::uint32_t NdkFace::poll(const std::string& cq, std::uint32_t most) {
    std::array<NDK_RESULT_EX, 16> results{};
    NDK_CQ* const object = cqs_.at(cq).cq;
    ndk::face<ndk::CqFace>(object).core.wait();
    return object->Dispatch->NdkGetCqResultsEx(object, results.data(), std::min<ULONG>(most, results.size()));
}

void NdkFace::arm(const std::string& cq, ArmFor wish) {
    constexpr std::array<ULONG, 3> kTypes{NDK_CQ_NOTIFY_ERRORS, NDK_CQ_NOTIFY_ANY, NDK_CQ_NOTIFY_SOLICITED};
    NDK_CQ* const object = cqs_.at(cq).cq;
    object->Dispatch->NdkArmCq(object, kTypes[static_cast<std::size_t>(wish)]);
}

void NdkFace::flush(const QueuePair& qp) {
    NDK_QP* const object = qps_.at(qp.name).qp;
    object->Dispatch->NdkFlush(object);
}

}  // namespace ndsim
