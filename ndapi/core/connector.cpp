// SPDX-License-Identifier: Apache-2.0
#include "ndapi/core/connector.hpp"

#include <algorithm>

#include "ndapi/core/connection_manager.hpp"

namespace ndsim::core {

namespace {

// The first PSN of a side's requests: anything will do; this is the same on every run and differs between QPs.
std::uint32_t first_psn(QpNum qp) {
    return (raw(qp) * 0x1000U) & Psn::kMask;
}

}  // namespace

Connector::Connector(Driver& driver) : driver_(driver), id_(driver.connections().add(*this)) {}

CmMessage Connector::message(CmKind kind, std::span<const std::byte> data) const {
    CmMessage message;
    message.kind = kind;
    message.local_id = id_;
    message.remote_id = peer_id_;
    message.source_ip = local_.ip;
    message.destination_ip = peer_.ip;
    message.source_port = local_.port;
    message.destination_port = peer_.port;
    if (qp_ != nullptr) {
        message.qp = qp_->number();
        message.psn = first_psn(qp_->number());
    }
    message.mtu = driver_.params().nic.queues.mtu;
    message.inbound_reads = limits_.inbound;
    message.outbound_reads = limits_.outbound;
    message.private_length = static_cast<std::uint8_t>(data.size());
    std::copy(data.begin(), data.end(), message.private_data.begin());
    return message;
}

void Connector::take_data(const CmMessage& message) {
    peer_id_ = message.local_id;
    peer_data_.assign(message.private_data.begin(), message.private_data.begin() + peer_data_size());
    limits_ = effective(limits_, message);
}

ReadLimits Connector::effective(ReadLimits ours, const CmMessage& theirs) {
    return {std::min(ours.inbound, theirs.outbound_reads), std::min(ours.outbound, theirs.inbound_reads)};
}

void Connector::attach(Qp& qp) {
    qp_ = &qp;
    qp.hold();
    qp.set_connector(this);
    qp.set_state(Qp::State::connecting);
}

void Connector::detach() {
    if (qp_ != nullptr) {
        qp_->set_connector(nullptr);
        std::exchange(qp_, nullptr)->release();
    }
}

NTSTATUS Connector::connect(Qp& qp, Endpoint local, Endpoint peer, ReadLimits limits, std::span<const std::byte> data,
                            Done done) {
    if (data.size() > kCallerData) {
        return STATUS_INVALID_BUFFER_SIZE;
    }
    if (qp.state() != Qp::State::idle || state_ != State::idle) {
        return STATUS_CONNECTION_ACTIVE;
    }
    if (local.ip != 0 && local.ip != driver_.ip_address()) {
        return STATUS_INVALID_ADDRESS;
    }
    local_ = {driver_.ip_address(), local.port != 0 ? local.port : driver_.connections().ephemeral_port()};
    peer_ = peer;
    limits_ = limits;
    attach(qp);
    state_ = State::connecting;
    done_ = std::move(done);
    hold();
    driver_.send_datagram(message(CmKind::request, data));
    return STATUS_PENDING;
}

NTSTATUS Connector::complete_connect(std::function<void()> disconnected, Done done) {
    if (state_ == State::dead) {
        return STATUS_CONNECTION_ABORTED;
    }
    if (state_ != State::accepted) {
        return STATUS_CONNECTION_INVALID;
    }
    disconnected_ = std::move(disconnected);
    state_ = State::connected;
    qp_->set_state(Qp::State::connected);
    done_ = std::move(done);
    hold();
    CmMessage ready = message(CmKind::ready);
    SendDatagram datagram;
    write_cm_message(datagram.bytes, ready);
    driver_.command(datagram, [this] { driver_.defer_call(driver_.now(), [this] { finish(STATUS_SUCCESS); }); });
    return STATUS_PENDING;
}

void Connector::requested(const CmMessage& request, Listener& listener) {
    passive_ = true;
    request_ = request;
    listener_ = &listener;
    listener_->hold();
    local_ = {request.destination_ip, request.destination_port};
    peer_ = {request.source_ip, request.source_port};
    limits_ = {UINT32_MAX, UINT32_MAX};
    take_data(request);
    state_ = State::requested;
}

NTSTATUS Connector::accept(Qp& qp, ReadLimits limits, std::span<const std::byte> data,
                           std::function<void()> disconnected, Done done) {
    if (data.size() > kCalleeData) {
        return STATUS_INVALID_BUFFER_SIZE;
    }
    if (qp.state() != Qp::State::idle) {
        return STATUS_CONNECTION_ACTIVE;
    }
    if (state_ != State::requested) {
        return STATUS_CONNECTION_ABORTED;
    }
    limits_ = effective(limits, request_);
    attach(qp);
    state_ = State::accepting;
    disconnected_ = std::move(disconnected);
    done_ = std::move(done);
    hold();
    // The queue pair is ready before the peer hears of it, so that nothing it sends can be lost [K190].
    const CmMessage reply = message(CmKind::reply, data);
    join_qp(request_, [this, reply] { driver_.send_datagram(reply); });
    return STATUS_PENDING;
}

void Connector::join_qp(const CmMessage& theirs, std::function<void()> joined) {
    QpConnection connection;
    connection.peer = theirs.qp;
    connection.mtu = std::min(theirs.mtu, driver_.params().nic.queues.mtu);
    connection.first_psn = Psn{first_psn(qp_->number())};
    connection.expected_psn = Psn{theirs.psn};
    driver_.command(ConnectQp{qp_->number(), connection}, std::move(joined));
}

NTSTATUS Connector::reject(std::span<const std::byte> data) {
    if (data.size() > kCalleeData) {
        return STATUS_INVALID_BUFFER_SIZE;
    }
    if (state_ != State::requested && state_ != State::accepted) {
        return STATUS_CONNECTION_ABORTED;
    }
    driver_.send_datagram(message(CmKind::reject, data));
    dies(STATUS_CONNECTION_ABORTED);
    return STATUS_SUCCESS;
}

NTSTATUS Connector::disconnect(Done done) {
    if (state_ != State::connected) {
        return STATUS_CONNECTION_INVALID;
    }
    state_ = State::disconnecting;
    done_ = std::move(done);
    hold();
    driver_.send_datagram(message(CmKind::disconnect));
    if (peer_left_) {
        dies(STATUS_SUCCESS);
    }
    return STATUS_PENDING;
}

void Connector::handle(const CmMessage& message) {
    switch (message.kind) {
        case CmKind::request:
            break;  // for listeners
        case CmKind::reply:
            if (state_ == State::connecting) {
                take_data(message);
                state_ = State::accepted;
                join_qp(message, [this] { driver_.defer_call(driver_.now(), [this] { finish(STATUS_SUCCESS); }); });
            }
            break;
        case CmKind::ready:
            if (state_ == State::accepting) {
                state_ = State::connected;
                qp_->set_state(Qp::State::connected);
                finish(STATUS_SUCCESS);
            }
            break;
        case CmKind::reject:
            if (state_ == State::connecting) {
                qp_->set_state(Qp::State::idle);
                detach();
                state_ = State::idle;  // may be tried again
                finish(STATUS_CONNECTION_REFUSED);
            } else {
                dies(STATUS_CONNECTION_ABORTED);
            }
            break;
        case CmKind::disconnect:
            peer_left_ = true;
            if (state_ == State::disconnecting) {
                dies(STATUS_SUCCESS);
            } else if (disconnected_) {
                std::exchange(disconnected_, nullptr)();
            }
            break;
        case CmKind::abort:
            lost();
            break;
    }
}

void Connector::qp_failed() {
    if (state_ == State::connected || state_ == State::disconnecting) {
        driver_.send_datagram(message(CmKind::abort));
        lost();
    }
}

// The connection has ended without this side's doing.
void Connector::lost() {
    const auto tell = std::exchange(disconnected_, nullptr);
    dies(STATUS_CONNECTION_ABORTED, state_ == State::connected ? Qp::State::connected : Qp::State::disconnected);
    if (tell) {
        tell();
    }
}

// The connection is over. What the queue pair still holds is flushed, and so is what is posted from now on, until
// this side disconnects or closes: only then are Sends refused [K150, K154].
void Connector::dies(NTSTATUS outcome, Qp::State left) {
    state_ = State::dead;
    if (qp_ != nullptr) {
        qp_->set_state(left);
        qp_->flush();
    }
    if (done_) {
        finish(outcome);
    }
}

void Connector::finish(NTSTATUS outcome) {
    if (const Done done = std::exchange(done_, nullptr)) {
        done(outcome);
        release();
    }
}

void Connector::begin_close() {
    disconnected_ = nullptr;
    switch (state_) {
        case State::requested:
        case State::accepted:
            (void)reject({});
            break;
        case State::connecting:
        case State::accepting:
        case State::connected:
        case State::disconnecting:
            driver_.send_datagram(message(CmKind::abort));
            dies(STATUS_CONNECTION_ABORTED);
            break;
        case State::idle:
        case State::dead:
            break;
    }
    if (qp_ != nullptr) {
        qp_->set_state(Qp::State::disconnected);
    }
}

void Connector::end_close() {
    driver_.connections().remove(id_);
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
    return held;
}

}  // namespace ndsim::core
