// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "models/ledger/ledger.hpp"
#include "models/ports/completions.hpp"
#include "models/ports/protection.hpp"
#include "models/ports/qp.hpp"
#include "models/transport/incoming_message.hpp"

namespace ndsim {

// ReceiveCompletions: tells software how the receives that the peer's Sends have taken end, with a CQE for each. A key
// that the Send invalidates dies first [K110, X35]. A Write takes no receive, so software does not hear of it [K143].
class ReceiveCompletions {
public:
    // `key_update`: time until a key has died.
    ReceiveCompletions(Picoseconds key_update, HostId host, Ledgers& ledgers, sc_core::sc_port<KeyPort>& keys,
                       sc_core::sc_port<CompletionPort>& completions);

    void create(const QpAttributes& attributes);
    // The last packet of the message is through the pipeline at `at`. invalidate_error: its key could not be
    // invalidated, and the queue pair fails.
    [[nodiscard]] WcStatus message_ends(QpNum qp, IncomingMessage& message, const Packet& last, Picoseconds at);
    // The message will not end. Its receive, if it has taken one, completes with this status.
    void message_fails(QpNum qp, IncomingMessage& message, WcStatus status, Picoseconds at);

private:
    // The queue pair's part in its receives.
    struct Receiver {
        PdNum pd{};
        CqNum cq{};
    };

    const Picoseconds key_update_;
    const HostId host_;
    Ledgers& ledgers_;
    sc_core::sc_port<KeyPort>& keys_;
    sc_core::sc_port<CompletionPort>& completions_;
    std::vector<Receiver> receivers_;
};

}  // namespace ndsim
