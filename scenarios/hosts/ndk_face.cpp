// SPDX-License-Identifier: Apache-2.0
#include "scenarios/hosts/ndk_face.hpp"

#include <algorithm>
#include <array>

#include "ndapi/ndk/faces.hpp"
#include "ndapi/ndk/srq.hpp"

namespace ndsim {

namespace {

constexpr NDK_VERSION kWanted{1, 2};

}  // namespace

NdkFace& ndk_face(HostSide& side) {
    return dynamic_cast<NdkFace&>(side.face());
}

void Notifications::notify(PVOID context, NTSTATUS status) {
    auto& notifications = *static_cast<Notifications*>(context);
    ++notifications.count;
    notifications.failures += status == STATUS_SUCCESS ? 0 : 1;
    if (notifications.awaited != nullptr) {
        notifications.awaited->signal();
    }
}

NTSTATUS NdkFace::open() {
    const NTSTATUS status = side_.open_adapter(kWanted, &adapter_);
    if (status != STATUS_SUCCESS) {
        return status;
    }
    return obtain(side_, "its PD to be created", pd_, [this](Pending& pending, NDK_PD** pd) {
        return adapter_->Dispatch->NdkCreatePd(adapter_, Pending::created, &pending, pd);
    });
}

NTSTATUS NdkFace::add_cq(const std::string& name, std::uint32_t depth) {
    CqHandle& handle = cqs_[name];
    return obtain(side_, "its CQ to be created", handle.cq, [&](Pending& pending, NDK_CQ** cq) {
        return adapter_->Dispatch->NdkCreateCq(adapter_, depth, Notifications::notify, &handle.notifications, nullptr,
                                               Pending::created, &pending, cq);
    });
}

NTSTATUS NdkFace::moderate(const std::string& cq, const InterruptModeration& moderation) {
    constexpr Picoseconds kUnit = std::chrono::microseconds{1};
    NDK_CQ* const object = cqs_.at(cq).cq;
    const bool on = moderation.is_on();
    const bool timed = moderation.interval != Picoseconds{};
    const auto interval = timed ? static_cast<ULONG>(moderation.interval / kUnit) : MAXULONG;
    const ULONG count = moderation.count != 0 ? moderation.count : MAXULONG;
    return object->Dispatch->NdkControlCqInterruptModeration(object, on ? interval : 0, on ? count : 0);
}

NTSTATUS NdkFace::resize(const std::string& cq, std::uint32_t depth) {
    NDK_CQ* const object = cqs_.at(cq).cq;
    Pending pending(side_);
    return pending.outcome(object->Dispatch->NdkResizeCq(object, depth, Pending::done, &pending),
                           "its CQ to be resized");
}

std::uint64_t NdkFace::cq_failures() const {
    std::uint64_t sum = 0;
    for (const auto& [name, cq] : cqs_) {
        sum += cq.notifications.failures;
    }
    return sum;
}

NTSTATUS NdkFace::add_srq(const SharedReceiveQueue& srq) {
    SrqHandle& handle = srqs_[srq.name];
    return obtain(side_, "its SRQ to be created", handle.srq, [&](Pending& pending, NDK_SRQ** created) {
        return pd_->Dispatch->NdkCreateSrq(pd_, srq.depth, srq.max_sge, srq.threshold, Notifications::notify,
                                           &handle.notifications, nullptr, Pending::created, &pending, created);
    });
}

SharedSrq& NdkFace::share_srq(const std::string& name) {
    SharedSrq& shared = srqs_.at(name);
    ndk::face<ndk::SrqFace>(shared.srq).core.on_reclaimed([this, &shared] {
        const Core& running = side_.driver().core();
        for (Core* const core : std::exchange(shared.waiting, {})) {
            if (core != &running) {  // it will try again by itself
                core->wake(running.clock());
            }
        }
    });
    return shared;
}

NTSTATUS NdkFace::modify_srq(const std::string& name, std::uint32_t depth, std::uint32_t threshold) {
    NDK_SRQ* const srq = srqs_.at(name).srq;
    Pending pending(side_);
    return pending.outcome(srq->Dispatch->NdkModifySrq(srq, depth, threshold, Pending::done, &pending),
                           "its SRQ to be modified");
}

NTSTATUS NdkFace::add_qp(const QueuePair& qp) {
    QpHandle& handle = qps_.try_emplace(qp.name, side_, qp).first->second;
    CompletionInbox::Context* const context = &handle.context;
    NDK_CQ* const receive_cq = cqs_.at(qp.receive_cq).cq;
    NDK_CQ* const send_cq = cqs_.at(qp.send_cq).cq;
    return obtain(side_, "its QP to be created", handle.qp, [&](Pending& pending, NDK_QP** created) {
        return qp.srq.empty()
                   ? pd_->Dispatch->NdkCreateQp(pd_, receive_cq, send_cq, context, qp.rq.depth, qp.sq.depth, qp.max_sge,
                                                qp.max_sge, qp.inline_max, Pending::created, &pending, created)
                   : pd_->Dispatch->NdkCreateQpWithSrq(pd_, receive_cq, send_cq, srqs_.at(qp.srq).srq, context,
                                                       qp.sq.depth, qp.max_sge, qp.inline_max, Pending::created,
                                                       &pending, created);
    });
}

// There is no wait for its end.
void NdkFace::drop_qp(const QueuePair& qp) {
    NDK_QP* const dropped = std::exchange(qps_.at(qp.name).qp, nullptr);
    (void)dropped->Dispatch->NdkCloseQp(
        &dropped->Header, [](PVOID) {}, nullptr);
}

std::optional<QpNum> NdkFace::number_of(const std::string& qp) const {
    const auto found = qps_.find(qp);
    if (found == qps_.end() || found->second.qp == nullptr) {
        return std::nullopt;
    }
    return ndk::face<ndk::QpFace>(found->second.qp).core.number();
}

NTSTATUS NdkFace::connect(const QueuePair& qp, const sockaddr_in& peer) {
    QpHandle& handle = qps_.at(qp.name);
    return handle.connection.connect(*adapter_, handle.qp, peer);
}

NTSTATUS NdkFace::accept(const QueuePair& qp) {
    QpHandle& handle = qps_.at(qp.name);
    return handle.connection.accept(handle.qp);
}

void NdkFace::take(Notifications& notifications) {
    side_.main_core().sync();
    if (notifications.count == 0) {
        HostEvent event(side_);
        notifications.awaited = &event;
        event.wait("a notification");
        notifications.awaited = nullptr;
    }
    --notifications.count;
}

Posted NdkFace::post(const PostOp& op) {
    sgl_.clear();
    for (const Piece& piece : op.pieces) {
        sgl_.push_back(memory_.sge_of(piece));
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
        case PostKind::invalidate:
            return memory_.invalidate(qp, op);
        case PostKind::bind:
        case PostKind::fast_register:
            return memory_.open(*adapter_, qp, op);
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
