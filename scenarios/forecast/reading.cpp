// SPDX-License-Identifier: Apache-2.0
#include "scenarios/forecast/reading.hpp"

#include <algorithm>
#include <array>

#include "models/nic/nic.hpp"
#include "ndapi/core/qp.hpp"
#include "scenarios/format/status_name.hpp"

namespace ndsim::forecast {

namespace {

constexpr const char* kRaiseLimit = "raise limits.time";

const Call* first(const std::vector<const Call*>& calls, bool (*is_such)(const Call*)) {
    const auto found = std::ranges::find_if(calls, is_such);
    return found == calls.end() ? nullptr : *found;
}

bool is_of_connection(NTSTATUS status) {
    constexpr std::array kSuch{STATUS_CONNECTION_INVALID, STATUS_CONNECTION_RESET, STATUS_CONNECTION_ABORTED,
                               STATUS_CANCELLED};
    return std::ranges::count(kSuch, status) > 0;
}

// The operation that polls a completion queue; null: none does.
const Op* poll_of(const std::vector<Op>& ops, const std::string& cq) {
    return find_op(ops, [&cq](const Op& op) {
        const auto* const poll = std::get_if<PollOp>(&op.what);
        return poll != nullptr && poll->cq == cq;
    });
}

}  // namespace

Story Reading::story() {
    for (const Host& host : scenario_.hosts) {
        read_overruns(host);
    }
    for (const Host& host : scenario_.hosts) {
        for (const QueuePair& qp : host.qps) {
            if (!qp.connect.empty()) {
                read_failures({host.name, qp.name}, qp.connect);
            }
        }
    }
    for (std::size_t i = 0; i < scenario_.hosts.size(); ++i) {
        read_refusals(i);
    }
    if (remains_.is_cut()) {
        story_.cut = "more work than a check does: 100,000 operations, or 300,000 work items of a run";
    } else {
        read_ends();
    }
    story_.sightings = sightings_.take();
    return std::move(story_);
}

// What has not come to its end.
void Reading::read_ends() {
    for (std::size_t i = 0; i < scenario_.hosts.size(); ++i) {
        for (const QueuePair& qp : scenario_.hosts[i].qps) {
            read_deferred({scenario_.hosts[i].name, qp.name});
            read_refused_senders({scenario_.hosts[i].name, qp.name});
        }
        read_end(i);
    }
    read_end_of_hardware();
}

void Reading::read_overruns(const Host& host) {
    std::set<std::string> seen;
    for (const QueuePair& declared : host.qps) {
        const Endpoint end{host.name, declared.name};
        const core::Qp* const qp = remains_.qp_at(end);
        if (qp == nullptr) {
            continue;
        }
        const auto failure = remains_.failure_of(end);
        const bool failed_before = failure && !failure->may_be_by_overrun();
        for (const auto& [name, number] :
             {std::pair(declared.send_cq, qp->send_cq()), {declared.receive_cq, qp->receive_cq()}}) {
            const core::Cq* const cq = remains_.cq_at(end, number);
            std::uint64_t& peak = story_.peaks[host.name + "." + name];
            peak = remains_.world().node(host.name).cqs.of(name).unpolled.occupancy().high_water();
            if (cq != nullptr && cq->has_failed() && !failed_before) {
                peak = std::max<std::uint64_t>(peak, cq->depth() + 1);  // the NIC learns late of what was polled
                dead_.insert(end);
                if (seen.insert(name).second) {
                    read_overrun(end, name, *cq);
                }
            }
        }
    }
}

// A program that polls the queue has polled too late. Otherwise the first completion without room names the place.
void Reading::read_overrun(const Endpoint& end, const std::string& name, const core::Cq& cq) {
    const std::size_t index = remains_.index_of(end.host);
    const Host& host = scenario_.hosts[index];
    const std::string depth = std::to_string(cq.depth());
    const Op* const poll = host.program ? poll_of(host.program->ops, name) : nullptr;
    const Call* const lost = lost_first(host, name, cq.depth());
    const std::vector<Call>& calls = remains_.calls(index);
    if (poll == nullptr && calls.empty()) {
        return;
    }
    const Reason reason =
        poll != nullptr ? Reason{"it holds " + depth + ", and more come before they are polled", "raise "}
                        : Reason{"it holds " + depth + ", and more come that nothing polls", "poll it, or raise "};
    Sighting& one = poll != nullptr   ? sightings_.add(ForeseenKind::overruns, index, *poll, "overrun", reason)
                    : lost != nullptr ? sightings_.add(ForeseenKind::overruns, index, *lost, "overrun", reason)
                                      : sightings_.add(ForeseenKind::overruns, index, calls.back(), "overrun", reason);
    if (poll == nullptr && lost != nullptr) {
        one.why += "; that of " + one.subject + " is lost first";
    }
    one.thing = host.name + "." + name;
    one.subject = "completion queue " + one.thing;
    one.said.advice += depth_of(host, name) + " from " + depth;
    if (const auto failure = remains_.failure_of(end)) {
        one.at = failure->at;
    }
}

// The completions of one queue of a queue pair come in its order. Those of several do not.
const Call* Reading::lost_first(const Host& host, const std::string& cq, std::uint32_t depth) const {
    const std::vector<const Call*>* only = nullptr;
    for (const QueuePair& qp : host.qps) {
        const AcceptedCalls& accepted = remains_.accepted({host.name, qp.name});
        for (const auto& [name, calls] :
             {std::pair(qp.send_cq, &accepted.sends), {qp.receive_cq, &accepted.receives}}) {
            if (name == cq && !calls->empty()) {
                if (only != nullptr) {
                    return nullptr;
                }
                only = calls;
            }
        }
    }
    const std::uint64_t number = remains_.polled(remains_.index_of(host.name), cq) + depth;
    return only == nullptr || number >= only->size() ? nullptr : (*only)[number];
}

// A request that fails by itself explains all others that are cancelled.
void Reading::read_failures(const Endpoint& active, const Endpoint& passive) {
    const std::array<Endpoint, 2> ends{active, passive};
    if (dead_.contains(active) || dead_.contains(passive)) {
        dead_.insert({active, passive});
        return;
    }
    FailedRequest earliest;
    for (const Endpoint& end : ends) {
        const Call* const broken = first(remains_.accepted(end).sends, has_broken);
        if (broken != nullptr && (earliest.call == nullptr || broken->end->at < earliest.call->end->at)) {
            earliest = {end, broken};
        }
    }
    if (earliest.call != nullptr) {
        dead_.insert({active, passive});
        add_failed(earliest);
        return;
    }
    for (const Endpoint& end : ends) {
        if (const Call* const cancelled = first(remains_.accepted(end).sends, has_failed)) {
            add_failed({end, cancelled});
        } else if (const Call* const receive = first(remains_.accepted(end).receives, has_broken)) {
            add_failed({end, receive});
        }
    }
}

void Reading::add_failed(const FailedRequest& failed) {
    const std::string status = status_name(failed.call->end->status);
    const std::string verb = failed.call->end->status == STATUS_CANCELLED ? "be cancelled" : "fail with " + status;
    Sighting& one = sightings_.add(ForeseenKind::fails, remains_.index_of(failed.end.host), *failed.call, verb,
                                   reason_of(remains_, failed));
    one.thing = failed.end.text();
    one.said.statuses = {status};
    one.at = failed.call->end->at;
}

// Of the calls of a loop or of a count the first, and of those on a connection that has failed.
void Reading::read_refusals(std::size_t host) {
    const Host& of = scenario_.hosts[host];
    std::set<std::string_view> seen;
    for (const Call& call : remains_.calls(host)) {
        const Endpoint end = endpoint_of(queue_of(of, *call.op));
        const bool follows = dead_.contains(end) && is_of_connection(call.status);
        if (call.status == STATUS_SUCCESS || follows || !seen.insert(call.op->path).second) {
            continue;
        }
        const std::string status = status_name(call.status);
        const bool is_step = std::holds_alternative<ConnectionOp>(call.op->what);
        Sighting& one =
            sightings_.add(ForeseenKind::refused, host, call, (is_step ? "end with " : "be refused with ") + status,
                           reason_of_refusal(remains_, host, call));
        one.said.statuses = {status};
        one.at = call.at;
        if (is_of_connection(call.status) && remains_.failure_of_connection(end)) {
            dead_.insert({end, peer_of(scenario_, end)});
        }
    }
}

void Reading::read_deferred(const Endpoint& end) {
    const core::Qp* const qp = remains_.qp_at(end);
    const std::vector<const Call*>& sends = remains_.accepted(end).sends;
    if (qp == nullptr || qp->deferred() == 0 || qp->deferred() > sends.size() || dead_.contains(end)) {
        return;
    }
    sightings_.add(ForeseenKind::never_begins, remains_.index_of(end.host), *sends[sends.size() - qp->deferred()],
                   "never begin",
                   {"it is deferred, and no request on " + end.text() + " behind it has its doorbell rung",
                    "remove the flag from the last request"});
}

// A sender without end asks for a receive.
void Reading::read_refused_senders(const Endpoint& end) {
    const core::Qp* const qp = remains_.qp_at(end);
    if (qp == nullptr || remains_.result().outcome != RunOutcome::stalled) {
        return;
    }
    const std::size_t host = remains_.index_of(end.host);
    const std::vector<RefusedQueuePair> refused = remains_.world().node(end.host).nic->completer.refused();
    if (std::ranges::none_of(refused, [&](const auto& each) { return each.for_ever && each.qp == qp->number(); })) {
        return;
    }
    LedgerBook& ledgers = remains_.world().ledgers().of(HostId{static_cast<std::uint16_t>(host)});
    for (const Call* const call : remains_.accepted(end).sends) {
        const PostKind kind = std::get<PostOp>(call->op->what).kind;
        const Ledger* const ledger = ledgers.find(call->request);
        const bool is_message = kind == PostKind::send || kind == PostKind::send_and_invalidate;
        if (is_message && !call->end && ledger != nullptr && !ledger->completion) {
            const Endpoint peer = peer_of(scenario_, end);
            const std::string where = receives_of(scenario_, peer);
            const bool has_none =
                queue_pair_at(scenario_, peer).srq.empty() && remains_.accepted(peer).receives.empty();
            sightings_.add(
                ForeseenKind::never_ends, host, *call, "ask for a receive forever",
                {(has_none ? "no receive is posted to " : "messages before it take all receives of ") + where,
                 "post more receives to " + where});
            return;
        }
    }
}

// The limit came when all programs had ended, as while a queue pair still asked for a receive.
void Reading::read_end_of_hardware() {
    const auto host = std::ranges::find_if(scenario_.hosts,
                                           [](const Host& each) { return each.program && !each.program->ops.empty(); });
    if (remains_.result().outcome == RunOutcome::time_limit && host != scenario_.hosts.end() &&
        !sightings_.has(ForeseenKind::limit)) {
        Sighting& one =
            sightings_.add(ForeseenKind::limit, remains_.index_of(host->name), host->program->ops.back(), "end the run",
                           {"every program has ended by then, and the hardware has not", kRaiseLimit});
        one.subject = "limits.time";
        one.thing = "the hardware";
    }
}

// A program that has not ended.
void Reading::read_end(std::size_t host) {
    const ProgramRunner* const program = remains_.software().program(host);
    const Host& of = scenario_.hosts[host];
    if (program == nullptr || program->finished() || of.program->ops.empty()) {
        return;
    }
    const bool has_begun = program->at() != nullptr;
    const Op& op = has_begun ? *program->at() : of.program->ops.front();
    const std::string subject = "the program of " + of.name;
    if (remains_.result().outcome == RunOutcome::time_limit) {
        const std::string why = has_begun ? subject + " is here by then" : of.name + " is still being set up by then";
        Sighting& one = sightings_.add(ForeseenKind::limit, host, op, "end the run", {why, kRaiseLimit});
        one.subject = "limits.time";
        one.thing = of.name;
        return;
    }
    if (has_begun) {
        Reason reason = reason_of_wait(remains_, host);
        reason.why = "it " + reason.why;
        Sighting& one = sightings_.add(ForeseenKind::never_ends, host, op, "never end", reason);
        one.subject = one.thing = subject;
    }
}

}  // namespace ndsim::forecast
