// SPDX-License-Identifier: Apache-2.0
#include "models/transport/receive_completions.hpp"

namespace ndsim {

ReceiveCompletions::ReceiveCompletions(Picoseconds key_update, HostId host, Ledgers& ledgers,
                                       sc_core::sc_port<KeyPort>& keys, sc_core::sc_port<CompletionPort>& completions)
    : key_update_(key_update), host_(host), ledgers_(ledgers), keys_(keys), completions_(completions) {}

void ReceiveCompletions::create(const QpAttributes& attributes) {
    const std::uint32_t index = qp_index(attributes.qp);
    if (receivers_.size() <= index) {
        receivers_.resize(index + 1);
    }
    receivers_[index] = {attributes.pd, attributes.receive_cq};
}

WcStatus ReceiveCompletions::message_ends(QpNum qp, IncomingMessage& message, const Packet& last, Picoseconds at) {
    if (!message.release_receive()) {
        return WcStatus::success;
    }
    const Receiver& receiver = receivers_[qp_index(qp)];
    WcStatus status = WcStatus::success;
    if (info(last.opcode).has(kIeth)) {
        at += key_update_;
        if (!keys_->invalidate(last.key, receiver.pd, qp, InvalidatedBy::peer)) {
            status = WcStatus::invalidate_error;
        }
    }
    completions_->complete(receiver.cq, message.completion(status, last), at, true);
    return status;
}

void ReceiveCompletions::message_fails(QpNum qp, IncomingMessage& message, WcStatus status, Picoseconds at) {
    if (message.release_receive()) {
        ledgers_.mark({host_, message.request()}, Account::message, at);
        completions_->complete(receivers_[qp_index(qp)].cq, message.completion(status), at, true);
    }
}

}  // namespace ndsim
