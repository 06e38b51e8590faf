// SPDX-License-Identifier: Apache-2.0
#include "ndapi/core/connector.hpp"

#include <algorithm>

#include "ndapi/core/connection_manager.hpp"

// The consumer's calls of a connector; its events are in connector_events.cpp, its ends in connector_end.cpp.
namespace ndsim::core {

namespace {

// The first PSN of a side's requests. Any value will do; this one is the same in every run and differs between QPs.
std::uint32_t first_psn(QpNum qp) {
    return (raw(qp) * 0x1000U) & Psn::kMask;
}

// An empty shared queue holds the sender off as long as it is empty: other queue pairs may have emptied it.
constexpr std::uint32_t kAnyRnrRetries = 7;

ReadLimits least(ReadLimits a, ReadLimits b) {
    return {std::min(a.inbound, b.inbound), std::min(a.outbound, b.outbound)};
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
    const QueueParams& queues = driver_.params().nic.queues;
    message.mtu = queues.mtu;
    const Overflow overflow = effective(queues.overflow, driver_.profile());
    const bool shares = qp_ != nullptr && qp_->shares_receives();
    const std::uint32_t retries = overflow == Overflow::terminate ? 0 : queues.rnr_retry;
    message.rnr_retry = static_cast<std::uint8_t>(waits_for_receives_ || shares ? kAnyRnrRetries : retries);
    message.credits = uses_credits();
    message.inbound_reads = limits_.inbound;
    message.outbound_reads = limits_.outbound;
    message.private_length = static_cast<std::uint8_t>(data.size());
    std::copy(data.begin(), data.end(), message.private_data.begin());
    return message;
}

bool Connector::uses_credits() const {
    const Overflow overflow = effective(driver_.params().nic.queues.overflow, driver_.profile());
    return overflow == Overflow::credit && !waits_for_receives_ && !(qp_ != nullptr && qp_->shares_receives());
}

void Connector::take_data(const CmMessage& message) {
    peer_id_ = message.local_id;
    take_private_data(message);
    limits_ = least(limits_, {message.outbound_reads, message.inbound_reads});
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
    const bool over = state_ == State::lost || state_ == State::aborted || state_ == State::ended;
    if (over || qp.state() == Qp::State::disconnected) {
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
    id_ = driver_.connections().renew(id_, *this);
    peer_id_ = 0;
    refused_ = false;
    nobody_listened_ = false;
    local_ = local;
    holds_port_ = true;
    peer_ = peer;
    limits_ = least(limits, {kMaxReads, kMaxReads});
    attach(qp);
    state_ = State::connecting;
    begin(std::move(done));
    const bool is_there = driver_.connections().neighbour(peer.ip).has_value();
    driver_.connections().send(message(CmKind::request, data));
    wait_at_most(driver_.params().nic.control.connect_timeout, [this, is_there] {
        driver_.connections().send(message(CmKind::abort));
        connect_fails(is_there ? STATUS_IO_TIMEOUT : STATUS_HOST_UNREACHABLE);
    });
}

// The connect may be tried again, with the same queue pair [K178].
void Connector::connect_fails(NTSTATUS status) {
    ++driver_.counters().connect_failures;
    state_ = State::idle;
    detach();
    give_port();
    finish(status);
}

NTSTATUS Connector::complete_connect(Event disconnected, Done done) {
    if (state_ == State::aborted) {
        return STATUS_CONNECTION_ABORTED;
    }
    if (state_ != State::accepted || done_) {
        return STATUS_CONNECTION_INVALID;
    }
    disconnected_ = std::move(disconnected);
    state_ = State::completing;
    begin(std::move(done));
    hold();
    driver_.connections().send(message(CmKind::ready), [this] {
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
    finish(STATUS_SUCCESS);
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
    limits_ = least(limits, limits_);
    attach(qp);
    state_ = State::accepting;
    disconnected_ = std::move(disconnected);
    begin(std::move(done));
    // The queue pair is ready before the peer learns of it, so that nothing from the peer can be lost [K190].
    const CmMessage reply = message(CmKind::reply, data);
    join_qp(request_, [this, reply] {
        if (state_ == State::accepting) {
            driver_.connections().send(reply);
        }
    });
    wait_at_most(driver_.params().nic.control.connect_timeout, [this] {
        driver_.connections().send(message(CmKind::abort));
        over(State::ended);
        finish(STATUS_IO_TIMEOUT);
    });
    return STATUS_PENDING;
}

void Connector::join_qp(const CmMessage& theirs, std::function<void()> joined) {
    QpConnection connection;
    connection.peer = theirs.qp;
    connection.peer_host = *driver_.connections().neighbour(peer_.ip);
    connection.mtu = std::min(theirs.mtu, driver_.params().nic.queues.mtu);
    connection.first_psn = Psn{first_psn(qp_->number())};
    connection.expected_psn = Psn{theirs.psn};
    connection.outbound_reads = limits_.outbound;
    connection.inbound_reads = limits_.inbound;
    connection.rnr_retry = theirs.rnr_retry;
    connection.credits = theirs.credits;
    connection.gives_credits = uses_credits();
    hold();
    driver_.command(ConnectQp{qp_->number(), connection, driver_.connects_before_run()},
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
    const bool has_connected = state_ == State::accepted && !done_;
    if (state_ != State::requested && !has_connected) {
        return STATUS_CONNECTION_INVALID;
    }
    driver_.connections().send(message(CmKind::reject, data));
    over(State::ended);
    return STATUS_SUCCESS;
}

NTSTATUS Connector::disconnect(Done done) {
    if (state_ == State::lost) {
        begin(std::move(done));
        leave(STATUS_CONNECTION_ABORTED);
        return STATUS_PENDING;
    }
    if (state_ != State::connected) {
        return STATUS_CONNECTION_INVALID;
    }
    disconnected_ = nullptr;  // the event is for a side that has not disconnected [K156, K158]
    state_ = State::disconnecting;
    begin(std::move(done));
    driver_.connections().send(message(CmKind::disconnect));
    if (peer_left_) {
        leave(STATUS_SUCCESS);
    } else {
        wait_at_most(driver_.params().nic.control.disconnect_timeout, [this] {
            driver_.connections().send(message(CmKind::abort));
            leave(STATUS_IO_TIMEOUT);
        });
    }
    return STATUS_PENDING;
}

}  // namespace ndsim::core
