// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "scenarios/forecast/follower.hpp"

// The fate of the queues of a connection that ends. All posted requests complete. Silent requests may or may not
// succeed before that, so there may be more completions than are counted.
namespace ndsim::forecast {

void Follower::break_connection(const Failure& failure) {
    Qp& from = qps_[failure.qp];
    const Index peer = *from.peer;
    Qp& to = qps_[peer];
    const Request& request = requests_[from.sends[failure.index]];
    Foreseen said = said_of(request, ForeseenKind::fails,
                            name_of(request) + " # fail with " + status_name(failure.status) + ": " + failure.why);
    said.statuses = {status_name(failure.status)};
    said.advice = failure.advice;
    const Index answered = request.at.known.ended(failure.qp);
    from.failure = findings_.add({.foreseen = std::move(said),
                                  .even_if_broken = failure.even_if_broken,
                                  .or_cancelled = failure.is_unacknowledged && answered < failure.index});
    from.broken = to.broken = true;
    from.failed_entry = streams_[from.send_stream].entries.size();
    if (failure.is_unacknowledged) {
        loosen_silent(failure.qp, answered);
    }
    loosen_silent(peer, request.at.known.ended(peer));
    if (failure.receive_status) {
        const Request* const receive = receive_for(to);
        Index& matched = to.srq ? srqs_[*to.srq].matched : to.matched;
        const Index number = to.srq ? srqs_[*to.srq].requests[matched] : to.receives[matched];
        place(streams_[to.receive_stream],
              {.request = number, .message = {}, .known = receive->at.known, .tells = false, .failed = true});
        ++matched;
    }
    for (const Index end : {failure.qp, peer}) {
        Qp& qp = qps_[end];
        for (std::size_t i = qp.delivered; i < qp.announced; ++i) {
            streams_[qp.send_stream].possible += requests_[qp.sends[i]].is_silent() ? 1 : 0;
        }
        loosen(streams_[qp.send_stream], qp.sends.size() - qp.announced);  // deferred
        flush_queues(end);
    }
    stirred_ = true;
}

// Requests that were taken to have succeeded, and may be cancelled instead.
void Follower::loosen_silent(Index index, Index from) {
    const Qp& qp = qps_[index];
    for (Index i = from; i < qp.delivered; ++i) {
        const Request& request = this->request(qp, i);
        loosen(streams_[qp.send_stream], request.is_silent() ? 1 : 0);
        if (request.post->kind == PostKind::send_and_invalidate &&
            hosts_[qps_[*qp.peer].host].host->api == Api::ndspi1) {
            findings_.doubt(Doubt::unsure);  // two completions only if it succeeds
        }
    }
}

// A message that may come before the end has two completions in NDSPI 1 if it invalidates; a cancelled receive has one,
// and a shared receive none.
void Follower::loosen_receives(const Qp& to, const Request& message) {
    loosen(streams_[to.receive_stream],
           (message.post->kind == PostKind::send_and_invalidate ? 1 : 0) + (to.srq ? 1 : 0));
}

// Requests that are posted without a completion yet, or posted from now on.
void Follower::flush_queues(Index index) {
    Qp& qp = qps_[index];
    Stream& sends = streams_[qp.send_stream];
    const auto breaks = breaks_.find(index);
    const bool are_sure = qp.flushed || breaks == breaks_.end() || breaks->second.qp == index;
    for (; qp.delivered < qp.announced; ++qp.delivered) {
        const Request& request = this->request(qp, qp.delivered);
        if (!are_sure && qps_[*qp.peer].failure && !is_harmless(request)) {
            findings_.or_cancelled(*qps_[*qp.peer].failure);
        }
        if (!are_sure && request.is_send()) {
            loosen_receives(qps_[*qp.peer], request);
        }
        if (request.is_silent() && !are_sure) {
            loosen(sends, 1);
        } else {
            place(sends, {.request = qp.sends[qp.delivered],
                          .message = {},
                          .known = request.at.known,
                          .tells = false,
                          .failed = true});
        }
    }
    if (qp.srq) {
        return;
    }
    for (; qp.matched < qp.receives.size(); ++qp.matched) {
        const Index number = qp.receives[qp.matched];
        place(streams_[qp.receive_stream],
              {.request = number, .message = {}, .known = requests_[number].at.known, .tells = false, .failed = true});
    }
    stirred_ = true;
}

// Whether a request that its connection's end cancelled cannot itself have caused that end, slightly earlier.
bool Follower::is_harmless(const Request& request) const {
    const Qp& to = qps_[*qps_[request.qp].peer];
    if (request.post->kind == PostKind::send) {
        const std::vector<Index>& sends = qps_[request.qp].sends;
        const auto place = static_cast<std::size_t>(std::count_if(sends.begin(), sends.begin() + request.index,
                                                                  [&](Index i) { return requests_[i].is_send(); }));
        if (to.srq || place >= to.receives.size()) {
            return to.srq.has_value();
        }
        const Request& receive = requests_[to.receives[place]];
        return request.length <= receive.length && is_there_for(request, receive);
    }
    return !request.changes_key() && !request.is_send() && stays_within_buffer(request);
}

// Both ends have disconnected, or one of them has given up waiting for the other.
void Follower::end_connection(Index index) {
    for (const Index end : {index, *qps_[index].peer}) {
        Qp& qp = qps_[end];
        qp.broken = true;
        qp.link = qp.left ? Link::over : qp.link;
        loosen_silent(end, hosts_[qp.host].now.known.ended(end));
        loosen(streams_[qp.send_stream], qp.sends.size() - qp.announced);
        flush_queues(end);
    }
}

}  // namespace ndsim::forecast
