// SPDX-License-Identifier: Apache-2.0
#include "scenarios/forecast/reasons.hpp"

#include <algorithm>
#include <array>

#include "ndapi/core/status.hpp"
#include "scenarios/forecast/access_reasons.hpp"
#include "scenarios/format/connections.hpp"
#include "scenarios/result/dead_connections.hpp"
#include "sim/base/counted.hpp"

namespace ndsim::forecast {

namespace {

const PostOp& post_of(const Call& call) {
    return std::get<PostOp>(call.op->what);
}

bool is_message(const PostOp& post) {
    return post.kind == PostKind::send || post.kind == PostKind::send_and_invalidate;
}

std::string place_of(const Remains& remains, const Endpoint& end, const Call& call) {
    const std::string name = remains.name_of(remains.index_of(end.host), call);
    return post_of(call).label.empty() ? name : name + " at " + call.op->path;
}

// The number of a message among those of its queue pair, from 0: it takes the receive with this number.
std::size_t message_number(const Remains& remains, const FailedRequest& failed) {
    const std::vector<const Call*>& sends = remains.accepted(failed.end).sends;
    return static_cast<std::size_t>(std::count_if(sends.begin(), std::ranges::find(sends, failed.call),
                                                  [](const Call* each) { return is_message(post_of(*each)); }));
}

// As the NIC has told its driver. A peer that cannot invalidate a key falls silent, and only its own driver is told. A
// driver that flushes the queue pair is not told: then by the status.
WcStatus cause_of(const Remains& remains, const FailedRequest& failed) {
    const auto failure = remains.failure_of(failed.end);
    const auto peers = remains.failure_of(peer_of(remains.scenario(), failed.end));
    if (failure && failure->why == WcStatus::retry_exceeded && peers && peers->why == WcStatus::invalidate_error) {
        return peers->why;
    }
    if (failure) {
        return failure->why;
    }
    const PostKind kind = post_of(*failed.call).kind;
    const Host& host = remains.scenario().hosts[remains.index_of(failed.end.host)];
    const auto fits = [&](WcStatus status) {
        return status_of(remains.scenario(), host, status, kind) == failed.call->end->status;
    };
    const std::array likely{kind == PostKind::send ? WcStatus::rnr_retry_exceeded : WcStatus::rem_access,
                            WcStatus::rem_inv_req, WcStatus::invalidate_error, WcStatus::retry_exceeded};
    const auto found = std::ranges::find_if(likely, fits);
    return found == likely.end() ? WcStatus::bad_resp : *found;
}

Reason without_receive(const Remains& remains, const FailedRequest& failed, const Endpoint& peer) {
    const QueuePair& to = queue_pair_at(remains.scenario(), peer);
    if (!to.srq.empty()) {
        return {"no receive is left in " + peer.host + "." + to.srq,
                "post more receives to " + peer.host + "." + to.srq + ", before the message comes"};
    }
    const std::size_t number = message_number(remains, failed);
    const std::vector<const Call*>& receives = remains.accepted(peer).receives;
    if (number < receives.size()) {
        const Scenario& scenario = remains.scenario();
        const QueueParams& queues = scenario.hosts[remains.index_of(peer.host)].node.nic.queues;
        const bool terminates = effective(queues.overflow, scenario.profile) == Overflow::terminate;
        return {"it finds no receive, as " + place_of(remains, peer, *receives[number]) + " is posted later",
                "post it earlier, send later, or let senders wait" +
                    std::string(terminates ? ": hosts." : " longer: hosts.") + peer.host + ".nic." +
                    (terminates ? "overflow" : "rnr_retry")};
    }
    return {peer.host + " posts " + counted(receives.size(), "receive") + " to " + peer.name +
                ", and this is message " + std::to_string(number + 1),
            "post more receives to " + peer.text() + ", before the message comes"};
}

Reason refused_by_peer(const Remains& remains, const FailedRequest& failed, const Endpoint& peer) {
    const PostOp& post = post_of(*failed.call);
    const std::vector<const Call*>& receives = remains.accepted(peer).receives;
    const std::size_t number = message_number(remains, failed);
    const std::string longer = std::to_string(length_of(post)) + " bytes are longer than ";
    if (!is_message(post)) {
        return {std::string(sentence_of(WcStatus::rem_inv_req)), {}};
    }
    if (number >= receives.size()) {
        return {longer + "the receive that it takes", "post longer receives"};
    }
    return {longer + remains.name_of(remains.index_of(peer.host), *receives[number]) + ", " +
                std::to_string(length_of(post_of(*receives[number]))),
            "post a longer receive at " + receives[number]->op->path};
}

// The last step by which a program ends its connection until then; null: none.
const Call* last_end(const Remains& remains, const Endpoint& end, Picoseconds until) {
    const Call* last = nullptr;
    for (const Call& call : remains.calls(remains.index_of(end.host))) {
        const auto* const step = std::get_if<ConnectionOp>(&call.op->what);
        const bool ends = step != nullptr && step->qp == end.name && !step->makes();
        last = ends && call.at <= until ? &call : last;
    }
    return last;
}

Reason reason_of_cancellation(const Remains& remains, const FailedRequest& failed, const Endpoint& peer) {
    const Picoseconds until = failed.call->end->at;
    const auto verb_of = [](const Call& call) {
        return std::get<ConnectionOp>(call.op->what).verb == ConnectionVerb::flush ? "flush" : "disconnect";
    };
    if (const Call* const own = last_end(remains, failed.end, until)) {
        if (own->at < failed.call->at) {
            return {std::string("behind the program's own ") + verb_of(*own) + " at " + own->op->path, {}};
        }
        return {"the program " + std::string(verb_of(*own)) + (verb_of(*own)[0] == 'f' ? "es " : "s ") +
                    failed.end.text() + " at " + own->op->path,
                "poll its completion before"};
    }
    if (const Call* const other = last_end(remains, peer, until)) {
        return {"the peer " + std::string(verb_of(*other)) + (verb_of(*other)[0] == 'f' ? "es" : "s") + " at " +
                    other->op->path,
                "poll its completion before the peer ends the connection"};
    }
    return {"its connection ends before", {}};
}

Reason reason_of_full_queue(const Host& host, const PostOp& post) {
    if (post.kind == PostKind::srq_receive) {
        return {"all slots of " + post.srq + " are in use when it is posted",
                "poll more completions before it, or raise hosts." + host.name + ".srqs." + post.srq + ".depth"};
    }
    const QueuePair& qp = *find_queue_pair(host, post.qp);
    const bool receives = post.kind == PostKind::receive;
    const std::uint32_t depth = receives ? qp.rq.depth : qp.sq.depth;
    return {std::to_string(depth) + (depth == 1 ? " request holds its slot" : " requests hold their slots") +
                " when it is posted",
            "poll more completions before it, or raise hosts." + host.name + ".qps." + post.qp +
                (receives ? ".rq" : ".sq") + ".depth from " + std::to_string(depth)};
}

// A call on a connection that is over, or was never there.
Reason reason_of_lost_connection(const Remains& remains, const Endpoint& own, const Call& call) {
    const auto failure = remains.failure_of_connection(own);
    if (failure && (failure->at <= call.at || call.status != STATUS_CONNECTION_INVALID)) {
        return {"the connection has ended by an error: " + std::string(sentence_of(failure->why)), {}};
    }
    if (call.status != STATUS_CONNECTION_INVALID) {
        return {"the peer has ended the connection", {}};
    }
    const bool is_step = std::holds_alternative<ConnectionOp>(call.op->what);
    return {
        own.text() + (is_step ? " is not connected, or its only connection is over" : " is not connected at that time"),
        {}};
}

Reason reason_of_refused_post(const Remains& remains, const Host& host, const Call& call) {
    const PostOp& post = post_of(call);
    switch (call.status) {
        case STATUS_NO_MORE_ENTRIES:
            return reason_of_full_queue(host, post);
        case STATUS_CONNECTION_INVALID:
        case STATUS_CONNECTION_RESET:
        case STATUS_CONNECTION_ABORTED:
            return reason_of_lost_connection(remains, {host.name, post.qp}, call);
        case STATUS_ACCESS_VIOLATION:
            return {post.memory + " has no remote_access", {}};
        case STATUS_INVALID_DEVICE_REQUEST:
            if (post.kind == PostKind::read) {
                const Endpoint own{host.name, post.qp};
                return {"the two ends have agreed on no Reads", "outbound_reads of " + own.text() +
                                                                    " and inbound_reads of " +
                                                                    peer_of(remains.scenario(), own).text()};
            }
            break;
        default:
            break;
    }
    return {std::string(kApiNames.at(static_cast<std::size_t>(host.api))) + " does not accept a " +
                std::string(kPostKindNames.at(static_cast<std::size_t>(post.kind))) +
                " with these flags, rights and bytes",
            "see its page in docs/api"};
}

Reason reason_of_refused_step(const Remains& remains, const Host& host, const Call& call) {
    const auto& step = std::get<ConnectionOp>(call.op->what);
    const Endpoint own{host.name, step.qp};
    const Endpoint peer = peer_of(remains.scenario(), own);
    switch (call.status) {
        case STATUS_CONNECTION_REFUSED:
            return {"nothing listens for " + peer.text() + " at that time, or it rejects",
                    "listen earlier, or connect later"};
        case STATUS_CONNECTION_ACTIVE:
            return {own.text() + " is connected already", {}};
        case STATUS_CONNECTION_INVALID:
        case STATUS_CONNECTION_RESET:
        case STATUS_CONNECTION_ABORTED:
            return reason_of_lost_connection(remains, own, call);
        case STATUS_IO_TIMEOUT:
            return {peer.text() + " does not " + (step.makes() ? "answer" : "disconnect"),
                    step.makes() ? "" : "let the program of " + peer.host + " disconnect, too"};
        default:
            return {};
    }
}

Reason reason_of_wait_for(const WaitOp& wait) {
    return wait.qp.empty() ? Reason{"waits for a notification of " + wait.cq + wait.srq + " that never comes",
                                    "one arm is good for one notification: arm it again before"}
                           : Reason{"waits for the peer of " + wait.qp + " to disconnect, but the peer never does",
                                    "let the peer disconnect"};
}

}  // namespace

std::uint64_t length_of(const PostOp& post) {
    std::uint64_t sum = 0;
    for (const Piece& piece : post.pieces) {
        sum += piece.size.count;
    }
    return sum;
}

Reason reason_of(const Remains& remains, const FailedRequest& failed) {
    const Endpoint peer = peer_of(remains.scenario(), failed.end);
    if (failed.call->end->status == STATUS_CANCELLED) {
        return reason_of_cancellation(remains, failed, peer);
    }
    const WcStatus cause = cause_of(remains, failed);
    const PostOp& post = post_of(*failed.call);
    if (cause == WcStatus::rnr_retry_exceeded) {
        return without_receive(remains, failed, peer);
    }
    if (cause == WcStatus::rem_inv_req) {
        return refused_by_peer(remains, failed, peer);
    }
    if (cause == WcStatus::rem_op) {
        return reason_of_failed_receive(remains, peer);
    }
    if (!post.peer.empty() && (cause == WcStatus::rem_access || cause == WcStatus::invalidate_error)) {
        return reason_without_access(remains, failed);
    }
    if (cause == WcStatus::loc_prot) {
        return reason_of_own_pieces(remains, failed);
    }
    if (!post.memory.empty() && cause != WcStatus::retry_exceeded) {
        return reason_of_own_memory(remains, failed);
    }
    return {std::string(sentence_of(cause)), {}};
}

Reason reason_of_refusal(const Remains& remains, std::size_t host, const Call& call) {
    const Host& of = remains.scenario().hosts[host];
    if (std::holds_alternative<PostOp>(call.op->what)) {
        return reason_of_refused_post(remains, of, call);
    }
    if (std::holds_alternative<ConnectionOp>(call.op->what)) {
        return reason_of_refused_step(remains, of, call);
    }
    return {"the queue cannot be changed like this at that time", {}};
}

Reason reason_of_wait(const Remains& remains, std::size_t host) {
    const ProgramRunner& program = *remains.software().program(host);
    const Op& op = *program.at();
    const Host& of = remains.scenario().hosts[host];
    if (const auto* const poll = std::get_if<PollOp>(&op.what)) {
        const std::uint64_t polled = remains.polled(host, poll->cq);
        const std::string come = polled == 0   ? "none comes"
                                 : polled == 1 ? "only 1 comes"
                                               : "only " + std::to_string(polled) + " come";
        return {"polls " + poll->cq + " for completion " + std::to_string(polled + program.left()) + ", and " + come,
                "poll fewer completions, or post more requests"};
    }
    if (const auto* const wait = std::get_if<WaitOp>(&op.what)) {
        return reason_of_wait_for(*wait);
    }
    if (const auto* const spin = std::get_if<SpinOp>(&op.what)) {
        return {"spins on byte " + std::to_string(spin->piece.offset.count + spin->piece.size.count - 1) + " of " +
                    spin->piece.buffer + ", to which nothing is written",
                {}};
    }
    if (const auto* const step = std::get_if<ConnectionOp>(&op.what)) {
        const bool answers = step->verb == ConnectionVerb::accept || step->verb == ConnectionVerb::reject;
        const std::string peer = peer_of(remains.scenario(), {of.name, step->qp}).text();
        return {"waits for " + peer + (answers ? " to connect, but it never does" : " for ever"), {}};
    }
    return {program.awaited().empty() ? "waits" : program.awaited(), {}};
}

std::string depth_of(const Host& host, const std::string& cq) {
    const bool is_declared = std::ranges::find(host.cqs, cq, &CompletionQueue::name) != host.cqs.end();
    return "hosts." + host.name + (is_declared ? ".cqs." + cq : std::string(".nic.cq")) + ".depth";
}

}  // namespace ndsim::forecast
