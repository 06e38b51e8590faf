// SPDX-License-Identifier: Apache-2.0
#include "scenarios/engine/program_runner.hpp"

#include <fmt/format.h>

#include <array>

#include "ndapi/ndk/faces.hpp"
#include "ndapi/ndk/srq.hpp"

namespace ndsim {

ProgramRunner::ProgramRunner(HostSide& side, const Program& program, Recorder& recorder)
    : side_(side), program_(program), recorder_(recorder) {}

void ProgramRunner::run() {
    run_list(program_.ops);
    side_.main_core().sync();
    finished_ = true;
}

void ProgramRunner::run_list(const std::vector<Op>& ops) {
    for (const Op& op : ops) {
        at_ = &op;
        std::visit([this](const auto& what) { run(what); }, op.what);
    }
}

void ProgramRunner::run(const PostOp& op) {
    sgl_.clear();
    for (const Piece& piece : op.pieces) {
        sgl_.push_back(sge_of(piece));
    }
    const NDK_SGE* const list = sgl_.empty() ? nullptr : sgl_.data();
    const auto count = static_cast<ULONG>(sgl_.size());
    const Picoseconds posted = side_.clock();
    const auto [status, request] = post(op, list, count);
    if (status != STATUS_SUCCESS) {
        ++refused_;
    }
    if (!op.label.empty()) {
        const std::string name = side_.host().name + "." + op.label;
        recorder_.label(side_.driver().node().host, status == STATUS_SUCCESS ? request : 0, name, posted, status);
    }
}

// The status, and the request's number.
std::pair<NTSTATUS, std::uint32_t> ProgramRunner::post(const PostOp& op, const NDK_SGE* list, ULONG count) {
    if (op.kind == PostKind::srq_receive) {
        NDK_SRQ* const srq = side_.srq(op.srq).srq;
        const NTSTATUS status = srq->Dispatch->NdkSrqReceive(srq, nullptr, list, count);
        return {status, ndk::face<ndk::SrqFace>(srq).core.last_request()};
    }
    NDK_QP* const qp = side_.qp(op.qp).qp;
    const NTSTATUS status = post(qp, op, list, count);
    return {status, ndk::face<ndk::QpFace>(qp).core.last_request()};
}

NDK_SGE ProgramRunner::sge_of(const Piece& piece) {
    NDK_SGE sge{};
    sge.Length = static_cast<ULONG>(piece.size.count);
    if (side_.has_memory(piece.buffer)) {
        const MemoryHandle& memory = side_.memory(piece.buffer);
        sge.VirtualAddress = reinterpret_cast<PVOID>(memory.open.address + piece.offset.count);
        sge.MemoryRegionToken = memory.open.token;
    } else {
        const BufferHandle& buffer = side_.buffer(piece.buffer);
        sge.VirtualAddress = buffer.memory.data() + piece.offset.count;
        sge.MemoryRegionToken = buffer.token;
    }
    return sge;
}

NTSTATUS ProgramRunner::post(NDK_QP* qp, const PostOp& op, const NDK_SGE* list, ULONG count) {
    switch (op.kind) {
        case PostKind::send:
            return qp->Dispatch->NdkSend(qp, nullptr, list, count, op.flags);
        case PostKind::receive:
            return qp->Dispatch->NdkReceive(qp, nullptr, list, count);
        case PostKind::send_and_invalidate:
            return qp->Dispatch->NdkSendAndInvalidate(qp, nullptr, list, count, op.flags,
                                                      side_.remote_buffer(op.peer).token);
        case PostKind::write: {
            const RemoteBuffer to = side_.remote_buffer(op.peer);
            return qp->Dispatch->NdkWrite(qp, nullptr, list, count, to.address + op.peer_offset.count, to.token,
                                          op.flags);
        }
        case PostKind::read: {
            const RemoteBuffer from = side_.remote_buffer(op.peer);
            return qp->Dispatch->NdkRead(qp, nullptr, list, count, from.address + op.peer_offset.count, from.token,
                                         op.flags);
        }
        case PostKind::invalidate: {
            const MemoryHandle& memory = side_.memory(op.memory);
            NDK_OBJECT_HEADER& object = memory.mw != nullptr ? memory.mw->Header : memory.mr->Header;
            return qp->Dispatch->NdkInvalidate(qp, nullptr, &object, op.flags);
        }
        case PostKind::bind:
        case PostKind::fast_register:
            return open_memory(qp, op);
        case PostKind::srq_receive:
            break;  // has no queue pair
    }
    return STATUS_INVALID_PARAMETER;
}

// Peers that post later use the key and the address from now on, as if they had been told.
NTSTATUS ProgramRunner::open_memory(NDK_QP* qp, const PostOp& op) {
    constexpr std::uint64_t kPage = PAGE_SIZE;
    const Piece& piece = op.pieces.front();
    BufferHandle& buffer = side_.buffer(piece.buffer);
    MemoryHandle& memory = side_.memory(op.memory);
    const std::uint64_t offset = piece.offset.count;
    const std::uint64_t length = piece.size.count;
    NTSTATUS status = STATUS_SUCCESS;
    if (op.kind == PostKind::bind) {
        status =
            qp->Dispatch->NdkBind(qp, nullptr, buffer.mr, memory.mw, buffer.memory.data() + offset, length, op.flags);
    } else {
        const RemoteBuffer base = side_.remote_buffer(side_.host().name + "." + piece.buffer);
        const auto first_byte = static_cast<ULONG>(offset % kPage);
        const auto pages = static_cast<ULONG>((first_byte + length + kPage - 1) / kPage);
        status = qp->Dispatch->NdkFastRegister(qp, nullptr, memory.mr, pages,
                                               side_.pages(buffer).AdapterPageArray + offset / kPage, first_byte,
                                               length, reinterpret_cast<PVOID>(base.address + offset), op.flags);
    }
    if (status == STATUS_SUCCESS) {
        side_.publish(memory, buffer, offset);
    }
    return status;
}

void ProgramRunner::run(const PollOp& op) {
    NDK_CQ* const cq = side_.cq(op.cq).cq;
    std::array<NDK_RESULT_EX, 16> results{};
    for (std::uint32_t left = op.count; left > 0;) {
        side_.main_core().waits_for(fmt::format("polls {}, {} of {} completions to come", op.cq, left, op.count));
        ndk::face<ndk::CqFace>(cq).core.wait();
        const ULONG wanted = std::min<ULONG>(left, results.size());
        left -= cq->Dispatch->NdkGetCqResultsEx(cq, results.data(), wanted);
    }
    side_.main_core().waits_for({});
}

void ProgramRunner::run(const ArmOp& op) {
    constexpr std::array<ULONG, 3> kTypes{NDK_CQ_NOTIFY_ERRORS, NDK_CQ_NOTIFY_ANY, NDK_CQ_NOTIFY_SOLICITED};
    NDK_CQ* const cq = side_.cq(op.cq).cq;
    cq->Dispatch->NdkArmCq(cq, kTypes[static_cast<std::size_t>(op.wish)]);
}

void ProgramRunner::run(const WaitOp& op) {
    if (!op.qp.empty()) {
        awaited_ = "the peer of " + op.qp + " to disconnect";
        side_.wait(*side_.qp(op.qp).peer_left, awaited_);
        return;
    }
    Notifications& notifications = op.srq.empty() ? side_.cq(op.cq).notifications : side_.srq(op.srq).notifications;
    Core& core = side_.main_core();
    core.sync();
    notifications.on_notification = [this, &core] {
        core.wake(side_.driver().core().clock() + side_.driver().params().cpu.event_wakeup);
    };
    while (notifications.count == 0) {
        core.waits_for("waits for a notification of " + op.cq + op.srq);
        core.sleep();
    }
    core.waits_for({});
    notifications.on_notification = nullptr;
    --notifications.count;
}

void ProgramRunner::run(const SpinOp& op) {
    const std::uint64_t last = op.piece.offset.count + op.piece.size.count - 1;
    side_.main_core().waits_for(fmt::format("spins on byte {} of {}", last, op.piece.buffer));
    side_.spin(op.piece.buffer, last);
    side_.main_core().waits_for({});
}

void ProgramRunner::run(const ModifySrqOp& op) {
    if (side_.modify_srq(op.srq, op.depth, op.threshold) != STATUS_SUCCESS) {
        ++refused_;
    }
}

void ProgramRunner::run(const ModerateOp& op) {
    refused_ += side_.moderate(side_.cq(op.cq), op.moderation) == STATUS_SUCCESS ? 0 : 1;
}

void ProgramRunner::run(const ResizeOp& op) {
    refused_ += side_.resize(side_.cq(op.cq), op.depth) == STATUS_SUCCESS ? 0 : 1;
}

void ProgramRunner::run(const ConnectionOp& op) {
    side_.main_core().sync();
    const Picoseconds begun = side_.clock();
    const NTSTATUS status = carry_out(op);
    refused_ += op.makes() && status != STATUS_SUCCESS ? 1 : 0;
    if (!op.label.empty()) {
        recorder_.ended(side_.host().name + "." + op.label, {begun, side_.clock()}, status);
    }
}

NTSTATUS ProgramRunner::carry_out(const ConnectionOp& op) {
    switch (op.verb) {
        case ConnectionVerb::connect:
            return side_.connect(op.qp);
        case ConnectionVerb::listen:
            return side_.listen(op.qp);
        case ConnectionVerb::accept:
            return side_.accept(op.qp);
        case ConnectionVerb::reject:
            return side_.reject(op.qp);
        case ConnectionVerb::disconnect:
            return side_.disconnect(op.qp);
        case ConnectionVerb::flush: {
            NDK_QP* const qp = side_.qp(op.qp).qp;
            qp->Dispatch->NdkFlush(qp);
            return STATUS_SUCCESS;
        }
    }
    return STATUS_INVALID_PARAMETER;
}

void ProgramRunner::run(const SleepOp& op) {
    side_.main_core().waits_for("sleeps");
    side_.sleep(op.span);
    side_.main_core().waits_for({});
}

void ProgramRunner::run(const RepeatOp& op) {
    for (std::uint64_t round = 0; round < op.count; ++round) {
        const Picoseconds begun = side_.clock();
        run_list(op.body);
        if (!op.timer.empty()) {
            timers_[op.timer].record(side_.clock() - begun);
        }
    }
}

std::string ProgramRunner::where() const {
    const std::string& waiting = side_.main_core().waiting();
    if (at_ == nullptr) {
        return fmt::format("the program of {} before its first operation", side_.host().name);
    }
    return fmt::format("the program of {} at {} (line {}): {}", side_.host().name, at_->path, at_->at.line,
                       waiting.empty() ? "running" : waiting);
}

void ProgramRunner::report(Metrics& metrics) const {
    const std::string prefix = "programs." + side_.host().name;
    metrics.add(prefix + ".refused", refused_, std::nullopt,
                "posts, changes, and steps towards a connection that did not succeed");
    metrics.add(prefix + ".cq_failures", side_.cq_failures(), std::nullopt,
                "notifications that a completion queue has failed");
    for (const auto& [name, histogram] : timers_) {
        metrics.add_latency(prefix + "." + name, histogram, "time of a round");
    }
}

}  // namespace ndsim
