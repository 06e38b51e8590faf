// SPDX-License-Identifier: Apache-2.0
#include "ndapi/core/connector_life.hpp"

#include <utility>

#include "ndapi/core/cm_router.hpp"
#include "ndapi/core/connector.hpp"

namespace ndsim::core {

ConnectorLife::ConnectorLife(Connector& connector, Driver& driver)
    : connector_(connector),
      driver_(driver),
      terms_(driver),
      qp_(connector, driver),
      call_(connector, driver),
      port_(driver) {}

void ConnectorLife::send(CmKind kind, std::span<const std::byte> data) {
    driver_.connections().send(terms_.message(kind, qp_.get(), data));
}

void ConnectorLife::connect(Qp& qp, std::span<const std::byte> data, Done done) {
    qp_.attach(qp);
    state_ = State::connecting;
    call_.begin(std::move(done));
    const bool is_there = driver_.connections().neighbour(terms_.peer().ip).has_value();
    send(CmKind::request, data);
    call_.wait_at_most(driver_.params().nic.control.connect_timeout, [this, is_there] {
        send(CmKind::abort);
        connect_fails(is_there ? STATUS_IO_TIMEOUT : STATUS_HOST_UNREACHABLE);
    });
}

// The connect may be tried again, with the same queue pair [K178].
void ConnectorLife::connect_fails(NTSTATUS status) {
    driver_.counters().connect_failed(status);
    state_ = State::idle;
    qp_.detach();
    port_.give();
    call_.finish(status);
}

void ConnectorLife::accepted(const CmMessage& reply) {
    call_.stop_waiting();
    state_ = State::accepted;
    qp_.join(terms_.connection(*qp_.get(), reply), [this] {
        connector_.hold();
        driver_.callbacks().defer(driver_.now(), [this] {
            if (state_ == State::accepted) {
                if (given_up_) {
                    accept_fails(STATUS_CONNECTION_ABORTED);  // completing the connect will report that [K176]
                }
                call_.finish(STATUS_SUCCESS);
            }
            connector_.release();
        });
    });
}

// The peer has accepted, but there will be no connection.
void ConnectorLife::accept_fails(NTSTATUS status) {
    driver_.counters().connect_failed(status);
    over(State::aborted);
}

void ConnectorLife::complete(Event disconnected, Done done) {
    disconnected_ = std::move(disconnected);
    state_ = State::completing;
    call_.begin(std::move(done));
    connector_.hold();
    driver_.connections().send(terms_.message(CmKind::ready, qp_.get()), [this] {
        driver_.callbacks().defer(driver_.now(), [this] {
            if (state_ == State::completing) {
                ++driver_.counters().connects;
                established();
            }
            connector_.release();
        });
    });
}

void ConnectorLife::established() {
    state_ = State::connected;
    ++driver_.counters().active_connections;
    qp_->set_state(Qp::State::connected);
    call_.finish(STATUS_SUCCESS);
    if (peer_left_) {
        end_in_order();
    }
}

void ConnectorLife::accept(Qp& qp, const CmMessage& request, std::span<const std::byte> data, Event disconnected,
                           Done done) {
    qp_.attach(qp);
    state_ = State::accepting;
    disconnected_ = std::move(disconnected);
    call_.begin(std::move(done));
    // The queue pair is ready before the peer learns of it, so that nothing from the peer can be lost [K190].
    qp_.join(terms_.connection(*qp_.get(), request), [this, reply = terms_.message(CmKind::reply, qp_.get(), data)] {
        if (state_ == State::accepting) {
            driver_.connections().send(reply);
        }
    });
    call_.wait_at_most(driver_.params().nic.control.connect_timeout, [this] {
        send(CmKind::abort);
        over(State::ended);
        call_.finish(STATUS_IO_TIMEOUT);
    });
}

void ConnectorLife::completed() {
    if (state_ == State::accepting) {
        ++driver_.counters().accepts;
        established();
    }
}

void ConnectorLife::reject(std::span<const std::byte> data) {
    send(CmKind::reject, data);
    over(State::ended);
}

void ConnectorLife::disconnect(Done done) {
    if (state_ == State::lost) {
        call_.begin(std::move(done));
        leave(STATUS_CONNECTION_ABORTED);
        return;
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
}

void ConnectorLife::peer_gave_up(WcStatus why, NTSTATUS outcome) {
    switch (state_) {
        case State::connecting:
            connect_fails(STATUS_CONNECTION_REFUSED);
            break;
        case State::accepted:
            if (call_.under_way()) {
                given_up_ = true;  // until the connect ends, it can be cancelled like any other
            } else {
                accept_fails(outcome);
            }
            break;
        case State::completing:
            accept_fails(outcome);
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

// Whether the call under way is a connect, whose second half joins the queue pair to the peer's.
bool ConnectorLife::connects_still() const {
    return state_ == State::connecting || (state_ == State::accepted && call_.under_way());
}

bool ConnectorLife::flushes_when_peer_leaves() const {
    const ByInterface choice = driver_.params().adapter.flush_on_peer_disconnect;
    return choice == ByInterface::always || (choice == ByInterface::by_interface && ends_as_in_ndspi_);
}

void ConnectorLife::peer_disconnected() {
    peer_left_ = true;
    if (state_ == State::disconnecting) {
        leave(STATUS_SUCCESS);
    } else if (state_ == State::connected) {
        end_in_order();
    }
}

// The peer of a connection has disconnected. Requests stay until this side flushes or disconnects [K157], or are
// flushed at once [R98].
void ConnectorLife::end_in_order() {
    if (flushes_when_peer_leaves()) {
        qp_->flush();
    }
    tell_consumer();
}

// The connection has ended without this side's doing. Requests that the queue pair still holds are flushed, and later
// ones too, until this side disconnects or closes: only then are Sends refused [K150, K154]. If the peer could not
// invalidate a Send's key, the oldest request without an answer fails for it [modelling.md].
void ConnectorLife::lost(WcStatus why) {
    --driver_.counters().active_connections;
    ++driver_.counters().connection_errors;
    state_ = State::lost;
    qp_->flush(why == WcStatus::invalidate_error ? WcStatus::rem_inv_req : WcStatus::wr_flush);
    tell_consumer();
}

void ConnectorLife::qp_failed(WcStatus why, NTSTATUS outcome) {
    if (!is_in_nic(state_)) {
        return;
    }
    // InfiniBand's responder is silent about a bad key: the sender's retries reveal it [X38].
    if (why != WcStatus::invalidate_error || driver_.profile() == StatusProfile::documented) {
        CmMessage abort = terms_.message(CmKind::abort, qp_.get());
        abort.reason = why;
        driver_.connections().send(abort);
    }
    peer_gave_up(WcStatus::wr_flush, outcome);  // ends as if the peer had reported it
}

// The consumer has begun to close the queue pair. In NDKPI it then knows that the connection ends [K207].
void ConnectorLife::qp_closing() {
    if (state_ != State::connected || !ends_as_in_ndspi_) {
        disconnected_ = nullptr;
    }
    if (state_ == State::connecting) {
        send(CmKind::abort);
        connect_fails(STATUS_CANCELLED);
    } else if (state_ == State::connected) {
        send(CmKind::abort);
        over(State::lost);
        tell_consumer();
    } else if (connects_still()) {
        send(CmKind::abort);
        over(State::aborted);
        call_.finish(STATUS_CANCELLED);  // R147
    } else {
        qp_failed(WcStatus::wr_flush, STATUS_CANCELLED);
    }
}

void ConnectorLife::tell_consumer() {
    if (const Event event = std::exchange(disconnected_, nullptr)) {
        connector_.hold();
        event();
        connector_.release();
    }
}

// This side's last step: the queue pair is flushed, and the disconnect is done when nothing of it is left [K151, K155].
void ConnectorLife::leave(NTSTATUS outcome) {
    if (state_ == State::disconnecting) {
        --driver_.counters().active_connections;
    }
    state_ = State::ended;
    call_.stop_waiting();
    qp_->set_state(Qp::State::disconnected);
    qp_->flush_and_wait([this, outcome] { call_.finish(outcome); });
}

// There will be no connection, or no longer.
void ConnectorLife::over(State how) {
    if (is_active(state_)) {
        --driver_.counters().active_connections;
    }
    state_ = how;
    call_.stop_waiting();
    qp_.use_up();
}

// A pending call is cancelled first; its callback comes from the callback core [K202]. A connect leaves the queue pair
// as it was, even if the peer has accepted; the NIC connects it anew in the next one.
void ConnectorLife::close() {
    disconnected_ = nullptr;
    if (is_one_of(state_, {State::idle, State::aborted, State::ended})) {
        return;
    }
    if (state_ != State::lost && !given_up_) {
        const bool unanswered = is_one_of(state_, {State::requested, State::accepted});
        send(unanswered ? CmKind::reject : CmKind::abort);  // no answer is a refusal [K180]
    }
    if (connects_still()) {
        qp_.detach();
    }
    over(State::ended);
    if (call_.under_way()) {
        connector_.hold();
        driver_.callbacks().defer(driver_.now(), [this] {
            call_.finish(STATUS_CANCELLED);
            connector_.release();
        });
    }
}

}  // namespace ndsim::core
