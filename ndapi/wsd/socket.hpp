// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "ndapi/core/shared_endpoint.hpp"
#include "ndapi/wsd/backlog.hpp"
#include "ndapi/wsd/buffers.hpp"
#include "ndapi/wsd/link.hpp"
#include "ndapi/wsd/network_events.hpp"
#include "ndapi/wsd/operations.hpp"
#include "ndapi/wsd/socket_options.hpp"

namespace ndsim::wsd {

// The arguments of a data call, except its flags.
struct Transfer {
    OperationKind kind{};
    const Buffers& buffers;
    OVERLAPPED* overlapped = nullptr;
    RemoteRange remote{};
    std::optional<DWORD> done_bytes;  // answer: already done
};

// Socket: a socket of the provider, from WSPSocket or WSPAccept until its close. Its calls return Winsock's codes, 0
// for success; the checks that need no socket are already done.
class Socket {
public:
    Socket(Setting& setting, SOCKET handle);

    // --- life (socket.cpp)
    [[nodiscard]] bool is_closed() const { return state_ == State::closed; }
    [[nodiscard]] int bind(const core::Endpoint& local);
    [[nodiscard]] int listen(int backlog);
    [[nodiscard]] int connect(const core::Endpoint& peer);
    // Whether there is a request; asks the switch's condition about it, which may refuse or defer it.
    [[nodiscard]] int next_request(LPCONDITIONPROC condition, DWORD_PTR callback_data);
    [[nodiscard]] std::unique_ptr<core::Connector> take_request();
    // A new socket takes this request over; blocks until the peer has joined.
    [[nodiscard]] int accept(std::unique_ptr<core::Connector> request);
    void close();
    // Another process will continue the connection: this side's receives end with no bytes (W65).
    [[nodiscard]] int suspend();
    [[nodiscard]] bool is_connected() const { return state_ == State::connected; }
    [[nodiscard]] core::Endpoint peer() const { return peer_; }
    [[nodiscard]] NetworkEvents& events() { return events_; }

    // --- data (socket_data.cpp)
    // may_start() checks flags and structure; start() checks the rest, and posts.
    [[nodiscard]] int may_start(DWORD flags, const OVERLAPPED* overlapped) const;
    [[nodiscard]] int start(Transfer& transfer);
    // The error of the operation, WSA_IO_INCOMPLETE, or why there is no answer.
    [[nodiscard]] int result(const OVERLAPPED& overlapped, bool wait);
    [[nodiscard]] Registrations& registrations() { return registrations_; }

    [[nodiscard]] SocketOptions& options() { return options_; }

    // For tests: states that no switch can cause (W20, W21).
    void shut_down_sends() { sends_shut_down_ = true; }
    void become_synchronous() { overlapped_ = false; }

private:
    // The life of a socket.
    enum class State : std::uint8_t {
        created,
        bound,
        listening,
        connecting,
        connected,
        disconnected,  // error_ is the reason
        suspended,
        closed
    };

    [[nodiscard]] Link& new_link(std::unique_ptr<core::Connector> asked = nullptr);
    void connect_ended(NTSTATUS status);
    void went_down();
    void went_quiet();
    void fail(int error);

    [[nodiscard]] int may_transfer(OperationKind kind) const;
    [[nodiscard]] int fits(const Transfer& transfer) const;
    [[nodiscard]] bool find_registrations(const Transfer& transfer, std::vector<Registration*>& uses);
    [[nodiscard]] bool has_slot(OperationKind kind) const;
    [[nodiscard]] int post(Transfer& transfer, std::vector<Registration*> uses);
    [[nodiscard]] NTSTATUS post(const Transfer& transfer, Operation& operation, bool inlined);
    [[nodiscard]] bool is_inline(const Transfer& transfer) const;
    void completed(const core::Completion& completion);
    [[nodiscard]] int error_of(const core::Completion& completion) const;
    [[nodiscard]] bool needs_interrupts() const;

    Setting& setting_;
    const SOCKET handle_;  // the switch's
    State state_ = State::created;
    bool overlapped_ = true;
    bool sends_shut_down_ = false;
    int error_ = 0;  // of the connection; the first one stays (W103)
    core::Endpoint peer_;
    core::Pd pd_;  // its own: memory open to its peer is open to no other (W73)
    NetworkEvents events_;
    SocketOptions options_;
    Registrations registrations_;
    Operations operations_;
    std::unique_ptr<core::SharedEndpoint> bound_;
    std::unique_ptr<Backlog> backlog_;
    std::vector<std::unique_ptr<Link>> links_;  // the last one is current
    bool fence_next_send_ = false;              // it follows a read (W79)
};

}  // namespace ndsim::wsd
