// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <memory>
#include <optional>

#include "ndapi/core/listener.hpp"
#include "ndapi/ndspi/com.hpp"
#include "ndapi/ndspi/connection.hpp"
#include "ndapi/ndspi/overlapped_calls.hpp"

namespace ndsim::nd {

// Listening: the implementation of the listeners of both versions: connect requests not yet taken, up to the backlog,
// and calls that wait for one.
class Listening {
public:
    Listening(Adapter& adapter, OverlappedCalls& requests);

    // STATUS_SHARING_VIOLATION, STATUS_INVALID_ADDRESS, STATUS_TOO_MANY_ADDRESSES. A backlog of 0 has no bound.
    [[nodiscard]] NTSTATUS listen(const core::Endpoint& local, std::size_t backlog);
    [[nodiscard]] std::optional<core::Endpoint> local() const;
    // The next request goes to the fresh connection `into`. Requests are taken in the order of these calls
    // (R134).
    [[nodiscard]] HRESULT next_request(const std::shared_ptr<Connection>& into, OVERLAPPED& overlapped);
    // The waiting requests have been cancelled.
    void cancelled() { waits_.clear(); }
    void leave(const std::function<void(core::Object&)>& close);

private:
    // A call that waits for a connect request.
    struct Wait {
        OverlappedCalls::Id request{};
        std::weak_ptr<Connection> connection;  // may go before a request comes
    };

    void incoming(std::unique_ptr<core::Connector> connector);
    [[nodiscard]] bool is_full() const;
    void serve();

    Adapter& adapter_;
    OverlappedCalls& requests_;
    core::Listener core_;
    bool listening_ = false;
    std::size_t backlog_ = 0;
    std::deque<std::unique_ptr<core::Connector>> offered_;
    std::deque<Wait> waits_;
};

}  // namespace ndsim::nd
