// SPDX-License-Identifier: Apache-2.0
#include "ndapi/wsd/sockets.hpp"

namespace ndsim::wsd {

bool Sockets::end() {
    if (started_ == 0) {
        return false;
    }
    if (--started_ == 0) {
        close_all();
    }
    return true;
}

void Sockets::close_all() {
    for (const auto& [descriptor, socket] : sockets_) {
        if (!socket->is_closed()) {
            socket->close();
        }
    }
}

Socket* Sockets::find(SOCKET s) {
    const auto found = sockets_.find(s);
    return found == sockets_.end() || found->second->is_closed() ? nullptr : found->second.get();
}

std::optional<QpNum> Sockets::qp_of(SOCKET s) const {
    const auto found = sockets_.find(s);
    return found == sockets_.end() ? std::nullopt : found->second->qp();
}

// Before WSPStartupEx there are no sockets to find (W17).
Socket* Sockets::enter(SOCKET s, LPINT lpErrno) {
    Socket* const socket = find(s);
    int code = started_ == 0 || !setting_.driver.enabled() ? WSAENETDOWN : 0;
    if (started_ > 0 && socket == nullptr) {
        code = WSAENOTSOCK;
    }
    if (code != 0) {
        refuse(code, lpErrno);
        return nullptr;
    }
    if (lpErrno == nullptr) {
        setting_.driver.consumer_error("a call without a place for its error code");
        return nullptr;
    }
    return socket;
}

int Sockets::may_call(LPINT lpErrno) {
    if (lpErrno == nullptr) {
        setting_.driver.consumer_error("a call without a place for its error code");
        return WSAEFAULT;
    }
    return started_ == 0 || !setting_.driver.enabled() ? WSAENETDOWN : 0;
}

Socket* Sockets::make(SOCKET& descriptor, int& code) {
    descriptor = next_descriptor_;
    next_descriptor_ += 4;
    const SOCKET handle = setting_.upcalls.create_handle(descriptor, code);
    if (handle == INVALID_SOCKET) {
        return nullptr;
    }
    code = 0;
    return sockets_.emplace(descriptor, std::make_unique<Socket>(setting_, handle)).first->second.get();
}

Socket* Sockets::accept(Socket& listener, std::unique_ptr<core::Connector> request, SOCKET& descriptor, int& code) {
    Socket* const accepted = make(descriptor, code);
    if (accepted == nullptr) {
        listener.put_back(std::move(request));
        return nullptr;
    }
    listener.request_is_gone();
    code = accepted->accept(std::move(request));
    if (code != 0 && !accepted->is_closed()) {
        accepted->close();
    }
    return code == 0 ? accepted : nullptr;
}

int Sockets::drop_cached(const MemoryRange& range) {
    int code = WSAEINVAL;
    for (const auto& [descriptor, socket] : sockets_) {
        switch (socket->registrations().drop_cached(range)) {
            case Registrations::Dropped::nothing:
                break;
            case Registrations::Dropped::all:
                code = code == WSAEINVAL ? 0 : code;
                break;
            case Registrations::Dropped::not_all:
                code = WSAEFAULT;
                break;
        }
    }
    return code;
}

}  // namespace ndsim::wsd
