// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "scenarios/forecast/follower.hpp"

// Windows and fast-register regions: which requests may use them, and in which order they change.
namespace ndsim::forecast {

namespace {

bool opens(const PostOp& post) {
    return post.kind == PostKind::bind || post.kind == PostKind::fast_register;
}

}  // namespace

Memory* Follower::memory_called(std::string_view host, std::string_view name) {
    for (Software& software : hosts_) {
        const auto found = software.memories.find(name);
        if (software.host->name == host && found != software.memories.end()) {
            return &memories_[found->second];
        }
    }
    return nullptr;
}

Memory* Follower::peer_memory(const Request& request) {
    const Endpoint& peer = request.post->peer;
    return peer.empty() ? nullptr : memory_called(peer.host, peer.name);
}

// Whether another request's work is surely over when this one comes to its turn.
bool Follower::is_behind(const Request& request, const Memory::Touch& touch) const {
    const Request& before = requests_[touch.request];
    if (before.qp == request.qp) {
        const bool waits = request.changes_key() && scenario_.profile == StatusProfile::infiniband;  // [X52]
        return before.index < request.index && (!touch.is_slow || waits || request.fenced > before.index);
    }
    const Known& known = request.at.known;
    const Index arrived = known.arrived(before.qp);
    if (touch.is_slow) {
        return known.ended(before.qp) > before.index ||
               (arrived > 0 && this->request(qps_[before.qp], arrived - 1).fenced > before.index);
    }
    return arrived > before.index || (before.carried_out && *before.carried_out <= request.at.when.earliest);
}

// A change that is neither surely over nor surely not begun is a risk.
void Follower::require_behind(const Request& request, const Memory& memory, WcStatus status) {
    if (memory.changed && !is_behind(request, *memory.changed) && is_first_risk(request)) {
        const Request& change = requests_[memory.changed->request];
        risk(request,
             name_of(memory) + " is changed by " + place_of(change) + ", and timing decides whether that comes first",
             status_of(status, request), "wait for a message about it before the request");
    }
}

// The requirements of a use of memory of its own host, or of its peer's.
Follower::Verdict Follower::judge_use(Request& request, Memory& memory, std::uint32_t right, const Piece& piece) {
    const bool is_own = memory.host == request.at.host;
    const bool invalidates = right == 0 && !is_own;
    const WcStatus status = invalidates ? WcStatus::invalidate_error
                            : is_own    ? WcStatus::loc_prot
                                        : WcStatus::rem_access;
    if (passes_.contains({request.qp, request.index})) {
        return {};
    }
    if (!memory.is_open) {
        return {.waits = true, .failure = {}};
    }
    require_behind(request, memory, status);
    const auto refused = [&](const std::string& why) {
        return Verdict{.failure = failed_use(request, is_own, name_of(memory) + ": " + why)};
    };
    const bool is_window = memory.declared->kind == MemoryKind::window;
    if (is_window && (is_own || memory.qp != qps_[request.qp].peer)) {
        return refused(is_own ? "a window is for peers only"
                              : "it is bound by " + name_of(qps_[memory.qp]) + ", and usable by its peer only");
    }
    if ((memory.rights & right) != right) {
        return refused("it is opened without the right for this");
    }
    if (!invalidates && piece.offset.count + piece.size.count > memory.piece.size.count) {
        return refused(std::to_string(piece.size.count) + " bytes at " + std::to_string(piece.offset.count) +
                       " reach beyond the " + std::to_string(memory.piece.size.count) + " that are open");
    }
    return {};
}

// The peer's NIC does not answer a message that names a bad key.
Failure Follower::failed_use(const Request& request, bool is_own, std::string why) const {
    Failure failure{.qp = request.qp, .index = request.index, .why = std::move(why)};
    failure.status = status_of(is_own ? WcStatus::loc_prot : WcStatus::rem_access, request);
    if (request.is_send()) {
        const bool is_told = scenario_.profile == StatusProfile::documented;
        failure.status = status_of(is_told ? WcStatus::invalidate_error : WcStatus::retry_exceeded, request);
        failure.receive_status =
            completion_status(scenario_.profile, WcStatus::invalidate_error, OperationKind::receive);
        failure.is_unacknowledged = true;
    }
    return failure;
}

// Bind and FastRegister need a free key, Invalidate one that is not free.
Follower::Verdict Follower::judge_change(Request& request) {
    const Memory& memory = memories_[hosts_[request.at.host].memories.at(request.post->memory)];
    const auto fails = [&](WcStatus status, std::string why) {
        return Verdict{
            .failure = Failure{
                .qp = request.qp, .index = request.index, .status = status_of(status, request), .why = std::move(why)}};
    };
    if (request.post->kind == PostKind::bind && request.post->pieces.front().size.count == 0) {
        return fails(WcStatus::mw_bind, "it binds no bytes");
    }
    if (passes_.contains({request.qp, request.index})) {
        return {};
    }
    if (memory.is_open == opens(*request.post)) {
        return {.waits = true, .failure = {}};
    }
    require_behind(request, memory, WcStatus::invalidate_error);
    if (!opens(*request.post) && memory.declared->kind == MemoryKind::window && memory.qp != request.qp) {
        return fails(WcStatus::invalidate_error, name_of(memory) + " is bound by " + name_of(qps_[memory.qp]));
    }
    return {};
}

// Changes memory. All uses of its old state must be over.
void Follower::change(Request& request, Memory& memory, bool is_slow) {
    for (const Memory::Touch& use : memory.uses) {
        const Request& used = requests_[use.request];
        if (!is_behind(request, use) && is_first_risk(used)) {
            risk(
                used,
                place_of(request) + " changes " + name_of(memory) + ", and timing decides whether that is done by then",
                status_of(memory.host == used.at.host ? WcStatus::loc_prot : WcStatus::rem_access, used),
                "set read_fence in what changes it, or wait for the completion before");
        }
    }
    memory.uses.clear();
    memory.is_open = opens(*request.post);
    memory.closed_by_peer = request.is_send();
    if (memory.is_open) {
        memory.rights = request.post->flags & (kPostAllowRemoteRead | kPostAllowRemoteWrite);
        memory.piece = request.post->pieces.front();
        memory.qp = request.qp;
    }
    memory.changed = Memory::Touch{qps_[request.qp].sends[request.index], is_slow};
    stirred_ = true;
}

// A request that lacks a key which no request will change any more. It fails if the key was surely taken away in time.
std::optional<Failure> Follower::without_key(const Request& request) {
    const bool changes = request.changes_key();
    const Memory* memory = nullptr;
    if (changes) {
        memory = &memories_[hosts_[request.at.host].memories.at(request.post->memory)];
    } else {
        for (const Piece& piece : request.post->pieces) {
            const Memory* const own = memory_called(hosts_[request.at.host].host->name, piece.buffer);
            memory = own != nullptr && !own->is_open ? own : memory;
        }
        memory = memory == nullptr ? peer_memory(request) : memory;
    }
    const bool is_known = !memory->changed || is_behind(request, *memory->changed);
    const std::string state = !memory->changed  ? "nothing opens it"
                              : memory->is_open ? "it is open"
                                                : "it is closed by " + name_of(requests_[memory->changed->request]);
    if (hosts_[memory->host].progress == Progress::lost || !is_known) {
        const WcStatus status = changes || request.is_send()      ? WcStatus::invalidate_error
                                : memory->host == request.at.host ? WcStatus::loc_prot
                                                                  : WcStatus::rem_access;
        if (is_first_risk(request)) {
            risk(request, name_of(*memory) + ": " + state + ", and timing decides whether that comes first",
                 status_of(status, request), "wait for a message about it before the request");
        }
        passes_.insert({request.qp, request.index});
        stirred_ = true;
        return std::nullopt;
    }
    if (changes) {
        return Failure{.qp = request.qp,
                       .index = request.index,
                       .status = status_of(WcStatus::invalidate_error, request),
                       .why = name_of(*memory) + ": " + state,
                       .advice = memory->is_open ? "invalidate it before" : "open it before"};
    }
    Failure failure = failed_use(request, memory->host == request.at.host, name_of(*memory) + ": " + state);
    failure.advice = "open it before, by a bind or a fast_register";
    return failure;
}

}  // namespace ndsim::forecast
