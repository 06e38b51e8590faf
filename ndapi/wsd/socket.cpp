// SPDX-License-Identifier: Apache-2.0
#include "ndapi/wsd/socket.hpp"

#include "ndapi/core/closing.hpp"
#include "ndapi/core/socket_address.hpp"

namespace ndsim::wsd {

namespace {

int error_of_address(NTSTATUS status) {
    switch (status) {
        case STATUS_SUCCESS:
            return 0;
        case STATUS_INVALID_ADDRESS:
            return WSAEADDRNOTAVAIL;
        case STATUS_SHARING_VIOLATION:
        case STATUS_ADDRESS_ALREADY_EXISTS:
            return WSAEADDRINUSE;
        default:
            return WSAENOBUFS;
    }
}

// Codes that may keep the switch from trying TCP are returned only when certain (W91).
int error_of_connect(NTSTATUS status, const core::Connector& connector) {
    switch (status) {
        case STATUS_SUCCESS:
            return 0;
        case STATUS_CONNECTION_REFUSED:
            return connector.nobody_listened() ? WSAECONNRESET : WSAECONNREFUSED;
        case STATUS_CONNECTION_ABORTED:
            return connector.refused() ? WSAECONNREFUSED : WSAETIMEDOUT;
        case STATUS_HOST_UNREACHABLE:
            return WSAEHOSTUNREACH;
        case STATUS_SHARING_VIOLATION:
        case STATUS_ADDRESS_ALREADY_EXISTS:
            return WSAEADDRINUSE;
        default:
            return WSAETIMEDOUT;
    }
}

int error_of_accept(NTSTATUS status, const core::Connector& connector) {
    switch (status) {
        case STATUS_SUCCESS:
            return 0;
        case STATUS_IO_TIMEOUT:
            return WSAETIMEDOUT;
        case STATUS_CONNECTION_ABORTED:
            return connector.peer_ended() || connector.refused() ? WSAECONNRESET : WSAECONNABORTED;
        default:
            return WSAECONNABORTED;
    }
}

}  // namespace

Socket::Socket(Setting& setting, SOCKET handle)
    : setting_(setting),
      handle_(handle),
      pd_(setting.driver),
      events_(setting.process),
      options_(setting.options),
      registrations_(setting, pd_),
      transfers_(setting, handle, life_, registrations_) {}

Link& Socket::new_link(std::unique_ptr<core::Connector> asked) {
    Link::Events events{[this](const core::Completion& completion) { transfers_.completed(completion); },
                        [this] { return transfers_.needs_interrupts(); }, [this] { went_down(); }};
    links_.push_back(std::make_unique<Link>(setting_, pd_, std::move(events), std::move(asked)));
    transfers_.use(*links_.back());
    return *links_.back();
}

int Socket::bind(const core::Endpoint& local) {
    if (life_.stage() != Stage::created) {
        return WSAEINVAL;
    }
    auto endpoint = std::make_unique<core::SharedEndpoint>(setting_.driver);
    if (const int code = error_of_address(endpoint->open(local)); code != 0) {
        return code;
    }
    bound_ = std::move(endpoint);
    life_.reach(Stage::bound);
    return 0;
}

// The port passes from the bound address to the listener without a gap.
int Socket::listen(int backlog) {
    if (life_.stage() == Stage::listening) {
        backlog_->limit(backlog);
        return 0;
    }
    if (life_.stage() != Stage::bound) {
        return life_.stage() == Stage::connected ? WSAEISCONN : WSAEINVAL;
    }
    backlog_ = std::make_unique<Backlog>(setting_.driver, [this] { events_.occurred(FD_ACCEPT_BIT, 0); });
    backlog_->limit(backlog);
    const core::Endpoint local = bound_->local();
    core::close_and_forget(setting_.driver, std::move(bound_));
    const int code = error_of_address(backlog_->listen(local));
    life_.reach(code == 0 ? Stage::listening : Stage::created);
    return code;
}

int Socket::connect(const core::Endpoint& peer) {
    switch (life_.stage()) {
        case Stage::bound:
            break;
        case Stage::connecting:
            return WSAEALREADY;
        case Stage::connected:
            return WSAEISCONN;
        default:
            return WSAEINVAL;
    }
    if (peer.ip == setting_.driver.ip_address() || peer.ip == 0 || peer.port == 0) {
        return WSAEADDRNOTAVAIL;
    }
    life_.reach(Stage::connecting);
    peer_ = peer;
    new_link().connect(*bound_, peer, [this](NTSTATUS status) { connect_ended(status); });
    return WSAEWOULDBLOCK;
}

// A failed connect may be retried.
void Socket::connect_ended(NTSTATUS status) {
    if (life_.stage() != Stage::connecting) {
        return;
    }
    Link& link = *links_.back();
    const int code = error_of_connect(status, link.connector());
    if (code == 0) {
        life_.reach(Stage::connected);
    } else {
        life_.reach(Stage::bound);
        link.leave([] {});
    }
    events_.occurred(FD_CONNECT_BIT, code);
}

// The switch is asked in its own thread (W93). Meanwhile other threads may accept, and may close this socket.
int Socket::take_request(LPCONDITIONPROC condition, DWORD_PTR callback_data,
                         std::unique_ptr<core::Connector>& request) {
    if (life_.stage() != Stage::listening) {
        return WSAEINVAL;
    }
    if (backlog_->empty()) {
        os::look_in_vain(setting_.driver, this);
        return WSAEWOULDBLOCK;
    }
    request = backlog_->take();
    ++undecided_;
    int answer = CF_ACCEPT;
    if (condition != nullptr) {
        sockaddr_in caller = core::address_of(request->peer());
        sockaddr_in callee = core::address_of(request->local());
        WSABUF caller_id{sizeof caller, reinterpret_cast<CHAR*>(&caller)};
        WSABUF callee_id{sizeof callee, reinterpret_cast<CHAR*>(&callee)};
        GROUP group = 0;
        answer = condition(&caller_id, nullptr, nullptr, nullptr, &callee_id, nullptr, &group, callback_data);
    }
    if (life_.stage() != Stage::listening) {
        core::close_and_forget(setting_.driver, std::move(request));
        return WSAENOTSOCK;
    }
    if (answer == CF_DEFER) {
        put_back(std::move(request));
        return WSATRY_AGAIN;
    }
    if (answer == CF_ACCEPT) {
        return 0;
    }
    core::close_and_forget(setting_.driver, std::move(request));
    request_is_gone();
    return WSAECONNREFUSED;
}

void Socket::request_is_gone() {
    --undecided_;
    if (life_.stage() == Stage::listening) {
        events_.accepted(!backlog_->empty() || undecided_ > 0);
    }
}

void Socket::put_back(std::unique_ptr<core::Connector> request) {
    --undecided_;
    if (life_.stage() == Stage::listening) {
        backlog_->put_back(std::move(request));
    } else {
        core::close_and_forget(setting_.driver, std::move(request));
    }
}

int Socket::accept(std::unique_ptr<core::Connector> request) {
    life_.reach(Stage::connecting);
    peer_ = request->peer();
    Link& link = new_link(std::move(request));
    const NTSTATUS status = link.accept();
    if (life_.stage() == Stage::closed) {
        return WSAENOTSOCK;
    }
    const int code = error_of_accept(status, link.connector());
    if (code == 0 && life_.stage() == Stage::connecting) {
        life_.reach(Stage::connected);
    }
    return code;
}

// The connection has ended. A peer that has ended it waits for an answer, which also flushes this side; otherwise the
// connector has flushed.
void Socket::went_down() {
    if (life_.stage() != Stage::connected && life_.stage() != Stage::connecting) {
        return;
    }
    Link& link = *links_.back();
    life_.fail(link.connector().peer_ended() ? WSAECONNRESET : WSAECONNABORTED);
    life_.reach(Stage::disconnected);
    if (link.connector().peer_ended()) {
        link.disconnect();
    }
}

int Socket::suspend() {
    if (life_.stage() != Stage::connected) {
        return WSAENOTCONN;
    }
    life_.reach(Stage::suspended);
    links_.back()->qp().flush();
    links_.back()->arm();
    return 0;
}

// First the connection, then the memory, then the operations, and last the switch's handle (wsd.md 5.7).
void Socket::close() {
    const bool has_link = !links_.empty() && !links_.back()->is_leaving();  // that of a failed connect is
    life_.reach(Stage::closed);
    registrations_.refuse();
    if (backlog_ != nullptr) {
        backlog_->close();
    }
    if (bound_ != nullptr) {
        core::close_and_forget(setting_.driver, std::move(bound_));
    }
    if (has_link) {
        links_.back()->leave([this] { went_quiet(); });
    } else {
        went_quiet();
    }
}

std::optional<QpNum> Socket::qp() const {
    return links_.empty() ? std::nullopt : links_.back()->number();
}

void Socket::went_quiet() {
    transfers_.abort();
    registrations_.close();
    transfers_.when_all_told([this] { setting_.upcalls.close_handle(handle_); });
}

}  // namespace ndsim::wsd
