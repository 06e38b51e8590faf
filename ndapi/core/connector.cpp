// SPDX-License-Identifier: Apache-2.0
#include "ndapi/core/connector.hpp"

#include <utility>

#include "ndapi/core/cm_router.hpp"

namespace ndsim::core {

Connector::Connector(Driver& driver) : driver_(driver), dialogue_(driver), call_(*this, driver) {
    dialogue_.begin(driver.connections().add(*this), {}, {}, {});
}

void Connector::send(CmKind kind, std::span<const std::byte> data) {
    driver_.connections().send(dialogue_.message(kind, qp_, data));
}

void Connector::attach(Qp& qp) {
    qp_ = &qp;
    qp.hold();
    qp.set_connector(this);
    qp.set_state(Qp::State::connecting);
}

void Connector::detach() {
    qp_->set_connector(nullptr);
    qp_->set_state(Qp::State::idle);
    std::exchange(qp_, nullptr)->release();
}

// A queue pair serves one connection, and a connector too [K154, K187].
NTSTATUS Connector::usable(const Qp& qp) const {
    if (is_over(state_) || qp.state() == Qp::State::disconnected) {
        return STATUS_CONNECTION_INVALID;
    }
    return qp.state() == Qp::State::idle ? STATUS_SUCCESS : STATUS_CONNECTION_ACTIVE;
}

NTSTATUS Connector::may_connect(const Qp& qp, Endpoint local, Endpoint peer, std::span<const std::byte> data) const {
    if (data.size() > kCallerData) {
        return STATUS_INVALID_BUFFER_SIZE;
    }
    if (const NTSTATUS status = usable(qp); status != STATUS_SUCCESS) {
        return status;
    }
    if (state_ != State::idle) {
        return STATUS_CONNECTION_ACTIVE;
    }
    if (const NTSTATUS status = driver_.connections().route_to(peer); status != STATUS_SUCCESS) {
        return status;
    }
    return driver_.connections().joined(local, peer) ? STATUS_ADDRESS_ALREADY_EXISTS : STATUS_SUCCESS;
}

NTSTATUS Connector::connect(Qp& qp, Endpoint local, Endpoint peer, ReadLimits limits, std::span<const std::byte> data,
                            Done done) {
    NTSTATUS status = may_connect(qp, {driver_.ip_address(), local.port}, peer, data);
    if (status == STATUS_SUCCESS) {
        status = driver_.connections().take(local);
    }
    if (status != STATUS_SUCCESS) {
        return status;
    }
    request(qp, local, peer, limits, data, std::move(done));
    return STATUS_PENDING;
}

NTSTATUS Connector::connect(Qp& qp, SharedEndpoint& local, Endpoint peer, ReadLimits limits,
                            std::span<const std::byte> data, Done done) {
    if (const NTSTATUS status = may_connect(qp, local.local(), peer, data); status != STATUS_SUCCESS) {
        return status;
    }
    driver_.connections().ports().share(local.local().port);
    shared_ = &local;
    shared_->hold();
    request(qp, local.local(), peer, limits, data, std::move(done));
    return STATUS_PENDING;
}

void Connector::request(Qp& qp, Endpoint local, Endpoint peer, ReadLimits limits, std::span<const std::byte> data,
                        Done done) {
    // An answer to an earlier attempt must not count for this one.
    dialogue_.begin(driver_.connections().renew(id(), *this), local, peer, {kMaxReads, kMaxReads});
    dialogue_.limit(limits);
    refused_ = false;
    nobody_listened_ = false;
    holds_port_ = true;
    attach(qp);
    state_ = State::connecting;
    call_.begin(std::move(done));
    const bool is_there = driver_.connections().neighbour(peer.ip).has_value();
    send(CmKind::request, data);
    call_.wait_at_most(driver_.params().nic.control.connect_timeout, [this, is_there] {
        send(CmKind::abort);
        connect_fails(is_there ? STATUS_IO_TIMEOUT : STATUS_HOST_UNREACHABLE);
    });
}

// The connect may be tried again, with the same queue pair [K178].
void Connector::connect_fails(NTSTATUS status) {
    ++driver_.counters().connect_failures;
    state_ = State::idle;
    detach();
    give_port();
    call_.finish(status);
}

NTSTATUS Connector::complete_connect(Event disconnected, Done done) {
    if (state_ == State::aborted) {
        return STATUS_CONNECTION_ABORTED;
    }
    if (state_ != State::accepted || call_.under_way()) {
        return STATUS_CONNECTION_INVALID;
    }
    disconnected_ = std::move(disconnected);
    state_ = State::completing;
    call_.begin(std::move(done));
    hold();
    driver_.connections().send(dialogue_.message(CmKind::ready, qp_), [this] {
        driver_.callbacks().defer(driver_.now(), [this] {
            if (state_ == State::completing) {
                ++driver_.counters().connects;
                established();
            }
            release();
        });
    });
    return STATUS_PENDING;
}

void Connector::established() {
    state_ = State::connected;
    ++driver_.counters().active_connections;
    qp_->set_state(Qp::State::connected);
    call_.finish(STATUS_SUCCESS);
    if (peer_left_) {
        tell_consumer();
    }
}

NTSTATUS Connector::accept(Qp& qp, ReadLimits limits, std::span<const std::byte> data, Event disconnected, Done done) {
    if (data.size() > kCalleeData) {
        return STATUS_INVALID_BUFFER_SIZE;
    }
    if (state_ == State::aborted) {
        return STATUS_CONNECTION_ABORTED;
    }
    if (const NTSTATUS status = usable(qp); status != STATUS_SUCCESS) {
        return status;
    }
    if (state_ != State::requested) {
        return STATUS_CONNECTION_INVALID;
    }
    dialogue_.limit(limits);
    attach(qp);
    state_ = State::accepting;
    disconnected_ = std::move(disconnected);
    call_.begin(std::move(done));
    // The queue pair is ready before the peer learns of it, so that nothing from the peer can be lost [K190].
    const CmMessage reply = dialogue_.message(CmKind::reply, qp_, data);
    join_qp(*std::exchange(request_, nullptr), [this, reply] {
        if (state_ == State::accepting) {
            driver_.connections().send(reply);
        }
    });
    call_.wait_at_most(driver_.params().nic.control.connect_timeout, [this] {
        send(CmKind::abort);
        over(State::ended);
        call_.finish(STATUS_IO_TIMEOUT);
    });
    return STATUS_PENDING;
}

void Connector::join_qp(const CmMessage& theirs, std::function<void()> joined) {
    hold();
    driver_.command(ConnectQp{qp_->number(), dialogue_.connection(*qp_, theirs), driver_.connects_before_run()},
                    [this, joined = std::move(joined)] {
                        joined();
                        release();
                    });
}

NTSTATUS Connector::reject(std::span<const std::byte> data) {
    if (data.size() > kCalleeData) {
        return STATUS_INVALID_BUFFER_SIZE;
    }
    if (state_ == State::aborted) {
        return STATUS_CONNECTION_ABORTED;
    }
    const bool has_connected = state_ == State::accepted && !call_.under_way();
    if (state_ != State::requested && !has_connected) {
        return STATUS_CONNECTION_INVALID;
    }
    send(CmKind::reject, data);
    over(State::ended);
    return STATUS_SUCCESS;
}

NTSTATUS Connector::disconnect(Done done) {
    if (state_ == State::lost) {
        call_.begin(std::move(done));
        leave(STATUS_CONNECTION_ABORTED);
        return STATUS_PENDING;
    }
    if (state_ != State::connected) {
        return STATUS_CONNECTION_INVALID;
    }
    disconnected_ = nullptr;  // the event is for a side that has not disconnected [K156, K158]
    state_ = State::disconnecting;
    call_.begin(std::move(done));
    send(CmKind::disconnect);
    if (peer_left_) {
        leave(STATUS_SUCCESS);
    } else {
        call_.wait_at_most(driver_.params().nic.control.disconnect_timeout, [this] {
            send(CmKind::abort);
            leave(STATUS_IO_TIMEOUT);
        });
    }
    return STATUS_PENDING;
}

// Events, from the peer and from the queue pair. All come on the callback core.

void Connector::requested(const CmMessage& request, Object& listener) {
    passive_ = true;
    request_ = std::make_unique<const CmMessage>(request);
    listener_ = &listener;
    listener_->hold();
    dialogue_.begin(id(), {request.destination_ip, request.destination_port}, {request.source_ip, request.source_port},
                    {kMaxReads, kMaxReads});
    driver_.connections().ports().share(local().port);
    holds_port_ = true;
    dialogue_.take(request, peer_data_size());
    state_ = State::requested;
}

bool Connector::joins(const Endpoint& local, const Endpoint& peer) const {
    return (state_ == State::connecting || is_in_nic(state_)) && dialogue_.local() == local && dialogue_.peer() == peer;
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
            dialogue_.take_private_data(message, peer_data_size());
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

void Connector::reply_came(const CmMessage& message) {
    if (state_ != State::connecting) {
        return;
    }
    call_.stop_waiting();
    dialogue_.take(message, peer_data_size());
    state_ = State::accepted;
    join_qp(message, [this] {
        hold();
        driver_.callbacks().defer(driver_.now(), [this] {
            // Also if the peer has given up again: completing the connect will report that.
            if (state_ == State::accepted || state_ == State::aborted) {
                call_.finish(STATUS_SUCCESS);
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
            call_.finish(outcome);
            break;
        case State::requested:
        case State::accepting:
            over(State::aborted);
            call_.finish(outcome);
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
    if (!is_in_nic(state_)) {
        return;
    }
    // InfiniBand's responder is silent about a bad key: the sender's retries reveal it [X38].
    if (why != WcStatus::invalidate_error || driver_.profile() == StatusProfile::documented) {
        CmMessage abort = dialogue_.message(CmKind::abort, qp_);
        abort.reason = why;
        driver_.connections().send(abort);
    }
    peer_gave_up(WcStatus::wr_flush, outcome);  // ends as if the peer had reported it
}

// The consumer has begun to close the queue pair, so it knows that the connection ends [K207].
void Connector::qp_closing() {
    disconnected_ = nullptr;
    if (state_ == State::connecting) {
        send(CmKind::abort);
        connect_fails(STATUS_CANCELLED);
    } else if (state_ == State::connected) {
        send(CmKind::abort);
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

// The ends of connections and of connectors.

// This side's last step: the queue pair is flushed, and the disconnect is done when nothing of it is left [K151, K155].
void Connector::leave(NTSTATUS outcome) {
    if (state_ == State::disconnecting) {
        --driver_.counters().active_connections;
    }
    state_ = State::ended;
    call_.stop_waiting();
    qp_->set_state(Qp::State::disconnected);
    qp_->flush_and_wait([this, outcome] { call_.finish(outcome); });
}

// There will be no connection, or no longer.
void Connector::over(State how) {
    if (is_active(state_)) {
        --driver_.counters().active_connections;
    }
    const bool joined = state_ != State::connecting && qp_ != nullptr;
    state_ = how;
    call_.stop_waiting();
    if (joined) {
        qp_->set_state(Qp::State::disconnected);
        qp_->flush();
    }
}

void Connector::give_port() {
    if (std::exchange(holds_port_, false)) {
        driver_.connections().ports().give(local().port);
    }
    if (shared_ != nullptr) {
        std::exchange(shared_, nullptr)->release();
    }
}

// A pending call is cancelled first; its callback comes from the callback core [K202].
void Connector::begin_close() {
    disconnected_ = nullptr;
    if (is_one_of(state_, {State::idle, State::aborted, State::ended})) {
        return;
    }
    if (state_ != State::lost) {
        const bool unanswered = is_one_of(state_, {State::requested, State::accepted});
        send(unanswered ? CmKind::reject : CmKind::abort);  // no answer is a refusal [K180]
    }
    const bool asked_only = state_ == State::connecting;
    over(State::ended);
    if (asked_only) {
        detach();
    }
    if (call_.under_way()) {
        hold();
        driver_.callbacks().defer(driver_.now(), [this] {
            call_.finish(STATUS_CANCELLED);
            release();
        });
    }
}

void Connector::end_close() {
    driver_.connections().remove(id());
    if (holds_port_) {
        driver_.connections().ports().give(local().port);
    }
    if (qp_ != nullptr) {
        qp_->set_connector(nullptr);
    }
}

std::vector<Object*> Connector::antecedents() {
    std::vector<Object*> held;
    if (qp_ != nullptr) {
        held.push_back(qp_);
    }
    if (listener_ != nullptr) {
        held.push_back(listener_);
    }
    if (shared_ != nullptr) {
        held.push_back(shared_);
    }
    return held;
}

}  // namespace ndsim::core
