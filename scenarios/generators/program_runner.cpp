// SPDX-License-Identifier: Apache-2.0
#include "scenarios/generators/program_runner.hpp"

#include <fmt/format.h>

namespace ndsim {

namespace {

constexpr std::uint64_t kMostRoundsWithoutTime = 1'000'000;

// As a completion names the operation.
std::string_view operation_of(PostKind kind) {
    const PostKind plain = kind == PostKind::send_and_invalidate ? PostKind::send
                           : kind == PostKind::srq_receive       ? PostKind::receive
                                                                 : kind;
    return kPostKindNames.at(static_cast<std::size_t>(plain));
}

}  // namespace

ProgramRunner::ProgramRunner(HostSide& side, const Program& program, Recorder& recorder, CallLog* log)
    : side_(side), program_(program), recorder_(recorder), log_(log) {
    // Every timer has a metric, even if the program never reaches it.
    for_each_op_of<RepeatOp>(program.ops, [this](const RepeatOp& repeat) {
        if (!repeat.timer.empty()) {
            timers_[repeat.timer];
        }
    });
}

void ProgramRunner::run() {
    run_list(program_.ops);
    side_.main_core().sync();
    finished_ = !is_stuck_;
}

void ProgramRunner::run_list(const std::vector<Op>& ops) {
    for (const Op& op : ops) {
        is_stuck_ = is_stuck_ || (log_ != nullptr && !log_->admits_another());
        if (is_stuck_) {
            return;
        }
        at_ = &op;
        std::visit([this](const auto& what) { run(what); }, op.what);
    }
}

void ProgramRunner::note(NTSTATUS status, Picoseconds begun, std::uint32_t request) {
    if (log_ != nullptr) {
        log_->returned(side_.driver().device().host(), {at_, begun, status, request});
    }
}

void ProgramRunner::got(NTSTATUS status, Picoseconds begun, std::string_view operation, const std::string& queue,
                        const std::string& label, std::optional<std::uint32_t> bytes) {
    if (recorder_.statuses().count(status)) {
        const std::string host = side_.host().name + ".";
        recorder_.statuses().add({label.empty() ? at_->path : host + label,
                                  std::string(operation),
                                  side_.driver().device().host(),
                                  host + queue,
                                  {},
                                  {begun, side_.clock()},
                                  status,
                                  bytes});
    }
}

void ProgramRunner::run(const PostOp& op) {
    const Picoseconds begun = side_.clock();
    const Posted posted = side_.face().post(op);
    refused_ += posted.status == STATUS_SUCCESS ? 0 : 1;
    note(posted.status, begun, posted.status == STATUS_SUCCESS ? posted.request : 0);
    if (posted.ended || posted.status != STATUS_SUCCESS) {
        got(posted.status, begun, operation_of(op.kind), op.qp + op.srq, op.label,
            posted.ended && posted.status == STATUS_SUCCESS ? std::optional(posted.bytes) : std::nullopt);
    }
    if (op.label.empty()) {
        return;
    }
    const std::string name = side_.host().name + "." + op.label;
    if (posted.ended) {
        recorder_.ended(name, {begun, side_.clock()}, posted.status, posted.bytes);
    } else {
        const std::uint32_t request = posted.status == STATUS_SUCCESS ? posted.request : 0;
        recorder_.label(side_.driver().device().host(), request, name, begun, posted.status);
    }
}

void ProgramRunner::run(const PollOp& op) {
    for (left_ = op.count; left_ > 0;) {
        awaited_ = fmt::format("polls {}, {} of {} completions to come", op.cq, left_, op.count);
        const std::uint32_t taken = side_.face().poll(op.cq, left_);
        left_ -= taken;
        for (const std::string& window : side_.face().take_invalidations()) {
            got(STATUS_SUCCESS, side_.clock(), "invalidation", op.cq, window);
        }
        if (log_ != nullptr) {
            log_->polled(side_.driver().device().host(), op.cq, taken);
        }
    }
    awaited_.clear();
}

void ProgramRunner::run(const ArmOp& op) {
    side_.face().arm(op.cq, op.wish);
}

void ProgramRunner::run(const WaitOp& op) {
    const Picoseconds begun = side_.clock();
    if (!op.qp.empty()) {
        awaited_ = "waits for the peer of " + op.qp + " to disconnect";
        side_.face().wait_for_disconnect(side_.qp(op.qp));
    } else {
        awaited_ = "waits for a notification of " + op.cq + op.srq;
        op.srq.empty() ? side_.face().wait_for_cq(op.cq) : side_.face().wait_for_srq(op.srq);
    }
    got(STATUS_SUCCESS, begun, "wait", op.qp.empty() ? op.cq + op.srq : op.qp + ".disconnect");
    awaited_.clear();
}

void ProgramRunner::run(const SpinOp& op) {
    const std::uint64_t last = op.piece.offset.count + op.piece.size.count - 1;
    awaited_ = fmt::format("spins on byte {} of {}", last, op.piece.buffer);
    side_.spin(op.piece.buffer, last);
    awaited_.clear();
}

void ProgramRunner::run(const ModifySrqOp& op) {
    const Picoseconds begun = side_.clock();
    const NTSTATUS status = side_.face().modify_srq(op.srq, op.depth, op.threshold);
    refused_ += status == STATUS_SUCCESS ? 0 : 1;
    note(status, begun);
    got(status, begun, "modify_srq", op.srq);
}

void ProgramRunner::run(const ModerateOp& op) {
    const Picoseconds begun = side_.clock();
    const NTSTATUS status = side_.face().moderate(op.cq, op.moderation);
    refused_ += status == STATUS_SUCCESS ? 0 : 1;
    note(status, begun);
    got(status, begun, "moderate", op.cq);
}

void ProgramRunner::run(const ResizeOp& op) {
    const Picoseconds begun = side_.clock();
    const NTSTATUS status = side_.face().resize(op.cq, op.depth);
    refused_ += status == STATUS_SUCCESS ? 0 : 1;
    note(status, begun);
    got(status, begun, "resize", op.cq);
}

void ProgramRunner::run(const ConnectionOp& op) {
    const std::string_view verb = kConnectionVerbNames.at(static_cast<std::size_t>(op.verb));
    side_.main_core().sync();
    const Picoseconds begun = side_.clock();
    if (side_.host().api != Api::ndk) {  // NDK reports the wait exactly
        awaited_ = fmt::format("waits for its {} of {} to end", verb, op.qp);
    }
    const NTSTATUS status = carry_out(op);
    awaited_.clear();
    refused_ += op.makes() && status != STATUS_SUCCESS ? 1 : 0;
    note(status, begun);
    got(status, begun, verb, op.qp, op.label);
    if (!op.label.empty()) {
        recorder_.ended(side_.host().name + "." + op.label, {begun, side_.clock()}, status);
    }
}

NTSTATUS ProgramRunner::carry_out(const ConnectionOp& op) {
    switch (op.verb) {
        case ConnectionVerb::connect:
            return side_.connections().connect(op.qp);
        case ConnectionVerb::listen:
            return side_.connections().listen(op.qp);
        case ConnectionVerb::accept:
            return side_.connections().accept(op.qp);
        case ConnectionVerb::reject:
            return side_.connections().reject(op.qp);
        case ConnectionVerb::disconnect:
            return side_.face().disconnect(side_.qp(op.qp));
        case ConnectionVerb::flush:
            side_.face().flush(side_.qp(op.qp));
            return STATUS_SUCCESS;
    }
    return STATUS_INVALID_PARAMETER;
}

void ProgramRunner::run(const SleepOp& op) {
    side_.main_core().waits_for("sleeps");
    side_.sleep(op.span);
    side_.main_core().waits_for({});
}

void ProgramRunner::run(const RepeatOp& op) {
    const Op* const at = at_;
    for (std::uint64_t round = 0; round < op.count && !is_stuck_; ++round) {
        const Picoseconds begun = side_.clock();
        run_list(op.body);
        if (!is_stuck_) {
            at_ = at;
            count_round();
        }
        if (!op.timer.empty()) {
            timers_[op.timer].record(side_.clock() - begun);
        }
    }
}

void ProgramRunner::count_round() {
    rounds_without_time_ = side_.clock() == last_round_ ? rounds_without_time_ + 1 : 0;
    last_round_ = side_.clock();
    if (rounds_without_time_ >= kMostRoundsWithoutTime) {
        is_stuck_ = true;
        awaited_ = fmt::format("has gone {} rounds in which no time passes", kMostRoundsWithoutTime);
    }
}

std::string ProgramRunner::awaited() const {
    const std::string& in_call = side_.main_core().waiting();
    return !awaited_.empty() || in_call.empty() ? awaited_ : "waits for " + in_call;
}

std::string ProgramRunner::where() const {
    const std::string waiting = awaited();
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
    metrics.add(prefix + ".cq_failures", side_.face().cq_failures(), std::nullopt,
                "notifications that a completion queue has failed");
    for (const auto& [name, histogram] : timers_) {
        metrics.add_latency(prefix + "." + name, histogram, "time of a round");
    }
}

}  // namespace ndsim
