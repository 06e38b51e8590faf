// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "scenarios/forecast/follower.hpp"

// Findings when nothing goes on any more: programs that have not ended, requests that never begin, completion queues
// that hold more than they can.
namespace ndsim::forecast {

namespace {

std::string counted(std::uint64_t count, const std::string& what) {
    return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

}  // namespace

void Follower::conclude() {
    for (const Qp& qp : qps_) {
        conclude_queue(qp);
    }
    for (Cq& cq : cqs_) {
        conclude_crowd(cq);
    }
    const bool is_certain = !findings_.has_doubts();
    for (const Cq& cq : cqs_) {
        conclude_overrun(cq, is_certain);
    }
    for (const Software& software : hosts_) {
        if (software.progress == Progress::blocked) {
            conclude_stall(software);
        }
    }
}

void Follower::conclude_queue(const Qp& qp) {
    if (qp.broken || qp.flushed || qp.drained || qp.link != Link::up) {
        return;
    }
    if (qp.announced < qp.sends.size() && hosts_[qp.host].progress != Progress::lost) {
        const Request& deferred = request(qp, qp.announced);
        Foreseen said = said_of(deferred, ForeseenKind::never_begins,
                                name_of(deferred) + " is deferred and # never begin: no request on " + name_of(qp) +
                                    " behind it has its doorbell rung");
        said.advice = "remove the flag from the last request";
        findings_.add({.foreseen = std::move(said)});
    }
    if (qp.delivered == qp.announced || !qp.peer || qps_[*qp.peer].flushed) {
        return;
    }
    const Request& waiting = request(qp, qp.delivered);
    const Qp& to = qps_[*qp.peer];
    if (!waiting.is_send() || receive_for(to) != nullptr || hosts_[to.host].progress == Progress::lost) {
        return;
    }
    const std::size_t posted = to.srq ? srqs_[*to.srq].requests.size() : to.receives.size();
    const std::string where = hosts_[to.host].host->name + "." + (to.srq ? to.declared->srq : to.declared->name);
    Foreseen said = said_of(waiting, ForeseenKind::never_ends,
                            name_of(waiting) + " # ask for a receive forever: " + counted(posted, "receive") + " of " +
                                where + (posted == 1 ? " is" : " are") + " taken by messages before it");
    said.advice = "post more receives to " + where;
    findings_.add(
        {.foreseen = std::move(said), .must = !to.srq || srqs_[*to.srq].users.size() == 1, .even_if_slower = true});
}

// No program polls any more, and there are more entries than the queue has room for.
void Follower::conclude_overrun(const Cq& cq, bool is_certain) {
    const std::uint64_t held = cq.placed - cq.taken;
    if (held <= cq.depth) {
        return;
    }
    const bool is_one = cq.streams.size() == 1;
    const Stream& stream = streams_[cq.streams.front()];
    const std::size_t lost = is_one ? cq.taken + cq.depth : stream.entries.size() - 1;
    const Request* const first = lost < stream.entries.size() ? &requests_[stream.entries[lost].request] : nullptr;
    const std::string what = "completion queue " + name_of(cq) + " # overrun: it holds " + std::to_string(cq.depth) +
                             ", and more come that nothing polls";
    Foreseen said = is_one && first != nullptr ? said_of(*first, ForeseenKind::overruns,
                                                         what + "; that of " + name_of(*first) + " is lost first")
                                               : said_of(hosts_[cq.host].now, ForeseenKind::overruns, what);
    said.advice =
        "poll it, or raise " + depth_of(cq) + " from " + std::to_string(cq.depth) + " to " + std::to_string(held);
    const bool may_poll = hosts_[cq.host].progress == Progress::lost;
    findings_.add({.foreseen = std::move(said), .must = is_certain && !may_poll, .even_if_unsure = true});
    findings_.leave_out(*hosts_[cq.host].now.op, "the effects of the overrun of " + name_of(cq), Doubt::unsure);
}

// The most completions that may wait in the queue when a program comes to a poll.
std::uint64_t Follower::held_in(const Cq& cq, const Crowd& crowd) const {
    std::uint64_t sum = cq.loose;
    for (std::size_t i = 0; i < cq.streams.size(); ++i) {
        const Stream& stream = streams_[cq.streams[i]];
        const auto sent_later = [&](const Entry& entry) {
            return entry.message && requests_[*entry.message].at.known.steps(cq.host) > crowd.step;
        };
        const auto end = std::ranges::partition_point(stream.entries, [&](const Entry& e) { return !sent_later(e); });
        sum += std::min<std::uint64_t>(crowd.possible[i], static_cast<std::uint64_t>(end - stream.entries.begin()));
    }
    sum = findings_.may_break() ? std::max(sum, crowd.if_broken) : sum;
    return sum - std::min(sum, crowd.taken);
}

// Whether the completions that may have come by some poll exceed the queue's room. Requests cancelled by the end of a
// connection may also exceed it behind the last poll.
void Follower::conclude_crowd(Cq& cq) {
    if (const Software& software = hosts_[cq.host]; findings_.may_break() && software.now.op != nullptr) {
        note_crowd(software, cq);
    }
    const Crowd* worst = nullptr;
    std::uint64_t most = 0;
    for (const Crowd& crowd : cq.crowds) {
        const std::uint64_t held = held_in(cq, crowd);
        if (held > crowd.depth && held > most) {
            worst = &crowd;
            most = held;
        }
    }
    if (worst == nullptr) {
        return;
    }
    Moment at = hosts_[cq.host].now;
    at.op = worst->op;
    Foreseen said = said_of(at, ForeseenKind::overruns,
                            "completion queue " + name_of(cq) + " # overrun: up to " + counted(most, "completion") +
                                " may wait in it, and it holds " + std::to_string(worst->depth));
    said.request.clear();
    said.advice = "raise " + depth_of(cq) + " from " + std::to_string(worst->depth) + " to " + std::to_string(most);
    findings_.add({.foreseen = std::move(said), .must = false});
    findings_.doubt(Doubt::unsure);
}

void Follower::conclude_stall(const Software& software) {
    const Stall stall = std::visit(
        [&](const auto& op) {
            if constexpr (requires { this->stall(software, op); }) {
                return this->stall(software, op);
            } else {
                return Stall{"waits", {}, false, false};
            }
        },
        software.now.op->what);
    Foreseen said = said_of(software.now, ForeseenKind::never_ends,
                            "the program of " + software.host->name + " # never end: it " + stall.what);
    if (findings_.is_unsure() && !stall.even_if_unsure) {
        return;  // it may only follow from something left out
    }
    said.request.clear();
    said.advice = stall.advice;
    findings_.add({.foreseen = std::move(said),
                   .must = stall.must,
                   .even_if_slower = true,
                   .even_if_unsure = stall.even_if_unsure});
}

// An upper bound for the completions of everything that the program has posted so far.
std::uint64_t Follower::all_of(const Cq& cq) const {
    std::uint64_t sum = 0;
    for (const Index index : cq.streams) {
        const Qp& qp = qps_[streams_[index].qp];
        const std::uint64_t each = hosts_[qp.host].host->api == Api::ndspi1 ? 2 : 1;
        sum += !streams_[index].receives ? qp.sends.size()
               : qp.srq                  ? srqs_[*qp.srq].requests.size()
                                         : each * qp.receives.size();
    }
    return sum;
}

Follower::Stall Follower::stall(const Software& software, const PollOp& poll) const {
    const Cq& cq = cqs_[software.cqs.at(poll.cq)];
    const std::uint64_t wanted = cq.taken + software.left;
    const std::uint64_t all = all_of(cq);
    const std::string come = cq.placed == 0   ? "none comes"
                             : cq.placed == 1 ? "only 1 comes"
                                              : "only " + std::to_string(cq.placed) + " come";
    return {"polls " + poll.cq + " for completion " + std::to_string(wanted) + ", and " + come,
            "poll fewer completions, or post more requests", true, wanted > all};
}

Follower::Stall Follower::stall(const Software& software, const WaitOp& wait) const {
    if (!wait.qp.empty()) {
        return {"waits for the peer of " + wait.qp + " to disconnect, but the peer never does",
                "let the peer disconnect"};
    }
    if (!wait.srq.empty()) {
        const Srq& srq = srqs_[software.srqs.at(wait.srq)];
        const bool is_unarmed = srq.waits >= srq.arms;
        return {is_unarmed ? "waits for a notification of " + wait.srq + " that nothing has asked for"
                           : "waits for " + wait.srq + " to run low, but messages do not use enough receives",
                is_unarmed ? "put a modify_srq with a threshold before it" : "", is_unarmed, is_unarmed};
    }
    const Cq& cq = cqs_[software.cqs.at(wait.cq)];
    if (cq.waits >= cq.arms) {
        return {"waits for a notification of " + wait.cq + " that no arm has asked for", "arm it again before", true,
                true};
    }
    const bool is_empty = all_of(cq) == cq.taken_at_arm;
    const bool may_have_met = cq.placed > cq.taken_at_arm;  // by an entry that was there when the queue was armed
    return {"waits for a notification of " + wait.cq + ", and no completion comes that it is armed for", "",
            !may_have_met, is_empty};
}

Follower::Stall Follower::stall(const Software&, const SpinOp& spin) const {
    const std::uint64_t byte = spin.piece.offset.count + spin.piece.size.count - 1;
    return {"spins on byte " + std::to_string(byte) + " of " + spin.piece.buffer + ", to which nothing is written", ""};
}

Follower::Stall Follower::stall(const Software& software, const ConnectionOp& op) const {
    const std::string peer = name_of(qps_[*qps_[software.qps.at(op.qp)].peer]);
    if (op.verb == ConnectionVerb::accept || op.verb == ConnectionVerb::reject) {
        return {"waits for " + peer + " to connect, but it never does", ""};
    }
    return {"waits for " + peer + " beyond limits.time", ""};
}

Follower::Stall Follower::stall(const Software& software, const PostOp& post) const {
    const Qp& qp = qps_[software.qps.at(post.qp)];
    const Qp& peer = qps_[*qp.peer];
    return {"receives more on " + post.qp + " than the " + counted(peer.bytes_sent, "byte") + " that the peer sends",
            "receive fewer bytes, or let the peer disconnect"};
}

}  // namespace ndsim::forecast
