// SPDX-License-Identifier: Apache-2.0
#include "scenarios/forecast/access_reasons.hpp"

#include <algorithm>
#include <optional>

#include "scenarios/format/connections.hpp"
#include "scenarios/format/status_name.hpp"
#include "scenarios/result/dead_connections.hpp"

namespace ndsim::forecast {

namespace {

// Calls that have changed who may use an object of memory, until a moment. The object is open since the last of
// `opened` unless `shut` is later.
struct Changes {
    bool is_ever_opened = false;
    const Call* opened = nullptr;
    const Call* shut = nullptr;

    [[nodiscard]] bool is_shut() const;
    [[nodiscard]] bool is_open() const { return opened != nullptr && !is_shut(); }
};

Picoseconds end_of(const Call& call) {
    return call.end ? call.end->at : call.at;
}

bool Changes::is_shut() const {
    return shut != nullptr && (opened == nullptr || end_of(*shut) >= end_of(*opened));
}

bool has_succeeded(const Call& call) {
    return call.status == STATUS_SUCCESS && (!call.end || call.end->status == STATUS_SUCCESS);
}

// The owner invalidates its memory, also as the sink of a Read, or a peer does with a message.
bool shuts(const PostOp& post, bool by_owner, const Endpoint& memory) {
    if (!by_owner) {
        return post.kind == PostKind::send_and_invalidate && post.peer == memory;
    }
    const bool is_sink =
        (post.flags & kPostLocalInvalidate) != 0 && !post.pieces.empty() && post.pieces.front().buffer == memory.name;
    return is_sink || (post.kind == PostKind::invalidate && post.memory == memory.name);
}

Changes changes_of(const Remains& remains, const Endpoint& memory, Picoseconds until) {
    Changes changes;
    for (std::size_t host = 0; host < remains.scenario().hosts.size(); ++host) {
        const bool by_owner = remains.scenario().hosts[host].name == memory.host;
        for (const Call& call : remains.calls(host)) {
            const auto* const post = std::get_if<PostOp>(&call.op->what);
            if (post == nullptr) {
                continue;
            }
            const bool opens = by_owner && post->memory == memory.name && post->kind != PostKind::invalidate;
            changes.is_ever_opened = changes.is_ever_opened || opens;
            const bool counts = has_succeeded(call) && end_of(call) <= until;
            const Call*& last = opens ? changes.opened : changes.shut;
            if (counts && (opens || shuts(*post, by_owner, memory)) &&
                (last == nullptr || end_of(*last) <= end_of(call))) {
                last = &call;
            }
        }
    }
    return changes;
}

std::string beyond(const PostOp& post, const std::string& end) {
    return std::to_string(length_of(post)) + " bytes at " + std::to_string(post.peer_offset.count) +
           " reach beyond the end of " + end;
}

Reason not_open(const Changes& changes, const Endpoint& memory) {
    return {changes.is_shut()
                ? memory.text() + " is open no longer, as " + changes.shut->op->path + " has invalidated it"
                : "nothing has opened " + memory.text() + " by then",
            "open it before"};
}

// A request that invalidates an object, and its queue pair.
struct Closer {
    Endpoint end;
    const Call* call = nullptr;
};

// Whether a request that invalidates was under way when the other one failed. On the same queue pair the peer executes
// a message behind that one if it does not wait, although it is cancelled then.
bool is_under_way(const Call& call, const PostOp& post, bool on_same, Picoseconds until) {
    if (on_same) {
        return post.kind == PostKind::send_and_invalidate && (post.flags & kPostReadFence) == 0;
    }
    return !call.end || (call.end->status == STATUS_SUCCESS && call.end->at > until);
}

// The request that has closed the object while the failed one was using it, if there is one.
std::optional<Closer> closer_of(const Remains& remains, const FailedRequest& failed, const Endpoint& memory) {
    const Picoseconds until = failed.call->end->at;
    for (std::size_t host = 0; host < remains.scenario().hosts.size(); ++host) {
        const std::string& name = remains.scenario().hosts[host].name;
        const bool by_owner = name == memory.host;
        for (const Call& call : remains.calls(host)) {
            const auto* const post = std::get_if<PostOp>(&call.op->what);
            if (post == nullptr || call.status != STATUS_SUCCESS || call.at > until ||
                !shuts(*post, by_owner, memory)) {
                continue;
            }
            const Endpoint end{name, post->qp};
            if (is_under_way(call, *post, end == failed.end, until)) {
                return Closer{end, &call};
            }
        }
    }
    return std::nullopt;
}

// An object that is open, and not for this request.
Reason reason_of_opening(const Remains& remains, const FailedRequest& failed, const Call& opened) {
    const auto& post = std::get<PostOp>(failed.call->op->what);
    const auto& opening = std::get<PostOp>(opened.op->what);
    const std::string name = post.peer.text();
    const std::string& path = opened.op->path;
    const Endpoint peer = peer_of(remains.scenario(), failed.end);
    if (opening.kind == PostKind::bind && opening.qp != peer.name) {
        return {name + " is open to the peer of " + peer.host + "." + opening.qp + " only",
                "bind it on " + peer.text() + " at " + path};
    }
    const bool reads = post.kind == PostKind::read;
    const std::uint32_t needed = reads ? kPostAllowRemoteRead : kPostAllowRemoteWrite;
    if ((opening.flags & needed) != needed) {
        const std::string right = reads ? "remote_read" : "remote_write";
        return {path + " opens " + name + " without " + right, "add " + right + R"( to its "allow")"};
    }
    if (post.peer_offset.count + length_of(post) > length_of(opening)) {
        return {beyond(post, "the " + std::to_string(length_of(opening)) + " bytes that " + path + " opens"),
                "open more, or ask for less"};
    }
    if (const auto closer = closer_of(remains, failed, post.peer)) {
        const std::string& closing = closer->call->op->path;
        return {name + " is open no longer, as " + closing + " invalidates it under way",
                closer->end == failed.end ? R"(add read_fence to the "flags" of )" + closing : "invalidate it later"};
    }
    return {name + " is not open at that time", "wait for a message about it before the request"};
}

}  // namespace

Reason reason_without_access(const Remains& remains, const FailedRequest& failed) {
    const auto& post = std::get<PostOp>(failed.call->op->what);
    const bool invalidates = post.kind == PostKind::send_and_invalidate;
    const Host& owner = remains.scenario().hosts[remains.index_of(post.peer.host)];
    const std::string name = post.peer.text();
    if (std::ranges::find(owner.buffers, post.peer.name, &Buffer::name) != owner.buffers.end()) {
        return invalidates ? Reason{name + " is a buffer, whose key stays valid", {}}
                           : Reason{beyond(post, name), "raise the size of buffer " + name};
    }
    const Changes changes = changes_of(remains, post.peer, failed.call->end->at);
    if (!changes.is_ever_opened) {
        return {name + ": nothing opens it", "open it before, by a bind or a fast_register"};
    }
    if (changes.opened == nullptr) {
        return {name + " is not open at that time", "wait for a message about it before the request"};
    }
    if (changes.is_shut()) {
        return {name + " is open no longer, as " + changes.shut->op->path + " has invalidated it",
                "open it again before, or invalidate it later"};
    }
    return invalidates ? Reason{name + " is not open at that time, or not to this queue pair", {}}
                       : reason_of_opening(remains, failed, *changes.opened);
}

Reason reason_of_own_pieces(const Remains& remains, const FailedRequest& failed) {
    const auto& post = std::get<PostOp>(failed.call->op->what);
    const Host& host = remains.scenario().hosts[remains.index_of(failed.end.host)];
    for (const Piece& piece : post.pieces) {
        const bool is_buffer = std::ranges::find(host.buffers, piece.buffer, &Buffer::name) != host.buffers.end();
        const Endpoint memory{host.name, piece.buffer};
        const Changes changes = changes_of(remains, memory, failed.call->end->at);
        if (!is_buffer && !changes.is_open()) {
            return not_open(changes, memory);
        }
    }
    return {std::string(sentence_of(WcStatus::loc_prot)), {}};
}

Reason reason_of_own_memory(const Remains& remains, const FailedRequest& failed) {
    const auto& post = std::get<PostOp>(failed.call->op->what);
    const Endpoint memory{failed.end.host, post.memory};
    const Changes changes = changes_of(remains, memory, failed.call->end->at);
    if (post.kind != PostKind::invalidate && changes.is_open()) {
        return {memory.text() + " is open since " + changes.opened->op->path, "invalidate it before"};
    }
    if (post.kind == PostKind::invalidate && !changes.is_open()) {
        return not_open(changes, memory);
    }
    return {"the NIC refuses to change " + memory.text() + " like this", "see its page in docs/api"};
}

Reason reason_of_failed_receive(const Remains& remains, const Endpoint& peer) {
    const std::vector<const Call*>& receives = remains.accepted(peer).receives;
    const auto broken = std::ranges::find_if(receives, has_broken);
    if (broken == receives.end()) {
        return {std::string(sentence_of(WcStatus::rem_op)), {}};
    }
    return {remains.name_of(remains.index_of(peer.host), **broken) + " at " + (*broken)->op->path +
                ", the receive that it takes, fails with " + status_name((*broken)->end->status),
            "let the receive name memory that is open with local_write, and long enough, until the message comes"};
}

}  // namespace ndsim::forecast
