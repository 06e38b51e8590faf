// SPDX-License-Identifier: Apache-2.0
#include "ndapi/core/connection_manager.hpp"

// The ends of a connector's calls, of connections and of connectors.
namespace ndsim::core {

// This side's last step: the queue pair is flushed, and the disconnect is done when nothing of it is left [K151, K155].
void Connector::leave(NTSTATUS outcome) {
    if (state_ == State::disconnecting) {
        --driver_.counters().active_connections;
    }
    state_ = State::ended;
    stop_waiting();
    qp_->set_state(Qp::State::disconnected);
    qp_->flush_and_wait([this, outcome] { finish(outcome); });
}

// There will be no connection, or no longer.
void Connector::over(State how) {
    if (state_ == State::connected || state_ == State::disconnecting) {
        --driver_.counters().active_connections;
    }
    const bool joined = state_ != State::connecting && qp_ != nullptr;
    state_ = how;
    stop_waiting();
    if (joined) {
        qp_->set_state(Qp::State::disconnected);
        qp_->flush();
    }
}

void Connector::begin(Done done) {
    done_ = std::move(done);
    hold();
}

void Connector::finish(NTSTATUS outcome) {
    stop_waiting();
    if (const Done done = std::exchange(done_, nullptr)) {
        done(outcome);
        release();
    }
}

void Connector::wait_at_most(Picoseconds span, std::function<void()> then) {
    const std::uint32_t wait = ++waits_;
    deadline_ = driver_.callbacks().set_deadline(span, [this, wait, then = std::move(then)] {
        deadline_.reset();
        hold();
        driver_.callbacks().defer(driver_.now(), [this, wait, then] {
            if (wait == waits_) {  // the answer has not arrived at the last moment
                then();
            }
            release();
        });
    });
}

void Connector::stop_waiting() {
    ++waits_;
    if (deadline_) {
        driver_.callbacks().cancel(*std::exchange(deadline_, std::nullopt));
    }
}

void Connector::give_port() {
    if (std::exchange(holds_port_, false)) {
        driver_.connections().ports().give(local_.port);
    }
    if (shared_ != nullptr) {
        std::exchange(shared_, nullptr)->release();
    }
}

// A pending call is cancelled first; its callback comes from the callback core [K202].
void Connector::begin_close() {
    disconnected_ = nullptr;
    switch (state_) {
        case State::idle:
        case State::aborted:
        case State::ended:
            return;
        case State::requested:
        case State::accepted:
            driver_.connections().send(message(CmKind::reject));  // no answer is a refusal [K180]
            break;
        case State::lost:
            break;
        case State::connecting:
        case State::completing:
        case State::accepting:
        case State::connected:
        case State::disconnecting:
            driver_.connections().send(message(CmKind::abort));
            break;
    }
    const bool asked_only = state_ == State::connecting;
    over(State::ended);
    if (asked_only) {
        detach();
    }
    if (done_) {
        hold();
        driver_.callbacks().defer(driver_.now(), [this] {
            finish(STATUS_CANCELLED);
            release();
        });
    }
}

void Connector::end_close() {
    driver_.connections().remove(id_);
    if (holds_port_) {
        driver_.connections().ports().give(local_.port);
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
