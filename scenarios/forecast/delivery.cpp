// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "scenarios/forecast/follower.hpp"

// The way of a request from its queue to its completion.
namespace ndsim::forecast {

// In queue order, until something is missing.
void Follower::deliver(Index index) {
    Qp& qp = qps_[index];
    while (found_.empty() && qp.delivered < qp.announced && carries(index)) {
        Request& next = requests_[qp.sends[qp.delivered]];
        Verdict verdict = judge(next);
        const auto known = failures_.find({index, next.index});
        if (known != failures_.end()) {
            if (known->second.receive_status && receive_for(qps_[*qp.peer]) == nullptr) {
                return;
            }
            if (!known->second.at_rest && !verdict.failure && !verdict.waits) {
                findings_.leave_out(*next.at.op, "whether it fails depends on what else does", Doubt::unsure);
            }
            break_connection(known->second);
            return;
        }
        if (verdict.failure) {
            found_.push_back(std::move(*verdict.failure));
            return;
        }
        if (verdict.waits) {
            return;
        }
        carry_out(next);
        ++qp.delivered;
    }
}

// Requests that this side posts behind the end of its connection, or behind its own flush, complete at once.
bool Follower::carries(Index index) {
    Qp& qp = qps_[index];
    if (qp.flushed && !qp.is_named && !qp.broken) {
        const Request& first = request(qp, qp.delivered);
        Foreseen said = said_of(first, ForeseenKind::fails,
                                name_of(first) + " # be cancelled: the program has flushed " + name_of(qp) + " before");
        said.statuses = {status_name(STATUS_CANCELLED)};
        findings_.add({.foreseen = std::move(said), .even_if_broken = true});
        qp.is_named = true;
    }
    if (qp.broken || qp.flushed) {
        flush_queues(index);
        return false;
    }
    if (!qp.peer || qp.link != Link::up) {
        return false;
    }
    const Qp& peer = qps_[*qp.peer];
    if (peer.flushed || (peer.drained && !qp.drained)) {  // before the flush, there may have been a receive
        findings_.leave_out(*request(qp, qp.delivered).at.op, "which requests meet the flush of the peer",
                            Doubt::unsure);
        return false;
    }
    if (const Request& first = request(qp, qp.delivered);
        peer.left && first.at.known.steps(peer.host) <= peer.left->step && is_first_risk(first)) {
        risk(first, "the peer disconnects at " + peer.left->op->path, STATUS_CANCELLED,
             "poll its completion before the peer disconnects");
    }
    if (qp.drained) {
        flush_queues(index);
        return false;
    }
    return true;
}

Follower::Verdict Follower::judge(Request& request) {
    return request.is_send()       ? judge_message(request)
           : request.changes_key() ? judge_change(request)
                                   : judge_remote(request);
}

// A write or read. A range beyond its own memory fails before it leaves.
Follower::Verdict Follower::judge_remote(Request& request) {
    const Qp& qp = qps_[request.qp];
    const auto fails = [&](WcStatus status, std::string why, std::string advice) {
        return Verdict{.failure = Failure{.qp = request.qp,
                                          .index = request.index,
                                          .status = status_of(status, request),
                                          .even_if_broken = true,
                                          .why = std::move(why),
                                          .advice = std::move(advice)}};
    };
    const bool reads = request.post->kind == PostKind::read;
    if (reads && std::min(qp.declared->outbound_reads, qps_[*qp.peer].declared->inbound_reads) == 0) {
        return fails(WcStatus::loc_qp_op, "the two ends have agreed on no Reads",
                     "outbound_reads of " + name_of(qp) + " and inbound_reads of " + name_of(qps_[*qp.peer]));
    }
    for (const Piece& piece : request.post->pieces) {
        if (Memory* const own = memory_called(hosts_[qp.host].host->name, piece.buffer); own != nullptr) {
            Verdict verdict = judge_use(request, *own, reads ? kPostAllowLocalWrite : 0U, piece);
            if (verdict.waits || verdict.failure) {
                return verdict;
            }
        }
    }
    if (request.length == 0) {
        return {};  // not checked [K146]
    }
    if (Memory* const memory = peer_memory(request); memory != nullptr) {
        const std::uint32_t right = reads ? kPostAllowRemoteRead : kPostAllowRemoteWrite;
        return judge_use(request, *memory, right, {{}, request.post->peer_offset, Bytes{request.length}});
    }
    if (!stays_within_buffer(request)) {
        return fails(WcStatus::rem_access,
                     std::to_string(request.length) + " bytes at " + std::to_string(request.post->peer_offset.count) +
                         " reach beyond the end of " + request.post->peer.text(),
                     "raise the size of buffer " + request.post->peer.text());
    }
    return {};
}

Follower::Target Follower::target_of(const Request& request) const {
    const Endpoint& peer = request.post->peer;
    const auto owner =
        std::ranges::find_if(hosts_, [&](const Software& software) { return software.host->name == peer.host; });
    return {&*owner, peer.name};
}

bool Follower::stays_within_buffer(const Request& request) const {
    const Target target = target_of(request);
    const auto buffer = std::ranges::find(target.owner->host->buffers, target.name, &Buffer::name);
    return buffer != target.owner->host->buffers.end() &&
           request.post->peer_offset.count + request.length <= buffer->size.count;
}

void Follower::carry_out(Request& request) {
    if (request.is_send()) {
        carry_out_message(request);
        return;
    }
    Qp& qp = qps_[request.qp];
    const Index number = qp.sends[request.index];
    Entry entry{.request = number, .message = {}, .known = Known(hosts_.size(), qps_.size())};
    entry.known.learn_ended(request.qp, request.index + 1);
    const auto way = times_.message(qp.host, qps_[*qp.peer].host);
    const auto back = times_.message(qps_[*qp.peer].host, qp.host);
    const bool is_bounded = request.at.when.latest && way && back;
    arrives_behind(qp, request.changes_key() ? request.carried_out
                       : is_bounded          ? std::optional(*request.at.when.latest + *way + *back)
                                             : std::nullopt);
    if (qp.arrived && back) {
        entry.latest = *qp.arrived + *back;
    }
    if (request.changes_key()) {
        change(request, memories_[hosts_[qp.host].memories.at(request.post->memory)], false);
    } else {
        access(request);
    }
    if (!request.is_silent()) {
        place(streams_[qp.send_stream], std::move(entry));
    }
}

// A write or read takes effect.
void Follower::access(Request& request) {
    const Host& host = *hosts_[request.at.host].host;
    use(request, request.length > 0 ? peer_memory(request) : nullptr);
    for (const Piece& piece : request.post->pieces) {
        use(request, memory_called(host.name, piece.buffer));
    }
    if (request.post->kind == PostKind::read) {
        scatter(request, request.length);
        if ((request.post->flags & kPostLocalInvalidate) != 0 && !request.post->pieces.empty() &&
            host.node.nic.queues.read_local_invalidate) {
            if (Memory* const own = memory_called(host.name, request.post->pieces.front().buffer)) {
                change(request, *own, true);
            } else {
                findings_.leave_out(*request.at.op, "a Read that invalidates the key of a buffer", Doubt::unsure);
            }
        }
    } else if (request.length > 0) {
        const Target target = target_of(request);
        const Memory* const memory = peer_memory(request);
        const std::uint64_t begin = memory == nullptr ? 0 : memory->piece.offset.count;
        write(*target.owner, memory == nullptr ? target.name : memory->piece.buffer,
              begin + request.post->peer_offset.count, request.length);
    }
}

void Follower::use(const Request& request, Memory* memory) {
    if (memory != nullptr) {
        memory->uses.push_back({qps_[request.qp].sends[request.index], request.post->kind == PostKind::read});
    }
}

// Requests of a queue arrive in order.
void Follower::arrives_behind(Qp& qp, std::optional<Picoseconds> latest) {
    qp.arrived = qp.arrived && latest ? std::optional(std::max(*qp.arrived, *latest)) : std::nullopt;
}

// Writes to the pieces of a receive or a read, in order.
void Follower::scatter(const Request& into, std::uint64_t length) {
    for (const Piece& piece : into.post->pieces) {
        const std::uint64_t size = std::min(length, piece.size.count);
        length -= size;
        const Software& software = hosts_[into.at.host];
        const auto region = software.memories.find(piece.buffer);
        if (region == software.memories.end()) {
            write(software, piece.buffer, piece.offset.count, size);
        } else {
            const Piece& open = memories_[region->second].piece;
            write(software, open.buffer, open.offset.count + piece.offset.count, size);
        }
    }
}

void Follower::write(const Software& software, std::string_view buffer, std::uint64_t offset, std::uint64_t size) {
    for (Spot& spot : hosts_[software.now.host].spots) {
        spot.writes += spot.buffer == buffer && spot.byte >= offset && spot.byte - offset < size ? 1 : 0;
    }
}

// One risk per queue pair is enough.
bool Follower::is_first_risk(const Request& request) {
    findings_.doubt(Doubt::broken);
    return !std::exchange(qps_[request.qp].is_named, true);
}

void Follower::risk(const Request& request, const std::string& what, NTSTATUS status, const std::string& advice) {
    Foreseen said =
        said_of(request, ForeseenKind::fails, name_of(request) + " # fail with " + status_name(status) + ": " + what);
    said.statuses = {status_name(status)};
    said.advice = advice;
    findings_.add({.foreseen = std::move(said), .must = false});
}

}  // namespace ndsim::forecast
