// SPDX-License-Identifier: Apache-2.0
#include "models/transport/send_completions.hpp"

#include <utility>

#include "sim/base/slots.hpp"

namespace ndsim {

namespace {

// The wait of requests of a queue pair that fails with this status; nothing, if there was none.
std::optional<Account> waited_for(WcStatus status) {
    switch (status) {
        case WcStatus::retry_exceeded:
            return Account::retransmit;
        case WcStatus::rnr_retry_exceeded:
            return Account::rnr;
        default:
            return std::nullopt;
    }
}

}  // namespace

SendCompletions::SendCompletions(const Unit& owner, HostId host, Ledgers& ledgers,
                                 sc_core::sc_port<CompletionPort>& completions)
    : owner_(owner), host_(host), ledgers_(ledgers), completions_(completions) {}

void SendCompletions::create(const QpAttributes& attributes) {
    const std::uint32_t index = qp_index(attributes.qp);
    grown(queues_, index) = {attributes.send_cq, attributes.head, {}, false};
}

void SendCompletions::charge(const WqeHeader& wqe, Account why) {
    ledgers_.mark({host_, wqe.request}, why, owner_.now());
}

void SendCompletions::context_came(const WqeHeader& wqe, Picoseconds since) {
    ledgers_.mark({host_, wqe.request}, {{Account::ack_return, since}, {Account::context, owner_.now()}});
}

void SendCompletions::sent_again(const WqeHeader& wqe) {
    ledgers_.fork({host_, wqe.request});
}

void SendCompletions::succeeded(QpNum qp, const WqeHeader& wqe, bool is_read) {
    if (!is_read) {
        ledgers_.end({host_, wqe.request}, Account::ack_return, owner_.now());
    }
    // Data that came in before an Invalidate is in memory when software learns of that [K133].
    const bool behind_payload = is_read || wqe.opcode == WqeOpcode::invalidate;
    if (wqe.has(kWqeSignaled)) {
        complete(qp, wqe, WcStatus::success, behind_payload);
    } else if (behind_payload) {
        queues_[qp_index(qp)].behind_payload = true;
    }
}

void SendCompletions::write_head(QpNum qp, std::uint32_t head) {
    if (const std::optional<Address> to = queues_[qp_index(qp)].head) {
        completions_->write_head(*to, head, owner_.now());
    }
}

void SendCompletions::fails(QpNum qp, WcStatus status) {
    queues_[qp_index(qp)].waited_for = waited_for(status);
}

void SendCompletions::ended(QpNum qp, const WqeHeader& wqe, WcStatus status, Account otherwise, bool behind_payload) {
    ledgers_.end({host_, wqe.request}, queues_[qp_index(qp)].waited_for.value_or(otherwise), owner_.now());
    complete(qp, wqe, status, behind_payload);
}

void SendCompletions::complete(QpNum qp, const WqeHeader& wqe, WcStatus status, bool behind_payload) {
    Cqe cqe;
    cqe.qp = qp;
    cqe.wqe_index = wqe.index;
    cqe.opcode = wqe.opcode;
    cqe.status = status;
    cqe.request = wqe.request;
    // Software learns of earlier silent requests, too [K55].
    Queue& queue = queues_[qp_index(qp)];
    const bool silent = std::exchange(queue.behind_payload, false);
    completions_->complete(queue.cq, cqe, owner_.now(), behind_payload || silent);
}

}  // namespace ndsim
