// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/ledger/ledger.hpp"
#include "models/ports/completions.hpp"
#include "models/ports/protection.hpp"
#include "models/transport/incoming_message.hpp"

namespace ndsim {

// ReceiveCompletions: tells software how the receives that the peer's Sends have taken end, with a CQE for each. A key
// that the Send invalidates dies first [K110, X35]. A Write takes no receive, so software does not hear of it [K143].
class ReceiveCompletions {
public:
    // `key_update`: time until a key has died.
    ReceiveCompletions(Picoseconds key_update, HostId host, Ledgers& ledgers, sc_core::sc_port<KeyPort>& keys,
                       sc_core::sc_port<CompletionPort>& completions);

    // The last packet of the message is through the pipeline at `at`. invalidate_error: its key could not be
    // invalidated, and the queue pair fails.
    [[nodiscard]] WcStatus message_ends(IncomingMessage& message, const Packet& last, Picoseconds at);
    // The message will not end. Its receive, if it has taken one, completes with this status.
    void message_fails(IncomingMessage& message, WcStatus status, Picoseconds at);

private:
    const Picoseconds key_update_;
    const HostId host_;
    Ledgers& ledgers_;
    sc_core::sc_port<KeyPort>& keys_;
    sc_core::sc_port<CompletionPort>& completions_;
};

}  // namespace ndsim
