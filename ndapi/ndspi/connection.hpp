// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>

#include "ndapi/core/connector.hpp"
#include "ndapi/ndspi/com.hpp"
#include "ndapi/ndspi/overlapped_calls.hpp"
#include "ndapi/ndspi/returned_data.hpp"

namespace ndsim::nd {

// Connection: the implementation of the connectors of both versions: one end of a connection, and the requests that
// wait for it. A failed connect may be retried; a connection that has ended cannot be used again.
class Connection : public std::enable_shared_from_this<Connection> {
public:
    Connection(Adapter& adapter, OverlappedCalls& requests);

    // The private data of a call.
    struct PrivateData {
        const void* data = nullptr;
        std::size_t length = 0;

        [[nodiscard]] std::span<const std::byte> bytes() const { return {static_cast<const std::byte*>(data), length}; }
    };

    // Takes a local address for later connects.
    [[nodiscard]] HRESULT bind(const sockaddr* address, std::size_t length);
    // Connects from the bound address, or else from this port or any (0).
    [[nodiscard]] HRESULT connect(core::Qp& qp, const sockaddr* address, std::size_t length, core::ReadLimits limits,
                                  const PrivateData& data, OVERLAPPED& overlapped, std::uint16_t local_port = 0);
    [[nodiscard]] HRESULT complete_connect(OVERLAPPED& overlapped);
    [[nodiscard]] HRESULT accept(core::Qp& qp, core::ReadLimits limits, const PrivateData& data,
                                 OVERLAPPED& overlapped);
    [[nodiscard]] HRESULT reject(const PrivateData& data);
    [[nodiscard]] HRESULT notify_disconnect(OVERLAPPED& overlapped);
    [[nodiscard]] HRESULT disconnect(OVERLAPPED& overlapped);
    // Requests have been cancelled. One under way with the peer is given up, and the peer is told.
    void cancelled();

    // A fresh connection takes over a listener's connector; false if it is in use already.
    [[nodiscard]] bool take_over(std::unique_ptr<core::Connector>& incoming);
    [[nodiscard]] bool is_fresh() const { return state_ == State::idle && !bound_; }

    // Valid between the peer's answer and this side's; nothing before.
    [[nodiscard]] std::optional<core::ReadLimits> read_limits() const;
    [[nodiscard]] std::optional<std::span<const std::byte>> private_data() const;
    [[nodiscard]] std::optional<core::Endpoint> local() const;
    [[nodiscard]] std::optional<core::Endpoint> peer() const;

    // Takes the connection down, whatever its state.
    void leave();

private:
    // The progress of a connection.
    enum class State : std::uint8_t {
        idle,
        connecting,  // the peer has been asked
        answered,    // the peer has accepted
        refused,     // the peer has refused
        requested,   // a peer asks
        joining,     // the last step is under way
        connected,
        ended,
        given_up  // cancelled: nothing more is known of it
    };

    [[nodiscard]] HRESULT code_of(NTSTATUS status) const;
    [[nodiscard]] HRESULT error_of(const PrivateData& data, std::size_t most) const;
    [[nodiscard]] HRESULT began(NTSTATUS status, OverlappedCalls::Id request, State next);
    [[nodiscard]] std::function<void()> on_disconnect();
    using Outcome = void (Connection::*)(OverlappedCalls::Id request, NTSTATUS status);
    [[nodiscard]] std::function<void(NTSTATUS)> if_there(OverlappedCalls::Id request, Outcome outcome);
    void connect_ended(OverlappedCalls::Id request, NTSTATUS status);
    void joined(OverlappedCalls::Id request, NTSTATUS status);
    void disconnected(OverlappedCalls::Id request, NTSTATUS status);
    void told_before(OverlappedCalls::Id request, NTSTATUS status);
    void went_down();
    void replace_core();

    Adapter& adapter_;
    OverlappedCalls& requests_;
    std::unique_ptr<core::Connector> core_;
    std::unique_ptr<core::SharedEndpoint> bound_;
    State state_ = State::idle;
    bool leaves_ = false;  // a Disconnect has begun
    bool down_ = false;
    std::optional<OverlappedCalls::Id> under_way_;
    std::vector<OverlappedCalls::Id> notifies_;
};

// Connecting: a connector of either version, with the calls that both have. Length is ULONG or SIZE_T.
template <class Object, class Length>
class Connecting : public Object {
public:
    [[nodiscard]] const std::shared_ptr<Connection>& connection() const { return connection_; }

    HRESULT CompleteConnect(OVERLAPPED* overlapped) final { return connection_->complete_connect(*overlapped); }
    HRESULT Reject(const VOID* data, Length length) final { return connection_->reject({data, length}); }
    HRESULT GetLocalAddress(sockaddr* address, Length* length) final {
        return put_address(connection_->local(), address, length);
    }
    HRESULT GetPeerAddress(sockaddr* address, Length* length) final {
        return put_address(connection_->peer(), address, length);
    }
    HRESULT NotifyDisconnect(OVERLAPPED* overlapped) final { return connection_->notify_disconnect(*overlapped); }
    HRESULT Disconnect(OVERLAPPED* overlapped) final { return connection_->disconnect(*overlapped); }

protected:
    template <class... Arguments>
    explicit Connecting(Arguments&&... arguments)
        : Object(std::forward<Arguments>(arguments)...),
          connection_(std::make_shared<Connection>(*this->adapter(), this->requests())) {}
    void end() {
        this->requests().cancel();
        connection_->leave();
        this->forget();
    }

private:
    void cancelled() final { connection_->cancelled(); }

    const std::shared_ptr<Connection> connection_;
};

}  // namespace ndsim::nd
