// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "models/ports/ranks.hpp"
#include "models/transport/completer.hpp"

// Which request may begin: fences, read limits, credits and room for responses hold requests back, and their end wakes
// the queue pair.
namespace ndsim {

Stall Completer::may_begin(QpNum qp, const Wqe& wqe) {
    Queue& queue = queues_[qp_index(qp)];
    if (queue.waits_for_peer) {
        return Stall::rnr;
    }
    if (queue.local_begun) {
        return Stall::local_operation;
    }
    if (find(qp, wqe.header) != nullptr) {
        return Stall::none;  // sent again
    }
    if (queue.doomed) {
        return Stall::local_operation;  // nothing behind a request that has failed may begin
    }
    if (wqe.header.opcode == WqeOpcode::invalidate && queue.invalidate_waits && !queue.requests.empty()) {
        return Stall::fence;
    }
    if (wqe.header.has(kWqeReadFence)) {
        if (!queue.open_reads.empty() || queue.reads_placed > 0) {
            return Stall::fence;
        }
        if (queue.visible > now()) {
            fences_.push(queue.visible, qp);
            return Stall::fence;
        }
    }
    if (wqe.header.opcode == WqeOpcode::read) {
        // Where none were agreed on, the requester refuses it.
        if (queue.outbound_reads > 0 && queue.open_reads.size() >= queue.outbound_reads) {
            return Stall::read_limit;
        }
        if (!reads_.has_room(wqe.length())) {
            waiting_for_room_.push_back(qp);
            if (const auto when = reads_.room_at(wqe.length())) {
                rooms_.push(*when, 0);
            }
            return Stall::read_buffer;
        }
    }
    // One message beyond the limit may go, as a probe [X18].
    const bool takes_receive =
        wqe.header.opcode == WqeOpcode::send || wqe.header.opcode == WqeOpcode::send_and_invalidate;
    if (queue.credits && takes_receive && Psn{queue.ssn + 1}.ahead_of(Psn{queue.limit + 1}) > 0) {
        return Stall::credits;
    }
    return Stall::none;
}

void Completer::look_at_fence(const QpNum& qp) {
    work->resume_qp(qp);
}

void Completer::read_visible(QpNum qp, Picoseconds when) {
    Queue& queue = queues_[qp_index(qp)];
    --queue.reads_placed;
    queue.visible = std::max(queue.visible, when);
    if (queue.reads_placed == 0) {
        work->resume_qp(qp);
    }
}

void Completer::read_room(Picoseconds when) {
    if (!waiting_for_room_.empty()) {
        rooms_.push(std::max(now(), when), 0);
    }
}

void Completer::look_for_room(const int&) {
    for (const QpNum qp : std::exchange(waiting_for_room_, {})) {
        work->resume_qp(qp);
    }
}

}  // namespace ndsim
