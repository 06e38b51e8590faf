// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "scenarios/forecast/follower.hpp"

// Names of things in findings.
namespace ndsim::forecast {

std::string Follower::label_of(const Moment& at) {
    if (const auto* const post = std::get_if<PostOp>(&at.op->what)) {
        return post->label;
    }
    const auto* const connection = std::get_if<ConnectionOp>(&at.op->what);
    return connection == nullptr ? std::string() : connection->label;
}

// The queue pair of an operation, or its shared receive queue; empty: none.
std::string Follower::queue_of(const Moment& at) const {
    const std::string host = hosts_[at.host].host->name + ".";
    if (const auto* const post = std::get_if<PostOp>(&at.op->what)) {
        return host + (post->qp.empty() ? post->srq : post->qp);
    }
    const auto* const connection = std::get_if<ConnectionOp>(&at.op->what);
    return connection == nullptr ? std::string() : host + connection->qp;
}

// A request without a label has a number, if its operation posts several.
std::string Follower::name_of(const Request& request) const {
    if (!request.post->label.empty()) {
        return hosts_[request.at.host].host->name + "." + request.post->label;
    }
    std::size_t before = 0;
    std::size_t all = 0;
    for (const Request& other : requests_) {
        const bool is_like = other.at.host == request.at.host && other.at.op->path == request.at.op->path;
        all += is_like ? 1 : 0;
        before += is_like && other.at.step < request.at.step ? 1 : 0;
    }
    const std::string kind(kPostKindNames.at(static_cast<std::size_t>(request.post->kind)));
    return (all > 1 ? kind + " " + std::to_string(before + 1) + " of " : "the " + kind + " of ") + request.at.op->path;
}

// The request's name and place.
std::string Follower::place_of(const Request& request) const {
    return name_of(request) + (request.post->label.empty() ? "" : " of " + request.at.op->path);
}

std::string Follower::name_of(const Qp& qp) const {
    return hosts_[qp.host].host->name + "." + qp.declared->name;
}

std::string Follower::name_of(const Memory& memory) const {
    return hosts_[memory.host].host->name + "." + memory.declared->name;
}

// The parameter that sets its depth.
std::string Follower::depth_of(const Cq& cq) const {
    const Host& host = *hosts_[cq.host].host;
    const bool is_declared = std::ranges::find(host.cqs, cq.name, &CompletionQueue::name) != host.cqs.end();
    return "hosts." + host.name + (is_declared ? ".cqs." + cq.name : std::string(".nic.cq")) + ".depth";
}

Foreseen Follower::said_of(const Moment& at, ForeseenKind kind, std::string what) const {
    Foreseen said;
    said.kind = kind;
    said.at = at.op->at;
    said.path = at.op->path;
    said.queue = queue_of(at);
    said.what = std::move(what);
    if (const std::string label = label_of(at); !label.empty()) {
        said.request = hosts_[at.host].host->name + "." + label;
    }
    return said;
}

Foreseen Follower::said_of(const Request& request, ForeseenKind kind, std::string what) const {
    return said_of(request.at, kind, std::move(what));
}

NTSTATUS Follower::status_of(WcStatus status, const Request& request) const {
    constexpr std::array kKinds{OperationKind::send,          OperationKind::receive,    OperationKind::write,
                                OperationKind::read,          OperationKind::send,       OperationKind::bind,
                                OperationKind::fast_register, OperationKind::invalidate, OperationKind::receive};
    return completion_status(scenario_.profile, status, kKinds.at(static_cast<std::size_t>(request.post->kind)));
}

}  // namespace ndsim::forecast
