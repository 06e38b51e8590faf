// SPDX-License-Identifier: Apache-2.0
#include "scenarios/generators/receive_poster.hpp"

#include <algorithm>
#include <utility>

#include "ndapi/ndk/faces.hpp"
#include "ndapi/ndk/srq.hpp"

namespace ndsim {

void ReceivePoster::open(NdkFace& face, const QueuePair& qp) {
    qp_ = face.qp(qp.name);
    shared_ = qp.srq.empty() ? nullptr : &face.share_srq(qp.srq);
}

bool ReceivePoster::post(CompletionInbox::Context& context, const core::LocalPiece& piece) {
    if (!is_shared()) {
        core::Qp& qp = ndk::face<ndk::QpFace>(qp_).core;
        return qp.receive(&context, {&piece, 1}, core::Tells::with_list) == STATUS_SUCCESS;
    }
    if (shared_->locked_until > core_.clock()) {
        core_.spend(CoreActivity::lock, shared_->locked_until - core_.clock());
    }
    const NTSTATUS status = ndk::face<ndk::SrqFace>(shared_->srq).core.receive(&context, {&piece, 1});
    shared_->locked_until = core_.clock();
    if (status == STATUS_NO_MORE_ENTRIES && std::ranges::find(shared_->waiting, &core_) == shared_->waiting.end()) {
        shared_->waiting.push_back(&core_);
    }
    return status == STATUS_SUCCESS;
}

std::optional<Picoseconds> ReceivePoster::room_at() const {
    return ndk::face<ndk::SrqFace>(shared_->srq).core.room_at(core_.clock());
}

void ReceivePoster::hear_of_receives(std::function<void(std::uint32_t)> callback) const {
    ndk::face<ndk::QpFace>(qp_).core.hear_of_receives(std::move(callback));
}

void ReceivePoster::ring() {
    if (!is_shared()) {
        ndk::face<ndk::QpFace>(qp_).core.ring_receive_doorbell();
    }
}

}  // namespace ndsim
