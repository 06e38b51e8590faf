// SPDX-License-Identifier: Apache-2.0
#include "scenarios/hosts/host_connections.hpp"

#include "ndapi/windows/abi/byteorder.h"
#include "ndapi/windows/abi/ntstatus.h"
#include "scenarios/hosts/host_side.hpp"

namespace ndsim {

namespace {

constexpr std::uint16_t kFirstPort = 4000;

// A NIC has given the connection up, and its driver knows why.
bool is_broken(NTSTATUS status) {
    return status == STATUS_CONNECTION_ABORTED || status == STATUS_CONNECTION_RESET;
}

}  // namespace

// Nothing that owns memory is on the stack while a call waits: a run may be stopped then.
void HostConnections::make() {
    find_peers();
    for (const Host& host : scenario_.hosts) {
        for (const QueuePair& qp : host.qps) {
            if (qp.connect.empty() || qp.by_programs) {
                continue;
            }
            if (host.name == side_.host().name) {
                connect_at_last(qp.name);
            } else if (qp.connect.host == side_.host().name) {
                accept_only_one(qp.connect.name);
            }
        }
    }
    begin({});
}

void HostConnections::find_peers() {
    std::map<std::string, std::uint16_t> ports;  // the next of each listening host
    for (const Host& host : scenario_.hosts) {
        for (const QueuePair& qp : host.qps) {
            if (qp.connect.empty()) {
                continue;
            }
            const std::uint16_t port = ports.try_emplace(qp.connect.host, kFirstPort).first->second++;
            if (host.name == side_.host().name) {
                peers_[qp.name] = {qp.connect.host, port};
            } else if (qp.connect.host == side_.host().name) {
                peers_[qp.connect.name] = {host.name, port};
            }
        }
    }
}

void HostConnections::begin(std::string doing) {
    doing_ = std::move(doing);
    tries_again_ = false;
}

void HostConnections::again(std::string doing) {
    doing_ = std::move(doing);
    tries_again_ = true;
}

// No data flows before all hosts are set up, so a peer's queue pair cannot have failed. The first messages of a socket
// are data.
bool HostConnections::is_given_up(const std::string& name, NTSTATUS status) const {
    if (side_.host().api == Api::wsd || !is_broken(status)) {
        return false;
    }
    const std::optional<QpNum> number = side_.face().number_of(name);
    return std::ranges::none_of(side_.driver().qp_failures(),
                                [&](const core::QpFailure& failure) { return failure.qp == number; });
}

// The peer may not be listening yet, or may be frozen: a connect that is refused, or takes too long, is retried.
void HostConnections::connect_at_last(const std::string& name) {
    begin("connecting " + name);
    NTSTATUS status = connect(name);
    while (status == STATUS_CONNECTION_REFUSED || status == STATUS_IO_TIMEOUT || is_given_up(name, status)) {
        if (status == STATUS_IO_TIMEOUT) {
            again("connecting " + name + ", without an answer within nic.connect_timeout");
        } else if (status != STATUS_CONNECTION_REFUSED) {
            again("connecting " + name + " again, as nic.connect_timeout of its peer was too short");
            side_.renew_qp(side_.qp(name));
        }
        side_.sleep(std::chrono::microseconds{10});
        status = connect(name);
    }
    if (!is_broken(status)) {
        require(status, doing_);
    }
}

void HostConnections::accept_only_one(const std::string& name) {
    begin("accepting for " + name);
    NTSTATUS status = accept(name);
    while (status == STATUS_IO_TIMEOUT || is_given_up(name, status)) {
        again("accepting for " + name + " again, as nic.connect_timeout of one end was too short");
        side_.renew_qp(side_.qp(name));
        status = accept(name);
    }
    side_.face().stop_listening(side_.qp(name));
    if (!is_broken(status)) {
        require(status, doing_);
    }
}

NTSTATUS HostConnections::connect(const std::string& name) {
    const Peer& peer = peers_.at(name);
    sockaddr_in to = side_.address(peer.host);
    to.sin_port = htons(peer.port);
    return side_.face().connect(side_.qp(name), to);
}

NTSTATUS HostConnections::listen(const std::string& name) {
    return side_.face().listen(side_.qp(name), htons(peers_.at(name).port));
}

NTSTATUS HostConnections::accept(const std::string& name) {
    const NTSTATUS status = listen(name);
    return status == STATUS_SUCCESS ? side_.face().accept(side_.qp(name)) : status;
}

NTSTATUS HostConnections::reject(const std::string& name) {
    const NTSTATUS status = listen(name);
    return status == STATUS_SUCCESS ? side_.face().reject(side_.qp(name)) : status;
}

}  // namespace ndsim
