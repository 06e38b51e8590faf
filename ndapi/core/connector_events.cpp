// SPDX-License-Identifier: Apache-2.0
#include "ndapi/core/connection_manager.hpp"

// A connector's events, from its peer and from its queue pair. All come on the callback core.
namespace ndsim::core {

void Connector::requested(const CmMessage& request, Listener& listener) {
    passive_ = true;
    request_ = request;
    listener_ = &listener;
    listener_->hold();
    local_ = {request.destination_ip, request.destination_port};
    driver_.connections().ports().share(local_.port);
    holds_port_ = true;
    peer_ = {request.source_ip, request.source_port};
    limits_ = {kMaxReads, kMaxReads};
    take_data(request);
    state_ = State::requested;
}

bool Connector::joins(const Endpoint& local, const Endpoint& peer) const {
    switch (state_) {
        case State::idle:
        case State::requested:
        case State::lost:
        case State::aborted:
        case State::ended:
            return false;
        case State::connecting:
        case State::accepted:
        case State::completing:
        case State::accepting:
        case State::connected:
        case State::disconnecting:
            break;
    }
    return local_ == local && peer_ == peer;
}

void Connector::handle(const CmMessage& message) {
    switch (message.kind) {
        case CmKind::request:
            break;  // listeners handle these
        case CmKind::reply:
            reply_came(message);
            break;
        case CmKind::ready:
            if (state_ == State::accepting) {
                ++driver_.counters().accepts;
                established();
            }
            break;
        case CmKind::reject:
            refused_ = true;
            nobody_listened_ = message.local_id == 0;
            take_private_data(message);
            peer_gave_up(message.reason);
            break;
        case CmKind::abort:
            peer_ended_ = peer_ended_ || message.reason == WcStatus::success;
            peer_gave_up(message.reason);
            break;
        case CmKind::disconnect:
            peer_ended_ = true;
            peer_disconnected();
            break;
    }
}

void Connector::take_private_data(const CmMessage& message) {
    peer_data_.assign(message.private_data.begin(), message.private_data.begin() + peer_data_size());
    peer_data_sent_ = message.private_length;
}

void Connector::reply_came(const CmMessage& message) {
    if (state_ != State::connecting) {
        return;
    }
    stop_waiting();
    take_data(message);
    state_ = State::accepted;
    join_qp(message, [this] {
        hold();
        driver_.callbacks().defer(driver_.now(), [this] {
            // Also if the peer has given up again: completing the connect will report that.
            if (state_ == State::accepted || state_ == State::aborted) {
                finish(STATUS_SUCCESS);
            }
            release();
        });
    });
}

void Connector::peer_gave_up(WcStatus why, NTSTATUS outcome) {
    switch (state_) {
        case State::connecting:
            connect_fails(STATUS_CONNECTION_REFUSED);
            break;
        case State::accepted:
            ++driver_.counters().connect_failures;
            over(State::aborted);
            break;
        case State::completing:
            ++driver_.counters().connect_failures;
            over(State::aborted);
            finish(outcome);
            break;
        case State::requested:
        case State::accepting:
            over(State::aborted);
            finish(outcome);
            break;
        case State::connected:
            lost(why);
            break;
        case State::disconnecting:
            leave(outcome);
            break;
        case State::idle:
        case State::lost:
        case State::aborted:
        case State::ended:
            break;
    }
}

bool Connector::flushes_when_peer_leaves() const {
    const ByInterface choice = driver_.params().adapter.flush_on_peer_disconnect;
    return choice == ByInterface::always || (choice == ByInterface::by_interface && flush_on_peer_disconnect_);
}

// Requests stay until this side flushes or disconnects [K157].
void Connector::peer_disconnected() {
    peer_left_ = true;
    if (state_ == State::disconnecting) {
        leave(STATUS_SUCCESS);
    } else if (state_ == State::connected) {
        if (flushes_when_peer_leaves()) {
            qp_->flush();
        }
        tell_consumer();
    }
}

// The connection has ended without this side's doing. Requests that the queue pair still holds are flushed, and later
// ones too, until this side disconnects or closes: only then are Sends refused [K150, K154]. If the peer could not
// invalidate a Send's key, that Send is the oldest request without an answer.
void Connector::lost(WcStatus why) {
    --driver_.counters().active_connections;
    ++driver_.counters().connection_errors;
    state_ = State::lost;
    qp_->flush(why == WcStatus::invalidate_error ? why : WcStatus::wr_flush);
    tell_consumer();
}

void Connector::qp_failed(WcStatus why, NTSTATUS outcome) {
    switch (state_) {
        case State::accepted:
        case State::completing:
        case State::accepting:
        case State::connected:
        case State::disconnecting:
            // InfiniBand's responder is silent about a bad key: the sender's retries reveal it [X38].
            if (why != WcStatus::invalidate_error || driver_.profile() == StatusProfile::documented) {
                CmMessage abort = message(CmKind::abort);
                abort.reason = why;
                driver_.connections().send(abort);
            }
            peer_gave_up(WcStatus::wr_flush, outcome);  // ends as if the peer had reported it
            break;
        case State::idle:
        case State::connecting:
        case State::requested:
        case State::lost:
        case State::aborted:
        case State::ended:
            break;
    }
}

// The consumer has begun to close the queue pair, so it knows that the connection ends [K207].
void Connector::qp_closing() {
    disconnected_ = nullptr;
    if (state_ == State::connecting) {
        driver_.connections().send(message(CmKind::abort));
        connect_fails(STATUS_CANCELLED);
    } else if (state_ == State::connected) {
        driver_.connections().send(message(CmKind::abort));
        over(State::lost);
    } else {
        qp_failed(WcStatus::wr_flush, STATUS_CANCELLED);
    }
}

void Connector::tell_consumer() {
    if (const Event event = std::exchange(disconnected_, nullptr)) {
        hold();
        event();
        release();
    }
}

}  // namespace ndsim::core
