// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "models/proto/rnr_timer.hpp"
#include "scenarios/forecast/follower.hpp"

// Messages: each takes a receive, which must be there in time and be long enough.
namespace ndsim::forecast {

namespace {

constexpr std::uint32_t kAnyNumber = 7;  // of RNR NAKs [X23]

}  // namespace

Request* Follower::receive_for(const Qp& to) {
    if (!to.srq) {
        return to.matched < to.receives.size() ? &requests_[to.receives[to.matched]] : nullptr;
    }
    const Srq& srq = srqs_[*to.srq];
    return srq.matched < srq.requests.size() ? &requests_[srq.requests[srq.matched]] : nullptr;
}

Follower::Verdict Follower::judge_message(Request& message) {
    Request* const receive = receive_for(qps_[*qps_[message.qp].peer]);
    if (receive == nullptr) {
        return {.waits = true, .failure = {}};
    }
    for (const Request* const each : std::array<const Request*, 2>{&message, receive}) {
        for (const Piece& piece : each->post->pieces) {
            if (memory_called(hosts_[each->at.host].host->name, piece.buffer) != nullptr) {
                findings_.leave_out(*each->at.op, "a message in a fast-register region of its own host", Doubt::unsure);
            }
        }
    }
    if (Verdict verdict = judge_in_time(message, *receive); verdict.failure) {
        return verdict;
    }
    Verdict verdict = judge_arrived(message, *receive);
    // If the receive may come too late, the message may fail because of that instead.
    if (verdict.failure && !is_there_for(message, *receive)) {
        verdict.failure->even_if_broken = false;
    }
    return verdict;
}

// Judges a message that has its receive.
Follower::Verdict Follower::judge_arrived(Request& message, const Request& receive) {
    if (Verdict verdict = judge_length(message, receive); verdict.failure) {
        return verdict;
    }
    if (message.post->kind != PostKind::send_and_invalidate) {
        return {};
    }
    Memory* const memory = peer_memory(message);
    if (memory == nullptr) {  // the key of a buffer cannot be invalidated
        Failure failure = failed_use(message, false, message.post->peer.text() + " is a buffer, whose key stays valid");
        failure.even_if_broken = true;
        return {.failure = std::move(failure)};
    }
    return judge_use(message, *memory, 0, {});
}

// In a queue shared by several queue pairs, any receive may be the one that it takes.
Follower::Verdict Follower::judge_length(const Request& message, const Request& receive) {
    if (message.length <= receive.length) {
        return {};
    }
    const Qp& to = qps_[*qps_[message.qp].peer];
    if (to.srq && srqs_[*to.srq].users.size() > 1) {
        findings_.leave_out(*message.at.op, "which receive of shared queue " + to.declared->srq + " it takes",
                            Doubt::unsure);
        return {};
    }
    return {.failure = Failure{.qp = message.qp,
                               .index = message.index,
                               .status = status_of(WcStatus::rem_inv_req, message),
                               .receive_status = status_of(WcStatus::loc_len, receive),
                               .even_if_broken = !to.srq,
                               .why = std::to_string(message.length) + " bytes are longer than " + name_of(receive) +
                                      ", " + std::to_string(receive.length),
                               .advice = "post a longer receive at " + receive.at.op->path}};
}

std::optional<Picoseconds> Follower::patience(Index receiver) const {
    const Host& host = *hosts_[qps_[receiver].host].host;
    const QueueParams& queues = host.node.nic.queues;
    const bool terminates = effective(queues.overflow, scenario_.profile) == Overflow::terminate;
    if (qps_[receiver].srq || (!terminates && queues.rnr_retry == kAnyNumber)) {
        return std::nullopt;
    }
    return terminates ? Picoseconds{} : queues.rnr_retry * rnr_wait(static_cast<std::uint8_t>(queues.rnr_timer));
}

// Whether the receive is surely there while the sender asks for it.
bool Follower::is_there_for(const Request& message, const Request& receive) const {
    const Index receiver = receive.at.host;
    const auto patience = this->patience(*qps_[message.qp].peer);
    if (!patience || message.at.known.steps(receiver) > receive.at.step) {
        return true;
    }
    const auto there = receive.at.when.latest;
    return there && *there + times_.to_nic(receiver) <= message.at.when.earliest + *patience;
}

// The receive surely is in time, or surely is not, or that is unknown.
Follower::Verdict Follower::judge_in_time(Request& message, Request& receive) {
    const Index sender = message.at.host;
    const Index receiver = receive.at.host;
    if (is_there_for(message, receive)) {
        return {};
    }
    const auto patience = this->patience(*qps_[message.qp].peer);
    const auto way = times_.message(sender, receiver);
    if (*patience == Picoseconds{} && message.at.when.latest && way &&
        *message.at.when.latest + *way <= receive.at.when.earliest) {
        return {.failure = Failure{.qp = message.qp,
                                   .index = message.index,
                                   .status = status_of(WcStatus::rnr_retry_exceeded, message),
                                   .why = "it finds no receive, as " + place_of(receive) + " is posted later",
                                   .advice = "post it earlier, send later, or let senders wait: hosts." +
                                             hosts_[receiver].host->name + ".nic.overflow"}};
    }
    if (is_first_risk(message)) {
        risk(message, "it needs " + place_of(receive) + ", and timing decides whether that comes first",
             status_of(WcStatus::rnr_retry_exceeded, message),
             "let " + hosts_[sender].host->name + " wait for a message about it, or sleep longer");
    }
    return {};
}
void Follower::carry_out_message(Request& message) {
    Qp& from = qps_[message.qp];
    Qp& to = qps_[*from.peer];
    Request& receive = *receive_for(to);
    const Index taken = to.srq ? srqs_[*to.srq].requests[srqs_[*to.srq].matched++] : to.receives[to.matched++];
    Known happened(hosts_.size(), qps_.size());
    happened.join(message.at.known);
    happened.join(receive.at.known);
    happened.learn_steps(message.at.host, message.at.step + 1);
    happened.learn_steps(receive.at.host, receive.at.step + 1);
    happened.learn_arrived(message.qp, message.index + 1);
    arrives_behind(from, arrival(message, receive));
    const auto arrives = from.arrived;
    const bool solicits = (message.post->flags & kPostSolicit) != 0;
    Stream& receives = streams_[to.receive_stream];
    if (message.post->kind == PostKind::send_and_invalidate) {
        change(message, *peer_memory(message), false);
        if (hosts_[to.host].host->api == Api::ndspi1) {
            findings_.lost_if_broken();  // a cancelled receive has one completion, not two
            place(receives,
                  {.request = taken, .message = from.sends[message.index], .known = happened, .latest = arrives});
        }
    }
    place(receives, {.request = taken,
                     .message = from.sends[message.index],
                     .known = happened,
                     .latest = arrives,
                     .solicited = solicits});
    scatter(receive, message.length);
    if (!message.is_silent()) {
        Entry entry{.request = from.sends[message.index], .message = {}, .known = std::move(happened)};
        entry.known.learn_ended(message.qp, message.index + 1);
        if (const auto back = times_.message(to.host, from.host); arrives && back) {
            entry.latest = *arrives + *back;
        }
        place(streams_[from.send_stream], std::move(entry));
    }
}
// The latest time at which a message has been received, if its receive is surely there before it.
std::optional<Picoseconds> Follower::arrival(const Request& message, const Request& receive) const {
    const auto way = times_.message(message.at.host, receive.at.host);
    const auto there = receive.at.when.latest;
    const bool finds_it = there && *there + times_.to_nic(receive.at.host) <= message.at.when.earliest;
    const bool knows_it = message.at.known.steps(receive.at.host) > receive.at.step;
    return way && message.at.when.latest && (finds_it || knows_it) ? std::optional(*message.at.when.latest + *way)
                                                                   : std::nullopt;
}
}  // namespace ndsim::forecast
