// SPDX-License-Identifier: Apache-2.0
#include "scenarios/hosts/ndk_face.hpp"

#include "ndapi/ndk/faces.hpp"
#include "ndapi/ndk/srq.hpp"

// A host that uses NDKPI: its adapter and its queues. Its memory is in ndk_memory.cpp, its connections in
// ndk_connections.cpp, its requests in ndk_posts.cpp.
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
    if (notifications.on_notification) {
        notifications.on_notification();
    }
}

NTSTATUS NdkFace::open() {
    const NTSTATUS status = side_.open_adapter(kWanted, &adapter_);
    if (status != STATUS_SUCCESS) {
        return status;
    }
    return obtain("its PD to be created", pd_, [this](Pending& pending, NDK_PD** pd) {
        return adapter_->Dispatch->NdkCreatePd(adapter_, Pending::created, &pending, pd);
    });
}

NTSTATUS NdkFace::add_cq(const std::string& name, std::uint32_t depth) {
    CqHandle& handle = cqs_[name];
    return obtain("its CQ to be created", handle.cq, [&](Pending& pending, NDK_CQ** cq) {
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
    return obtain("its SRQ to be created", handle.srq, [&](Pending& pending, NDK_SRQ** created) {
        return pd_->Dispatch->NdkCreateSrq(pd_, srq.depth, srq.max_sge, srq.threshold, Notifications::notify,
                                           &handle.notifications, nullptr, Pending::created, &pending, created);
    });
}

NTSTATUS NdkFace::modify_srq(const std::string& name, std::uint32_t depth, std::uint32_t threshold) {
    NDK_SRQ* const srq = srqs_.at(name).srq;
    Pending pending(side_);
    return pending.outcome(srq->Dispatch->NdkModifySrq(srq, depth, threshold, Pending::done, &pending),
                           "its SRQ to be modified");
}

NTSTATUS NdkFace::add_qp(const QueuePair& qp) {
    QpHandle& handle = qps_.try_emplace(qp.name, side_).first->second;
    NDK_CQ* const receive_cq = cqs_.at(qp.receive_cq).cq;
    NDK_CQ* const send_cq = cqs_.at(qp.send_cq).cq;
    return obtain("its QP to be created", handle.qp, [&](Pending& pending, NDK_QP** created) {
        return qp.srq.empty()
                   ? pd_->Dispatch->NdkCreateQp(pd_, receive_cq, send_cq, &handle, qp.rq.depth, qp.sq.depth, qp.max_sge,
                                                qp.max_sge, qp.inline_max, Pending::created, &pending, created)
                   : pd_->Dispatch->NdkCreateQpWithSrq(pd_, receive_cq, send_cq, srqs_.at(qp.srq).srq, &handle,
                                                       qp.sq.depth, qp.max_sge, qp.inline_max, Pending::created,
                                                       &pending, created);
    });
}

std::optional<QpNum> NdkFace::number_of(const std::string& qp) const {
    const auto found = qps_.find(qp);
    if (found == qps_.end() || found->second.qp == nullptr) {
        return std::nullopt;
    }
    return ndk::face<ndk::QpFace>(found->second.qp).core.number();
}

void NdkFace::take(Notifications& notifications) {
    Core& core = side_.main_core();
    core.sync();
    notifications.on_notification = [this, &core] {
        core.wake(side_.driver().core().clock() + side_.driver().params().cpu.event_wakeup);
    };
    while (notifications.count == 0) {
        core.sleep();
    }
    notifications.on_notification = nullptr;
    --notifications.count;
}

}  // namespace ndsim
