// SPDX-License-Identifier: Apache-2.0
#include "scenarios/forecast/follower.hpp"

// The steps of connections that programs make and end.
namespace ndsim::forecast {

namespace {

std::string verb_of(const ConnectionOp& op) {
    return std::string(kConnectionVerbNames.at(static_cast<std::size_t>(op.verb)));
}

}  // namespace

Follower::Step Follower::carry_out(Software& software, const ConnectionOp& op) {
    const Index qp = software.qps.at(op.qp);
    switch (op.verb) {
        case ConnectionVerb::connect:
            return connect(software, qp, op);
        case ConnectionVerb::listen:
            listen(software, qps_[qp]);
            return Step::done;
        case ConnectionVerb::accept:
        case ConnectionVerb::reject:
            return answer(software, qp, op);
        case ConnectionVerb::disconnect:
            return disconnect(software, qp, op);
        case ConnectionVerb::flush:
            flush(software, qp);
            return Step::done;
    }
    return Step::done;
}

void Follower::refuse_step(Software& software, const ConnectionOp& op, NTSTATUS status, const std::string& why,
                           const std::string& advice) {
    Foreseen said = said_of(software.now, ForeseenKind::refused,
                            "this " + verb_of(op) + " # end with " + status_name(status) + ": " + why);
    said.statuses = {status_name(status)};
    said.advice = advice;
    findings_.add({.foreseen = std::move(said)});
}

// Asks once, and waits for the answer.
Follower::Step Follower::connect(Software& software, Index index, const ConnectionOp& op) {
    Qp& qp = qps_[index];
    Moment& now = software.now;
    const std::string peer = name_of(qps_[*qp.peer]);
    if (!software.has_begun && qp.link != Link::none) {
        const bool is_over = qp.link == Link::over;
        refuse_step(software, op, is_over ? STATUS_CONNECTION_INVALID : STATUS_CONNECTION_ACTIVE,
                    is_over ? name_of(qp) + " has been disconnected, and a queue pair serves one connection"
                            : name_of(qp) + " is connected already",
                    {});
        return Step::done;
    }
    if (!qp.asks && !qp.answer) {
        if (const Step step = ask(software, index); step == Step::blocked || software.progress == Progress::lost) {
            return step;
        }
    }
    if (!qp.answer) {
        return Step::blocked;
    }
    const NTSTATUS answer = *std::exchange(qp.answer, std::nullopt);
    const bool was_asked = std::exchange(qp.asks, false);
    if (answer == STATUS_SUCCESS) {
        learn(software, hosts_[qps_[*qp.peer].host].now.known);
        now.when.latest.reset();
        return Step::done;
    }
    refuse_step(software, op, answer,
                was_asked ? peer + " gives this answer" : "nothing listens for " + peer + " by then",
                was_asked ? "" : "listen earlier, or connect later");
    if (now.when.latest && !was_asked) {
        *now.when.latest += times_.refusal(now.host, qps_[*qp.peer].host);
    } else {
        now.when.latest.reset();
    }
    return Step::done;
}

// Whether the peer listens by then, as far as its program has been followed.
Follower::Step Follower::ask(Software& software, Index index) {
    Qp& qp = qps_[index];
    const Qp& peer = qps_[*qp.peer];
    const Moment& now = software.now;
    if (!peer.listens) {
        return Step::blocked;
    }
    const Moment& listens = *peer.listens;
    const Picoseconds way = times_.management(now.host, peer.host);
    const bool is_there = now.known.steps(peer.host) > listens.step ||
                          (listens.when.latest && *listens.when.latest + way <= now.when.earliest);
    if (is_there) {
        qp.asks = true;
        stirred_ = true;
    } else if (now.when.latest && *now.when.latest + way <= listens.when.earliest) {
        qp.answer = STATUS_CONNECTION_REFUSED;
    } else {
        lose(software, "whether " + name_of(peer) + " listens by then is a matter of timing");
    }
    return Step::done;
}

void Follower::listen(Software& software, Qp& qp) {
    if (!qp.listens) {
        qp.listens = software.now;
        stirred_ = true;
    }
    if (software.now.when.latest) {
        *software.now.when.latest += times_.management(software.now.host, software.now.host);
    }
}

Follower::Step Follower::answer(Software& software, Index index, const ConnectionOp& op) {
    Qp& qp = qps_[index];
    Qp& peer = qps_[*qp.peer];
    if (qp.link != Link::none && software.host->api == Api::ndspi1 && op.verb == ConnectionVerb::accept) {
        lose(software, "what an accept returns when its connector is in use");
        return Step::blocked;
    }
    if (!software.has_begun) {
        listen(software, qp);
    }
    if (!peer.asks || peer.answer) {
        return Step::blocked;
    }
    learn(software, software_of(peer).now.known);
    software.now.when.latest.reset();
    stirred_ = true;
    if (op.verb == ConnectionVerb::reject) {
        peer.answer = STATUS_CONNECTION_REFUSED;
        return Step::done;
    }
    peer.answer = STATUS_SUCCESS;
    qp.link = peer.link = Link::up;
    return Step::done;
}

// A rendezvous.
Follower::Step Follower::disconnect(Software& software, Index index, const ConnectionOp& op) {
    Qp& qp = qps_[index];
    Qp& peer = qps_[*qp.peer];
    if (software.host->api == Api::wsd) {
        qp.left = software.now;
        qp.link = Link::over;
        stirred_ = true;
        return Step::done;
    }
    if (!software.has_begun) {
        if (qp.link != Link::up || qp.left) {
            if (software.host->api == Api::ndspi1) {
                findings_.leave_out(*software.now.op, "what a disconnect without a connection returns", Doubt::unsure);
            } else {
                refuse_step(software, op, STATUS_CONNECTION_INVALID, name_of(qp) + " is not connected", {});
            }
            return Step::done;
        }
        leave(software, index);
    }
    if (!qp.broken && !peer.left) {
        if (is_flushed_by_peer(peer) && !std::exchange(peer.drained, true)) {
            loosen_silent(*qp.peer, software.now.known.ended(*qp.peer));
            loosen(streams_[peer.send_stream], peer.sends.size() - peer.announced);
            flush_queues(*qp.peer);
        }
        return Step::blocked;
    }
    if (peer.left && !qp.broken) {
        learn(software, peer.left->known);
        end_connection(index);
    }
    qp.link = Link::over;
    software.now.when.latest.reset();
    return Step::done;
}

// Requests not known to have ended may be cancelled by it.
void Follower::leave(Software& software, Index index) {
    Qp& qp = qps_[index];
    const Qp& peer = qps_[*qp.peer];
    qp.left = software.now;
    stirred_ = true;
    may_come_before_failure(software, index);
    if (qp.broken) {
        return;
    }
    const auto cancels = [&](const Qp& whose, Index first, const std::string& what) {
        if (first < whose.sends.size() && is_first_risk(request(whose, first))) {
            risk(request(whose, first), what + " is disconnected at " + software.now.op->path, STATUS_CANCELLED,
                 "poll its completion before");
        }
    };
    cancels(qp, software.now.known.ended(index), "the connection");
    if (is_flushed_by_peer(peer)) {
        cancels(peer, software.now.known.arrived(*qp.peer), name_of(qp));
    }
}

bool Follower::is_flushed_by_peer(const Qp& qp) const {
    const Host& host = *hosts_[qp.host].host;
    const ByInterface choice = host.node.adapter.flush_on_peer_disconnect;
    return choice == ByInterface::always || (choice == ByInterface::by_interface && host.api != Api::ndk);
}

// Whether the program has polled the completion of the failed request.
bool Follower::knows_failure(const Software& software, const Qp& qp) const {
    return qp.host == software.now.host && streams_[qp.send_stream].taken_surely > qp.failed_entry;
}

// A request that surely fails is cancelled instead if something else ends its connection earlier.
void Follower::may_come_before_failure(const Software& software, Index index) {
    for (const Index end : {index, *qps_[index].peer}) {
        const Qp& qp = qps_[end];
        if (qp.failure && !knows_failure(software, qp)) {
            findings_.or_cancelled(*qp.failure);
        }
    }
}

Follower::Step Follower::wait_for_disconnect(Software& software, Qp& qp) {
    if (qp.left) {
        lose(software, "whether a host that has disconnected hears of its peer");
        return Step::blocked;
    }
    const Qp& peer = qps_[*qp.peer];
    if (qp.link == Link::up && peer.left) {
        learn(software, peer.left->known);
        return Step::done;
    }
    return qp.link == Link::up && qp.broken ? Step::done : Step::blocked;
}

// From now on all requests of the queue pair are cancelled; its connection stays.
void Follower::flush(Software& software, Index index) {
    Qp& qp = qps_[index];
    if (software.now.when.latest) {
        *software.now.when.latest += times_.call(software.now.host);
    }
    const Index ended = software.now.known.ended(index);
    if (!qp.broken && ended < qp.sends.size() && is_first_risk(request(qp, ended))) {
        risk(request(qp, ended), "the program flushes " + name_of(qp) + " at " + software.now.op->path,
             STATUS_CANCELLED, "poll its completion before");
    }
    // A request that is cancelled before it can fail does not end the connection, and the peer is not told.
    if (qp.broken && qp.failure) {
        if (!knows_failure(software, qp)) {
            findings_.leave_out(*software.now.op,
                                "whether " + name_of(qp) + " fails before, so that its peer hears of it",
                                Doubt::slower);
        }
    } else if (ended < qp.sends.size()) {
        findings_.lost_if_broken();
    }
    may_come_before_failure(software, index);
    loosen_silent(index, ended);
    if (qp.peer && software.now.known.arrived(*qp.peer) < qps_[*qp.peer].sends.size()) {
        findings_.leave_out(*software.now.op, "which requests of the peer meet the flush", Doubt::unsure);
    }
    loosen(streams_[qp.send_stream], qp.sends.size() - qp.announced);
    qp.flushed = true;
    flush_queues(index);
}

}  // namespace ndsim::forecast
