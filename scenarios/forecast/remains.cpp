// SPDX-License-Identifier: Apache-2.0
#include "scenarios/forecast/remains.hpp"

#include <algorithm>
#include <array>

#include "ndapi/core/qp.hpp"
#include "ndapi/core/status.hpp"
#include "scenarios/format/connections.hpp"

namespace ndsim::forecast {

std::string label_of(const Op& op) {
    const auto* const post = std::get_if<PostOp>(&op.what);
    const auto* const step = std::get_if<ConnectionOp>(&op.what);
    return post != nullptr ? post->label : step != nullptr ? step->label : std::string();
}

std::string queue_of(const Host& host, const Op& op) {
    if (const auto* const post = std::get_if<PostOp>(&op.what)) {
        return host.name + "." + (post->qp.empty() ? post->srq : post->qp);
    }
    const auto* const step = std::get_if<ConnectionOp>(&op.what);
    return step == nullptr ? std::string() : host.name + "." + step->qp;
}

bool has_failed(const Call* call) {
    return call->end && call->end->status != STATUS_SUCCESS;
}

bool has_broken(const Call* call) {
    return has_failed(call) && call->end->status != STATUS_CANCELLED;
}

NTSTATUS status_of(const Scenario& scenario, const Host& host, WcStatus status, PostKind kind) {
    constexpr std::array kKinds{OperationKind::send,          OperationKind::receive,    OperationKind::write,
                                OperationKind::read,          OperationKind::send,       OperationKind::bind,
                                OperationKind::fast_register, OperationKind::invalidate, OperationKind::receive};
    const bool by_networkdirect = host.api == Api::ndspi1 || host.api == Api::ndspi2;
    return completion_status(scenario.profile, status, kKinds.at(static_cast<std::size_t>(kind)),
                             by_networkdirect ? Documents::networkdirect : Documents::ndkpi);
}

Remains::Remains(const Scenario& scenario, World& world, const Software& software, const RunResult& result,
                 CallLog& log)
    : scenario_(scenario), world_(world), software_(software), result_(result), log_(log) {
    for (std::size_t i = 0; i < scenario.hosts.size(); ++i) {
        const Host& host = scenario.hosts[i];
        for (const QueuePair& qp : host.qps) {
            note_unpolled({host.name, qp.name}, i);
        }
        for (const Call& call : calls(i)) {
            const auto* const post = std::get_if<PostOp>(&call.op->what);
            if (post != nullptr && call.status == STATUS_SUCCESS && !post->qp.empty()) {
                AcceptedCalls& of = accepted_[{host.name, post->qp}];
                (post->kind == PostKind::receive ? of.receives : of.sends).push_back(&call);
            }
        }
    }
}

void Remains::note_unpolled(const Endpoint& end, std::size_t host) {
    core::Qp* const qp = qp_at(end);
    if (qp == nullptr) {
        return;
    }
    const core::Cq* const cq = cq_at(end, qp->send_cq());
    for (const Cqe& cqe : cq == nullptr ? std::vector<Cqe>{} : cq->unpolled_failures()) {
        const Call* const call = log_.call_of(id(host), cqe.request);
        const Ledger* const ledger = world_.ledgers().of(id(host)).find(cqe.request);
        if (cqe.opcode != WqeOpcode::receive && call != nullptr && ledger != nullptr) {
            const PostKind kind = std::get<PostOp>(call->op->what).kind;
            log_.ended(id(host), cqe.request,
                       {status_of(scenario_, scenario_.hosts[host], cqe.status, kind),
                        ledger->completion.value_or(ledger->last)});
        }
    }
}

const AcceptedCalls& Remains::accepted(const Endpoint& qp) const {
    static const AcceptedCalls kNone;
    const auto found = accepted_.find(qp);
    return found == accepted_.end() ? kNone : found->second;
}

core::Qp* Remains::qp_at(const Endpoint& qp) const {
    HostSide& side = *software_.sides()[index_of(qp.host)];
    const std::optional<QpNum> number = side.face().number_of(qp.name);
    return number ? side.driver().registry().find(*number) : nullptr;
}

const core::Cq* Remains::cq_at(const Endpoint& qp, CqNum number) const {
    return software_.sides()[index_of(qp.host)]->driver().registry().find(number);
}

std::optional<core::QpFailure> Remains::failure_of(const Endpoint& qp) const {
    HostSide& side = *software_.sides()[index_of(qp.host)];
    const std::vector<core::QpFailure>& failures = side.driver().qp_failures();
    const auto found = std::ranges::find(failures, side.face().number_of(qp.name),
                                         [](const core::QpFailure& each) { return std::optional(each.qp); });
    return found == failures.end() ? std::nullopt : std::optional(*found);
}

std::optional<core::QpFailure> Remains::failure_of_connection(const Endpoint& qp) const {
    const auto own = failure_of(qp);
    const auto other = failure_of(peer_of(scenario_, qp));
    return own && (!other || own->at <= other->at) ? own : other;
}

std::string Remains::name_of(std::size_t host, const Call& call) const {
    if (const std::string label = label_of(*call.op); !label.empty()) {
        return scenario_.hosts[host].name + "." + label;
    }
    const auto* const post = std::get_if<PostOp>(&call.op->what);
    const auto* const step = std::get_if<ConnectionOp>(&call.op->what);
    const std::string kind(post != nullptr   ? kPostKindNames.at(static_cast<std::size_t>(post->kind))
                           : step != nullptr ? kConnectionVerbNames.at(static_cast<std::size_t>(step->verb))
                                             : "change");
    const auto is_like = [&](const Call& other) { return other.op->path == call.op->path; };
    const std::vector<Call>& all = calls(host);
    const auto before = std::count_if(all.data(), &call, is_like);
    return (std::ranges::count_if(all, is_like) > 1 ? kind + " " + std::to_string(before + 1) + " of "
                                                    : "the " + kind + " of ") +
           call.op->path;
}

std::size_t Remains::index_of(std::string_view host) const {
    return static_cast<std::size_t>(std::ranges::find(scenario_.hosts, host, &Host::name) - scenario_.hosts.begin());
}

}  // namespace ndsim::forecast
