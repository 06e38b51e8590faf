// SPDX-License-Identifier: Apache-2.0
#include "models/transport/receive_completions.hpp"

namespace ndsim {

ReceiveCompletions::ReceiveCompletions(Picoseconds key_update, HostId host, Ledgers& ledgers,
                                       sc_core::sc_port<KeyPort>& keys, sc_core::sc_port<CompletionPort>& completions)
    : key_update_(key_update), host_(host), ledgers_(ledgers), keys_(keys), completions_(completions) {}

WcStatus ReceiveCompletions::message_ends(IncomingMessage& message, const Packet& last, Picoseconds at) {
    if (!message.release_receive()) {
        return WcStatus::success;
    }
    const auto& [qp, pd, cq] = message.receiver();
    WcStatus status = WcStatus::success;
    if (info(last.opcode).has(kIeth)) {
        at += key_update_;
        if (!keys_->invalidate(last.key, pd, qp, InvalidatedBy::peer)) {
            status = WcStatus::invalidate_error;
        }
    }
    completions_->complete(cq, message.completion(status, last), at, true);
    return status;
}

void ReceiveCompletions::message_fails(IncomingMessage& message, WcStatus status, Picoseconds at) {
    if (message.release_receive()) {
        ledgers_.mark({host_, message.request()}, Account::message, at);
        completions_->complete(message.receiver().cq, message.completion(status), at, true);
    }
}

}  // namespace ndsim
