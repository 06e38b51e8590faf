// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "ndapi/ndspi/v1_completion_queue.hpp"
#include "ndapi/ndspi/v1_descriptor.hpp"
#include "ndapi/ndspi/v1_endpoint.hpp"
#include "scenarios/hosts/nd1_face.hpp"

// The requests of a host that uses NDSPI's version 1, and their results.
namespace ndsim {

Posted Nd1Face::post(const PostOp& op) {
    gather(op);
    QpHandle& qp = qps_.at(op.qp);
    Result& result = new_result(op);
    const HRESULT status = post(qp, op, result);
    if (status != ND_SUCCESS && result.of_request) {
        free_results_.push_back(&result);
    }
    return {status, static_cast<nd::Endpoint1*>(qp.endpoint)->core().last_request()};
}

Nd1Face::Result& Nd1Face::new_result(const PostOp& op) {
    if ((op.flags & kPostSilentSuccess) != 0) {
        return silent_;
    }
    if (free_results_.empty()) {
        free_results_.push_back(&results_.emplace_back());
        results_.back().of_request = true;
    }
    Result& result = *free_results_.back();
    free_results_.pop_back();
    return result;
}

// Inline data has no handle (R144).
void Nd1Face::gather(const PostOp& op) {
    const bool inlined = (op.flags & kPostInline) != 0;
    sgl_.clear();
    for (const Piece& piece : op.pieces) {
        const Region& region = buffers_.at(piece.buffer);
        sgl_.push_back({region.data + piece.offset.count, piece.size.count, inlined ? nullptr : region.handle});
    }
}

HRESULT Nd1Face::post(QpHandle& qp, const PostOp& op, Result& result) {
    const RemoteRange peer = op.peer.empty() ? RemoteRange{} : side_.published(op.peer);
    const ND_MW_DESCRIPTOR window = nd::descriptor_of(peer.key, peer.address, 0);
    const DWORD flags = nd_flags(op.flags);
    switch (op.kind) {
        case PostKind::send:
            return qp.endpoint->Send(&result, sgl_.data(), sgl_.size(), flags);
        case PostKind::receive:
            return qp.endpoint->Receive(&result, sgl_.data(), sgl_.size());
        case PostKind::send_and_invalidate:
            return qp.endpoint->SendAndInvalidate(&result, sgl_.data(), sgl_.size(), &window, flags);
        case PostKind::write:
            return qp.endpoint->Write(&result, sgl_.data(), sgl_.size(), &window, op.peer_offset.count, flags);
        case PostKind::read:
            return qp.endpoint->Read(&result, sgl_.data(), sgl_.size(), &window, op.peer_offset.count, flags);
        case PostKind::bind:
            return bind(qp, op, result);
        case PostKind::invalidate:
            return qp.endpoint->Invalidate(&result, windows_.at(op.memory).window, flags);
        default:
            return ND_NOT_SUPPORTED;
    }
}

HRESULT Nd1Face::bind(QpHandle& qp, const PostOp& op, Result& result) {
    const Piece& piece = op.pieces.front();
    const Region& region = buffers_.at(piece.buffer);
    ND_MW_DESCRIPTOR window{};
    const HRESULT status =
        qp.endpoint->Bind(&result, region.handle, windows_.at(op.memory).window, region.data + piece.offset.count,
                          piece.size.count, nd_flags(op.flags), &window);
    if (status == ND_SUCCESS) {
        side_.opened(op.memory, piece, nd::key_of(window));
    }
    return status;
}

std::uint32_t Nd1Face::poll(const std::string& cq, std::uint32_t most) {
    std::array<ND_RESULT*, 16> results{};
    INDCompletionQueue* const object = cqs_.at(cq).cq;
    static_cast<nd::CompletionQueue1*>(object)->core().wait();
    const SIZE_T count = object->GetResults(results.data(), std::min<SIZE_T>(most, results.size()));
    for (SIZE_T i = 0; i < count; ++i) {
        auto* const result = static_cast<Result*>(results[i]);
        if (result->of_request) {
            free_results_.push_back(result);
        }
    }
    return static_cast<std::uint32_t>(count);
}

void Nd1Face::arm(const std::string& cq, ArmFor wish) {
    CqHandle& handle = cqs_.at(cq);
    (void)handle.cq->Notify(nd_notify_type(wish), &handle.notifies.add());
}

void Nd1Face::wait_for_cq(const std::string& cq) {
    CqHandle& handle = cqs_.at(cq);
    handle.notifies.take(side_, *handle.cq);
}

}  // namespace ndsim
