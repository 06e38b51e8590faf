// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "ndapi/ndspi/ndstatus.h"
#include "scenarios/forecast/follower.hpp"

// When nothing goes on any more: requests that now surely fail, since what they have waited for never comes.
namespace ndsim::forecast {

namespace {

// The receives that a program posts to a queue pair in all, if it gets to its end.
std::uint64_t receives_in(const std::vector<Op>& ops, std::string_view qp) {
    std::uint64_t sum = 0;
    for (const Op& op : ops) {
        if (const auto* const post = std::get_if<PostOp>(&op.what)) {
            sum += post->kind == PostKind::receive && post->qp == qp ? 1 : 0;
        } else if (const auto* const repeat = std::get_if<RepeatOp>(&op.what)) {
            sum +=
                std::min<std::uint64_t>(saturated_product(repeat->count, receives_in(repeat->body, qp)), 1ULL << 40U);
        }
    }
    return sum;
}

}  // namespace

// A refused connect is reported at once, a missing receive within the sender's patience, and calls time out last.
bool Follower::resolve() {
    return lose_doubtful() || refuse_connects() || fail_stuck_requests() || (found_.empty() && end_connection_calls());
}

// Programs that get further if silent requests are cancelled, which is unknown.
bool Follower::lose_doubtful() {
    bool has_lost = false;
    for (Software& software : hosts_) {
        if (software.progress != Progress::blocked) {
            continue;
        }
        const auto* const poll = std::get_if<PollOp>(&software.now.op->what);
        const auto* const wait = std::get_if<WaitOp>(&software.now.op->what);
        const std::string name = poll != nullptr ? poll->cq : wait != nullptr ? wait->cq : std::string();
        if (name.empty()) {
            continue;
        }
        const Cq& cq = cqs_[software.cqs.at(name)];
        const bool may_go_on =
            poll != nullptr ? cq.taken + software.left <= cq.placed + cq.loose : cq.loose > 0 && cq.waits < cq.arms;
        if (may_go_on) {
            lose(software, "how many completions come: silent requests have one if they are cancelled");
            has_lost = true;
        }
    }
    return has_lost;
}

bool Follower::refuse_connects() {
    bool goes_on = false;
    for (const Software& software : hosts_) {
        const auto* const op =
            software.progress == Progress::blocked ? std::get_if<ConnectionOp>(&software.now.op->what) : nullptr;
        if (op == nullptr || op->verb != ConnectionVerb::connect) {
            continue;
        }
        Qp& qp = qps_[software.qps.at(op->qp)];
        const Qp& peer = qps_[*qp.peer];
        if (!qp.asks && !qp.answer && !peer.listens && hosts_[peer.host].progress != Progress::lost) {
            qp.answer = STATUS_CONNECTION_REFUSED;
            goes_on = true;
        }
    }
    return goes_on;
}

// True if something goes on without certainty.
bool Follower::fail_stuck_requests() {
    for (Index qp = 0; qp < qps_.size(); ++qp) {
        if (auto failure = stuck(qp)) {
            found_.push_back(std::move(*failure));
            return false;
        }
    }
    return stirred_;
}

std::optional<Failure> Follower::stuck(Index index) {
    const Qp& qp = qps_[index];
    if (qp.delivered == qp.announced || qp.broken || qp.flushed || qp.drained || qp.link != Link::up ||
        qps_[*qp.peer].flushed || qps_[*qp.peer].drained) {
        return std::nullopt;
    }
    const Request& next = request(qp, qp.delivered);
    auto failure = next.is_send() && receive_for(qps_[*qp.peer]) == nullptr ? without_receive(next) : without_key(next);
    if (failure) {
        failure->at_rest = true;
    }
    return failure;
}

std::optional<Failure> Follower::without_receive(const Request& message) const {
    const Qp& to = qps_[*qps_[message.qp].peer];
    const Software& receiver = hosts_[to.host];
    if (receiver.progress == Progress::lost || !patience(*qps_[message.qp].peer)) {
        return std::nullopt;
    }
    const std::size_t posted = to.receives.size();
    Failure failure{.qp = message.qp, .index = message.index};
    failure.status = status_of(WcStatus::rnr_retry_exceeded, message);
    failure.why = receiver.host->name + " posts " + std::to_string(posted) + (posted == 1 ? " receive" : " receives") +
                  " to " + to.declared->name + ", and this is message " + std::to_string(posted + 1);
    failure.advice = "post more receives to " + name_of(to) + ", before the message comes";
    failure.even_if_broken =
        !receiver.host->program || receives_in(receiver.host->program->ops, to.declared->name) == posted;
    return failure;
}

// Calls that wait for the peer, but not for ever.
bool Follower::end_connection_calls() {
    for (Software& software : hosts_) {
        const auto* const op =
            software.progress == Progress::blocked ? std::get_if<ConnectionOp>(&software.now.op->what) : nullptr;
        if (op == nullptr) {
            continue;
        }
        const Index index = software.qps.at(op->qp);
        Qp& qp = qps_[index];
        const ControlParams& control = software.host->node.nic.control;
        if (op->verb == ConnectionVerb::disconnect && control.disconnect_timeout < scenario_.limits.time) {
            refuse_step(software, *op, software.host->api == Api::ndspi1 ? ND_TIMEOUT : STATUS_IO_TIMEOUT,
                        name_of(qps_[*qp.peer]) + " does not disconnect",
                        "let the program of " + software_of(qps_[*qp.peer]).host->name + " disconnect, too");
            end_connection(index);
            return true;
        }
        if (op->verb == ConnectionVerb::connect && qp.asks && control.connect_timeout < scenario_.limits.time) {
            qp.answer = software.host->api == Api::ndspi1 ? ND_TIMEOUT : STATUS_IO_TIMEOUT;
            return true;
        }
    }
    return false;
}

}  // namespace ndsim::forecast
