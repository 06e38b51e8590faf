// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>

#include "ndapi/windows/os/waits.hpp"
#include "ndapi/wsd/answers.hpp"
#include "ndapi/wsd/socket.hpp"

namespace ndsim::wsd {

// Sockets: a provider's sockets by their descriptors, between the first WSPStartupEx and the last WSPCleanup. They make
// the checks with which every call begins.
class Sockets {
public:
    explicit Sockets(Setting& setting) : setting_(setting) {}

    void start() { ++started_; }
    // The last end closes all sockets. False if there was no start.
    [[nodiscard]] bool end();
    void close_all();

    // Makes the checks of a call with a socket, and reports the code that `call` gives for the socket.
    template <class Call>
    int with(SOCKET s, LPINT lpErrno, Call call) {
        Socket* const socket = enter(s, lpErrno);
        if (socket == nullptr) {
            return SOCKET_ERROR;
        }
        const int code = call(*socket);
        if (code == WSAENOTCONN || code == WSAEALREADY) {
            os::look_in_vain(setting_.driver, socket);  // a thread may call until the connect has ended
        }
        return answer(code, lpErrno);
    }
    // A code: the checks of a call without a socket.
    [[nodiscard]] int may_call(LPINT lpErrno);
    // The socket and its descriptor, or nullptr and the code.
    [[nodiscard]] Socket* make(SOCKET& descriptor, int& code);
    // The same for a request of a listener, which the new socket takes over; blocks until the peer has joined.
    [[nodiscard]] Socket* accept(Socket& listener, std::unique_ptr<core::Connector> request, SOCKET& descriptor,
                                 int& code);
    // The socket of a descriptor, if it is open.
    [[nodiscard]] Socket* find(SOCKET s);
    // The queue pair of a socket, which may be closed.
    [[nodiscard]] std::optional<QpNum> qp_of(SOCKET s) const;
    // A code: the mappings of this memory will change, whatever socket it is registered on.
    [[nodiscard]] int drop_cached(const MemoryRange& range);

private:
    [[nodiscard]] Socket* enter(SOCKET s, LPINT lpErrno);

    Setting& setting_;
    std::map<SOCKET, std::unique_ptr<Socket>> sockets_;  // closed ones stay: callbacks may refer to them
    SOCKET next_descriptor_ = 0x100;
    int started_ = 0;
};

}  // namespace ndsim::wsd
