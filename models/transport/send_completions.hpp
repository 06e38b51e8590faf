// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "models/ledger/ledger.hpp"
#include "models/ports/completions.hpp"
#include "models/ports/qp.hpp"
#include "sim/kernel/unit.hpp"

namespace ndsim {

// SendCompletions: tells software how the requests of send queues have ended, with a CQE for each, except successes
// that asked for none. The ledger learns what each request has waited for last.
class SendCompletions {
public:
    SendCompletions(const Unit& owner, HostId host, Ledgers& ledgers, sc_core::sc_port<CompletionPort>& completions);

    void create(const QpAttributes& attributes);
    // The request has waited for this up to now.
    void charge(const WqeHeader& wqe, Account why);
    // The answer to the request came at `since`, and waited for the context until now.
    void context_came(const WqeHeader& wqe, Picoseconds since);
    // The request will be sent again, though the peer may have it.
    void sent_again(const WqeHeader& wqe);
    // A Read completes behind its data. If it is silent, the next completion of its queue pair does.
    void succeeded(QpNum qp, const WqeHeader& wqe, bool is_read);
    // All requests before number `head` have succeeded.
    void write_head(QpNum qp, std::uint32_t head);
    // The queue pair fails with this status, which may tell what its requests have waited for.
    void fails(QpNum qp, WcStatus status);
    // Ends without success; it has waited for `otherwise`, unless it is known better.
    void ended(QpNum qp, const WqeHeader& wqe, WcStatus status, Account otherwise, bool behind_payload = false);

private:
    // The send completions of one queue pair.
    struct Queue {
        CqNum cq{};
        std::optional<Address> head;        // software looks here for how far the queue is retired
        std::optional<Account> waited_for;  // of the requests of a failed queue pair
        bool behind_payload = false;        // a silent request has ended whose data may still be on its way to memory
    };

    void complete(QpNum qp, const WqeHeader& wqe, WcStatus status, bool behind_payload);

    const Unit& owner_;
    const HostId host_;
    Ledgers& ledgers_;
    sc_core::sc_port<CompletionPort>& completions_;
    std::vector<Queue> queues_;
};

}  // namespace ndsim
