// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "models/ports/qp_watch.hpp"
#include "models/proto/aeth_credits.hpp"
#include "models/transport/completer.hpp"

// What the peer answers: acknowledgements, NAKs and the responses of Reads.
namespace ndsim {

namespace {

// What a fatal NAK means for the request that it names [wire.md 8].
WcStatus status_of(std::uint8_t syndrome) {
    switch (syndrome) {
        case Aeth::kNakInvalidRequest:
            return WcStatus::rem_inv_req;
        case Aeth::kNakRemoteAccess:
            return WcStatus::rem_access;
        default:
            return WcStatus::rem_op;
    }
}

}  // namespace

void Completer::acknowledge(const Packet& ack) {
    const QpNum qp = ack.destination;
    Queue& queue = queues_.at(qp_index(qp));
    if (queue.failed || queue.qp != qp) {
        return;
    }
    const std::uint8_t kind = ack.aeth.syndrome & 0xE0U;
    ++(kind == 0 ? acks_ : naks_);
    // One that passes the responses of a Read tells that they were lost [X13].
    const Psn said = kind == 0 ? ack.psn + 1 : ack.psn;
    const Request* const read = open_read(queue);
    const bool passes = read != nullptr && said.ahead_of(answered(*read)) > 0;
    if (kind == 0) {
        take_credits(queue, ack.aeth);
        progress(qp, queue, passes ? answered(*read) : said);
        if (passes && !queue.failed && !queue.recovering) {
            send_again(qp, queue, Account::retransmit);
        }
        work->resume_qp(qp);
        return;
    }
    if (said.ahead_of(queue.unacknowledged) < 0) {
        return;  // an old one
    }
    progress(qp, queue, passes ? answered(*read) : said);
    if (queue.failed || oldest_open(queue) == nullptr) {
        return;
    }
    if (passes) {
        send_again(qp, queue, Account::retransmit);
        return;
    }
    if (kind == Aeth::kRnrNak) {
        not_ready(qp, queue, ack.aeth.syndrome & 0x1FU);
    } else if (ack.aeth.syndrome == Aeth::kNakSequence) {
        send_again(qp, queue, Account::retransmit);
    } else {
        fail(qp, queue, status_of(ack.aeth.syndrome));
    }
}

void Completer::take_credits(Queue& queue, const Aeth& aeth) {
    if (!queue.credits) {
        return;
    }
    const std::optional<std::uint32_t> credits = credits_of(aeth.syndrome & 0x1FU);
    if (!credits) {
        queue.credits = false;
        return;
    }
    raise_limit(queue, (aeth.msn + *credits) & Psn::kMask);
}

void Completer::raise_limit(Queue& queue, std::uint32_t limit) {
    if (Psn{limit}.ahead_of(Psn{queue.limit}) > 0) {
        queue.limit = limit;
    }
}

void Completer::response(const Packet& packet, Interval at) {
    const QpNum qp = packet.destination;
    Queue& queue = queues_.at(qp_index(qp));
    Request* const read = open_read(queue);
    if (queue.failed || queue.qp != qp || read == nullptr) {
        reads_.drop(packet);
        return;
    }
    const std::int32_t ahead = packet.psn.ahead_of(answered(*read));
    if (ahead != 0) {
        reads_.drop(packet);
        if (ahead > 0 && !queue.recovering) {
            // It acknowledges what is before the Read; of the Read itself something is missing [X14].
            progress(qp, queue, answered(*read));
            if (!queue.failed) {
                send_again(qp, queue, Account::retransmit);
            }
        }
        return;
    }
    const ReadResponses::Fit fit = reads_.fit(read->read, packet);
    if (fit != ReadResponses::Fit::fits) {
        progress(qp, queue, answered(*read));
        reads_.drop(packet);
        if (!queue.failed) {
            fail(qp, queue, fit == ReadResponses::Fit::malformed ? WcStatus::bad_resp : WcStatus::loc_prot);
        }
        return;
    }
    const Psn next = packet.psn + 1;
    if (info(packet.opcode).last) {
        // Its message number is progress of the peer, too: no acknowledgement may follow that tells of more [X18].
        raise_limit(queue, packet.aeth.msn);
        read->done = true;
        if (read->wqe.token != 0 && !keys->invalidate(MrKey{read->wqe.token}, queue.pd, qp)) {
            read->failed = WcStatus::invalidate_error;
        }
        end_read(queue);
        ++queue.reads_placed;
    }
    reads_.place(read->read, packet, at);
    progress(qp, queue, next);
    work->resume_qp(qp);
}

// Everything before `up_to` is acknowledged.
void Completer::progress(QpNum qp, Queue& queue, Psn up_to) {
    const std::int32_t packets = up_to.ahead_of(queue.unacknowledged);
    // What was sent before a rewind may be acknowledged after it, and need not be sent again.
    const std::int32_t under_way = queue.next.ahead_of(queue.unacknowledged);
    const bool overtaken = packets > under_way;
    if (packets > 0) {
        queue.unacknowledged = up_to;
        kept_.acknowledge(qp_index(qp), up_to);
        queue.retries = 0;  // [X16]
        queue.rnr_naks = 0;
        queue.recovering = false;
        stop_timer(queue);
    }
    retire(qp, queue);
    if (overtaken && !queue.failed) {
        queue.next = up_to;
        go_back(qp, queue);
    }
    show_window(queue);
    if (!queue.failed && !queue.timing && queue.next != queue.unacknowledged && oldest_open(queue) != nullptr) {
        start_timer(qp, queue);
    }
}

bool Completer::has_succeeded(const Queue& queue, const Request& request) {
    if (request.failed != WcStatus::success) {
        return false;
    }
    return request.wqe.is_local() || request.wqe.opcode == WqeOpcode::read
               ? request.done
               : request.end.ahead_of(queue.unacknowledged) <= 0;
}

// The watch shows how full the window is; a Read may have more responses than the window has packets.
void Completer::show_window(Queue& queue) {
    if (queue.watch == nullptr) {
        return;
    }
    const auto outstanding = static_cast<std::uint32_t>(std::max(0, queue.next.ahead_of(queue.unacknowledged)));
    const std::uint32_t level = std::min(outstanding, params_.psn_window);
    if (level > queue.in_window) {
        queue.watch->psn_window.take(level - queue.in_window, now());
    } else if (level < queue.in_window) {
        queue.watch->psn_window.give(queue.in_window - level, now());
    }
    queue.in_window = level;
}

void Completer::retire(QpNum qp, Queue& queue) {
    std::optional<std::uint32_t> head;
    while (!queue.failed && !queue.requests.empty() && has_succeeded(queue, queue.requests.front())) {
        head = queue.requests.front().wqe.index + 1;
        retire_oldest(qp, queue);
    }
    if (head && queue.head) {
        completions->write_head(*queue.head, *head, now());
    }
    if (!queue.failed && !queue.requests.empty() && queue.requests.front().failed != WcStatus::success) {
        fail(qp, queue, queue.requests.front().failed);
    }
}

void Completer::retire_oldest(QpNum qp, Queue& queue) {
    ++retired_;
    const bool read = queue.requests.front().reading;
    if (!read) {
        ledgers_.mark({host_, queue.requests.front().wqe.request}, Account::ack_return, now());
    }
    const Request done = take_oldest(queue);
    if (done.wqe.has(kWqeSignaled)) {
        complete(qp, queue, done.wqe, WcStatus::success, now(), read);
    }
}

// The oldest request with packets that are not acknowledged or not answered.
Completer::Request* Completer::oldest_open(Queue& queue) {
    if (queue.requests.empty() || queue.requests.front().failed != WcStatus::success) {
        return nullptr;
    }
    return &queue.requests.front();
}

Completer::Request* Completer::open_read(Queue& queue) {
    return queue.open_reads.empty() ? nullptr
                                    : &queue.requests[queue.open_reads.front() - queue.requests.front().wqe.index];
}

}  // namespace ndsim
