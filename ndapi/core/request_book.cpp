// SPDX-License-Identifier: Apache-2.0
#include "ndapi/core/request_book.hpp"

#include "ndapi/core/qp.hpp"

namespace ndsim::core {

Ledger& RequestBook::open(Posted request) {
    Ledger& ledger = ledgers_.open(request.begun);
    request.request = ledger.id.number;
    ledger.receives = request.kind == OperationKind::receive;
    ledger.silent = request.silent;
    for (RequestObserver* const observer : observers_) {
        observer->posted(host_, request);
    }
    return ledger;
}

void RequestBook::give_slots(const Retired& request, Picoseconds at) {
    if (request.srq != nullptr) {
        request.srq->srq.give_at(request.srq_slots, at);
        request.slots->give(request.srq_slots, at);
    } else if (request.kind == OperationKind::receive) {
        request.watch->rq.give_at(1, at);
        request.slots->give(1, at);
    } else if (!request.slot_is_free) {
        request.watch->sq.give_at(1, at);
        request.watch->sq_completed.give_at(1, at);
        request.slots->give(1, at);
    }
}

// A silent request was done with its acknowledgement; the request that tells of it, before its completion was written.
void RequestBook::note_slots_held(const Retired& request, const Ledger& ledger,
                                  std::optional<Picoseconds>& silent_done) {
    if (request.silent) {
        silent_done = silent_done.value_or(ledger.last);
        return;
    }
    if (Qp* const qp = silent_done ? registry_.find(request.qp) : nullptr) {
        qp->slots_held(ledger.last - ledger.accounts[static_cast<std::size_t>(Account::cqe)] - *silent_done);
    }
    silent_done.reset();
}

void RequestBook::close(Picoseconds poll_returns) {
    std::optional<Picoseconds> silent_done;  // when the first silent request was done that the next completion covers
    for (Retired& request : retired_) {
        give_slots(request, poll_returns);
        Ledger* const ledger = ledgers_.find(request.request);
        if (ledger == nullptr) {
            continue;
        }
        if (request.srq == nullptr && request.kind != OperationKind::receive && !request.slot_is_free) {
            note_slots_held(request, *ledger, silent_done);
        }
        if (!request.silent) {
            ledger->mark(Account::poll, poll_returns);
        }
        request.ledger = ledger;
        for (RequestObserver* const observer : observers_) {
            observer->retired(host_, request);
        }
        ledgers_.close(*ledger);
    }
    retired_.clear();
}

}  // namespace ndsim::core
