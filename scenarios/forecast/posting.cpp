// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "ndapi/ndspi/ndstatus.h"
#include "scenarios/forecast/follower.hpp"
#include "scenarios/forecast/refusals.hpp"

// Posts: their refusals, and the slots that they take.
namespace ndsim::forecast {

namespace {

bool is_receive(const PostOp& post) {
    return post.kind == PostKind::receive || post.kind == PostKind::srq_receive;
}

std::uint64_t length_of(const PostOp& post) {
    std::uint64_t sum = 0;
    for (const Piece& piece : post.pieces) {
        sum += piece.size.count;
    }
    return sum;
}

// The two ends agree on the smaller limit.
bool has_no_reads(const QueuePair& own, const QueuePair& peer) {
    return std::min(own.outbound_reads, peer.inbound_reads) == 0;
}

}  // namespace

Follower::Step Follower::carry_out(Software& software, const PostOp& post) {
    if (software.host->api == Api::wsd) {
        return post_to_socket(software, post);
    }
    if (software.now.when.latest) {
        *software.now.when.latest += is_receive(post) ? times_.call(software.now.host) : times_.post(software.now.host);
    }
    if (is_receive(post)) {
        post_receive(software, post);
    } else {
        post_send(software, post);
    }
    return Step::done;
}

// Refusals whatever slots there are.
std::optional<Refusal> Follower::refusal_of(const Software& software, const Qp& qp, const PostOp& post) {
    if (auto wrong = refusal_of_flags(*software.host, post)) {
        return wrong;
    }
    if (post.kind == PostKind::bind && software.host->api != Api::ndk) {
        if (auto bound = refusal_of_bind(software, post)) {
            return bound;
        }
    }
    if (qp.link != Link::up) {
        return Refusal{STATUS_CONNECTION_INVALID, qp.link == Link::none
                                                      ? "the program has not connected " + name_of(qp) + " by then"
                                                      : "the program has disconnected " + name_of(qp)};
    }
    if (auto wrong = refusal_of_contents(*software.host, post)) {
        return wrong;
    }
    if (post.kind == PostKind::read && software.host->api == Api::ndk &&
        has_no_reads(*qp.declared, *qps_[*qp.peer].declared)) {
        return Refusal{STATUS_INVALID_DEVICE_REQUEST, "the two ends have agreed on no Reads",
                       "outbound_reads of " + name_of(qp) + " and inbound_reads of " + name_of(qps_[*qp.peer])};
    }
    return std::nullopt;
}

// A window is free again when its program has posted an Invalidate, or has polled that its Bind has failed or that its
// peer has closed it.
std::optional<Refusal> Follower::refusal_of_bind(const Software& software, const PostOp& post) {
    const Memory& window = memories_[software.memories.at(post.memory)];
    if (!window.bound_by) {
        return std::nullopt;
    }
    const bool has_heard = software.polled > window.polled_at_bind;
    const bool may_end =
        std::ranges::any_of(breaks_, [&](const auto& each) { return qps_[each.first].host == software.now.host; });
    const Stream& stream = streams_[qps_[requests_[*window.bound_by].qp].send_stream];
    const auto entry = std::ranges::find(stream.entries, *window.bound_by, &Entry::request);
    const bool has_failed = entry != stream.entries.end() && entry->failed;
    if (has_failed && window.binds_in_vain &&
        static_cast<std::size_t>(entry - stream.entries.begin()) < stream.taken_surely) {
        return std::nullopt;
    }
    if (has_heard && (has_failed || window.binds_in_vain || window.closed_by_peer || may_end)) {
        findings_.leave_out(*software.now.op, "whether the driver has heard that the window is free", Doubt::unsure);
        return std::nullopt;
    }
    return Refusal{ND_INVALID_DEVICE_STATE, post.memory + " is bound already", "invalidate it before", !has_heard};
}

// A refused post also tells the NIC of the posts before it.
void Follower::post_send(Software& software, const PostOp& post) {
    const Index index = software.qps.at(post.qp);
    Qp& qp = qps_[index];
    if (const auto refused = refusal_of(software, qp, post)) {
        refuse_post(software, post, *refused);
        announce(index);
        return;
    }
    const std::string where = "hosts." + software.host->name + ".qps." + qp.declared->name + ".sq.depth";
    const auto taken = take(software, post, qp.sends, qp.declared->sq.depth, sends_freed(qp), where);
    if (!taken) {
        announce(index);
        return;
    }
    Request& request = requests_[*taken];
    request.qp = index;
    qp.fence = (post.flags & kPostReadFence) != 0 ? request.index : qp.fence;
    request.fenced = qp.fence;
    Stream& stream = streams_[qp.send_stream];
    stream.possible += request.is_silent() && !qp.broken ? 0 : 1;
    if (request.changes_key()) {
        note_key_change(software, request);
    } else {
        software.has_sent = true;
    }
    if (!is_deferred(software, qp, post)) {
        announce(index);
    } else if (qp.broken) {
        loosen(stream, 1);
    }
}

void Follower::note_key_change(Software& software, Request& request) {
    Memory& memory = memories_[software.memories.at(request.post->memory)];
    const Qp& qp = qps_[request.qp];
    if (request.post->kind == PostKind::invalidate) {
        memory.bound_by.reset();
    } else if (request.post->kind == PostKind::bind) {
        const auto breaks = breaks_.find(request.qp);
        const bool is_behind_failure =
            breaks != breaks_.end() && breaks->second.qp == request.qp && breaks->second.index < request.index;
        memory.bound_by = qp.sends.back();
        memory.polled_at_bind = software.polled;
        memory.binds_in_vain = qp.flushed || is_behind_failure;
    }
    ++software.key_changes;
    if (request.at.when.latest && !software.has_sent) {
        request.carried_out = *request.at.when.latest + times_.key_changes(software.now.host, software.key_changes);
    }
}

bool Follower::is_deferred(const Software& software, const Qp& qp, const PostOp& post) const {
    const AdapterParams& adapter = software.host->node.adapter;
    switch (adapter.defer_policy) {
        case DeferPolicy::until_tail:
            return (post.flags & kPostDefer) != 0;
        case DeferPolicy::never:
            return false;
        case DeferPolicy::max_n:
            return (post.flags & kPostDefer) != 0 && qp.sends.size() - qp.announced < adapter.defer_max;
    }
    return false;
}

void Follower::announce(Index qp) {
    qps_[qp].announced = static_cast<Index>(qps_[qp].sends.size());
    deliver(qp);
}

void Follower::post_receive(Software& software, const PostOp& post) {
    if (post.kind == PostKind::srq_receive) {
        Srq& srq = srqs_[software.srqs.at(post.srq)];
        const std::string where = "hosts." + software.host->name + ".srqs." + srq.declared->name + ".depth";
        if (take(software, post, srq.requests, srq.depth, receives_freed(srq), where)) {
            for (const Index user : srq.users) {
                ++streams_[qps_[user].receive_stream].possible;
                deliver_to(user);
            }
        }
        return;
    }
    const Index index = software.qps.at(post.qp);
    Qp& qp = qps_[index];
    const std::string where = "hosts." + software.host->name + ".qps." + qp.declared->name + ".rq.depth";
    const auto taken = take(software, post, qp.receives, qp.declared->rq.depth, receives_freed(qp), where);
    if (!taken) {
        return;
    }
    requests_[*taken].qp = index;
    // A SendAndInvalidate has two completions in NDSPI 1.
    streams_[qp.receive_stream].possible += software.host->api == Api::ndspi1 ? 2 : 1;
    if (qp.broken || qp.flushed || qp.drained) {
        flush_queues(index);
    } else {
        deliver_to(index);
    }
}

void Follower::deliver_to(Index receiver) {
    if (qps_[receiver].peer) {
        deliver(*qps_[receiver].peer);
    }
}

// The request, if there surely is a slot for it; `freed` is the least and the largest number of requests that have
// returned their slots.
std::optional<Index> Follower::take(Software& software, const PostOp& post, std::vector<Index>& queue,
                                    std::uint32_t depth, std::pair<Index, Index> freed, const std::string& where) {
    if (queue.size() - freed.second >= depth) {
        const std::string full = std::to_string(depth) + (depth == 1 ? " request holds" : " requests hold") +
                                 (depth == 1 ? " its slot" : " their slots") + " when it is posted";
        refuse_post(software, post,
                    {STATUS_NO_MORE_ENTRIES, full,
                     "poll more completions before it, or raise " + where + " from " + std::to_string(depth)});
        return std::nullopt;
    }
    if (queue.size() - freed.first >= depth) {
        lose(software, "whether there is a slot for it depends on which completions have been polled");
        return std::nullopt;
    }
    Request request;
    request.at = software.now;
    request.post = &post;
    request.index = static_cast<Index>(queue.size());
    request.length = length_of(post);
    queue.push_back(static_cast<Index>(requests_.size()));
    requests_.push_back(std::move(request));
    return queue.back();
}

std::pair<Index, Index> Follower::sends_freed(const Qp& qp) const {
    const Software& software = hosts_[qp.host];
    if (software.host->node.adapter.reclaim == Reclaim::on_retire) {
        return {software.now.known.ended(static_cast<Index>(&qp - qps_.data())), qp.delivered};
    }
    const Stream& stream = streams_[qp.send_stream];
    const auto behind = [&](std::size_t taken) {
        return taken == 0 ? 0 : requests_[stream.entries[taken - 1].request].index + 1;
    };
    const Cq& cq = cqs_[stream.cq];
    const Index at_most = behind(std::min<std::uint64_t>(cq.taken, stream.entries.size()));
    return {cq.loose > 0 ? 0 : behind(stream.taken_surely), at_most};
}

std::pair<Index, Index> Follower::receives_freed(const Qp& qp) const {
    const Stream& stream = streams_[qp.receive_stream];
    const auto behind = [&](std::size_t taken) {
        return taken == 0 ? 0 : requests_[stream.entries[taken - 1].request].index + 1;
    };
    const Cq& cq = cqs_[stream.cq];
    return {cq.loose > 0 ? 0 : behind(stream.taken_surely),
            behind(std::min<std::uint64_t>(cq.taken, stream.entries.size()))};
}

// If several queue pairs take receives, the oldest ones hold up those behind them.
std::pair<Index, Index> Follower::receives_freed(const Srq& srq) const {
    std::uint64_t surely = 0;
    std::uint64_t at_most = 0;
    for (const Index user : srq.users) {
        const Stream& stream = streams_[qps_[user].receive_stream];
        surely += stream.taken_surely;
        at_most += std::min<std::uint64_t>(cqs_[stream.cq].taken, stream.entries.size());
    }
    return {srq.users.size() == 1 ? static_cast<Index>(surely) : 0, static_cast<Index>(at_most)};
}

void Follower::refuse_post(Software& software, const PostOp& post, const Refusal& refusal) {
    const std::string kind(kPostKindNames.at(static_cast<std::size_t>(post.kind)));
    const std::string label = label_of(software.now);
    Foreseen said = said_of(software.now, ForeseenKind::refused,
                            (label.empty() ? "this " + kind : software.host->name + "." + label) +
                                " # be refused with " + status_name(refusal.status) + ": " + refusal.why);
    said.statuses = {status_name(refusal.status)};
    said.advice = refusal.advice;
    findings_.add({.foreseen = std::move(said), .even_if_broken = refusal.even_if_broken});
}

}  // namespace ndsim::forecast
