// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "ndapi/core/shared_endpoint.hpp"
#include "ndapi/wsd/backlog.hpp"
#include "ndapi/wsd/link.hpp"
#include "ndapi/wsd/network_events.hpp"
#include "ndapi/wsd/socket_options.hpp"
#include "ndapi/wsd/transfers.hpp"

namespace ndsim::wsd {

// Socket: a socket of the provider, from WSPSocket or WSPAccept until its close. Its calls return Winsock's codes, 0
// for success; the checks that need no socket are already done.
class Socket {
public:
    Socket(Setting& setting, SOCKET handle);

    [[nodiscard]] bool is_closed() const { return life_.stage() == Stage::closed; }
    [[nodiscard]] int bind(const core::Endpoint& local);
    [[nodiscard]] int listen(int backlog);
    [[nodiscard]] int connect(const core::Endpoint& peer);
    // Takes the first request, if there is one, and asks the switch's condition about it, which may refuse or defer it.
    [[nodiscard]] int take_request(LPCONDITIONPROC condition, DWORD_PTR callback_data,
                                   std::unique_ptr<core::Connector>& request);
    // What became of a request that was taken: there is a socket for it, or it waits again.
    void request_is_gone();
    void put_back(std::unique_ptr<core::Connector> request);
    // A new socket takes this request over; blocks until the peer has joined.
    [[nodiscard]] int accept(std::unique_ptr<core::Connector> request);
    void close();
    // Another process will continue the connection: this side's receives end with no bytes (W65).
    [[nodiscard]] int suspend();
    [[nodiscard]] bool is_connected() const { return life_.stage() == Stage::connected; }
    [[nodiscard]] core::Endpoint peer() const { return peer_; }
    // The queue pair of its last attempt to connect.
    [[nodiscard]] std::optional<QpNum> qp() const;
    [[nodiscard]] NetworkEvents& events() { return events_; }
    [[nodiscard]] Transfers& transfers() { return transfers_; }
    [[nodiscard]] Registrations& registrations() { return registrations_; }
    [[nodiscard]] SocketOptions& options() { return options_; }

private:
    [[nodiscard]] Link& new_link(std::unique_ptr<core::Connector> asked = nullptr);
    void connect_ended(NTSTATUS status);
    void went_down();
    void went_quiet();

    Setting& setting_;
    const SOCKET handle_;  // the switch's
    Life life_;
    core::Endpoint peer_;
    core::Pd pd_;  // its own: memory open to its peer is open to no other (W73)
    NetworkEvents events_;
    SocketOptions options_;
    Registrations registrations_;
    Transfers transfers_;
    std::unique_ptr<core::SharedEndpoint> bound_;
    std::unique_ptr<Backlog> backlog_;
    int undecided_ = 0;                         // requests that are taken, and neither accepted nor refused
    std::vector<std::unique_ptr<Link>> links_;  // the last one is current
};

}  // namespace ndsim::wsd
