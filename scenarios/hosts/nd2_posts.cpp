// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "ndapi/ndspi/v2_completion_queue.hpp"
#include "ndapi/ndspi/v2_queue_pair.hpp"
#include "ndapi/ndspi/v2_shared_receive_queue.hpp"
#include "ndapi/windows/abi/byteorder.h"
#include "scenarios/hosts/nd2_face.hpp"

// The requests of a host that uses NDSPI's version 2, and their results.
namespace ndsim {

Posted Nd2Face::post(const PostOp& op) {
    gather(op.pieces);
    if (op.kind == PostKind::srq_receive) {
        IND2SharedReceiveQueue* const srq = srqs_.at(op.srq).srq;
        const HRESULT status = srq->Receive(nullptr, sgl_.data(), static_cast<ULONG>(sgl_.size()));
        return {status, static_cast<nd::SharedReceiveQueue2*>(srq)->core().last_request()};
    }
    QpHandle& qp = qps_.at(op.qp);
    const HRESULT status = post(qp, op);
    return {status, static_cast<nd::QueuePair2*>(qp.qp)->core().last_request()};
}

void Nd2Face::gather(const std::vector<Piece>& pieces) {
    sgl_.clear();
    for (const Piece& piece : pieces) {
        const Region& region = buffers_.at(piece.buffer);
        sgl_.push_back(
            {region.data + piece.offset.count, static_cast<ULONG>(piece.size.count), region.region->GetLocalToken()});
    }
}

HRESULT Nd2Face::post(QpHandle& qp, const PostOp& op) {
    const RemoteRange peer = op.peer.empty() ? RemoteRange{} : side_.published(op.peer);
    const UINT64 place = raw(peer.address) + op.peer_offset.count;
    const UINT32 token = htonl(raw(peer.key));
    const ULONG flags = nd_flags(op.flags) | ((op.flags & kPostInline) != 0 ? ND_OP_FLAG_INLINE : 0);
    const auto count = static_cast<ULONG>(sgl_.size());
    switch (op.kind) {
        case PostKind::send:
            return qp.qp->Send(nullptr, sgl_.data(), count, flags);
        case PostKind::receive:
            return qp.qp->Receive(nullptr, sgl_.data(), count);
        case PostKind::write:
            return qp.qp->Write(nullptr, sgl_.data(), count, place, token, flags);
        case PostKind::read:
            return qp.qp->Read(nullptr, sgl_.data(), count, place, token, flags);
        case PostKind::bind:
            return bind(qp, op);
        case PostKind::invalidate:
            return qp.qp->Invalidate(nullptr, windows_.at(op.memory), flags);
        default:
            return ND_NOT_SUPPORTED;
    }
}

HRESULT Nd2Face::bind(QpHandle& qp, const PostOp& op) {
    const Piece& piece = op.pieces.front();
    const Region& region = buffers_.at(piece.buffer);
    IND2MemoryWindow* const window = windows_.at(op.memory);
    const HRESULT status = qp.qp->Bind(nullptr, region.region, window, region.data + piece.offset.count,
                                       piece.size.count, nd_flags(op.flags));
    if (status == ND_SUCCESS) {
        side_.opened(op.memory, piece, MrKey{ntohl(window->GetRemoteToken())});
    }
    return status;
}

std::uint32_t Nd2Face::poll(const std::string& cq, std::uint32_t most) {
    std::array<ND2_RESULT, 16> results{};
    IND2CompletionQueue* const object = cqs_.at(cq).cq;
    static_cast<nd::CompletionQueue2*>(object)->core().wait();
    return object->GetResults(results.data(), std::min<ULONG>(most, results.size()));
}

void Nd2Face::arm(const std::string& cq, ArmFor wish) {
    CqHandle& handle = cqs_.at(cq);
    (void)handle.cq->Notify(nd_notify_type(wish), &handle.notifies.add());
}

void Nd2Face::wait_for_cq(const std::string& cq) {
    CqHandle& handle = cqs_.at(cq);
    handle.notifies.take(side_, *handle.cq);
}

void Nd2Face::wait_for_srq(const std::string& srq) {
    SrqHandle& handle = srqs_.at(srq);
    handle.notifies.take(side_, *handle.srq);
}

}  // namespace ndsim
