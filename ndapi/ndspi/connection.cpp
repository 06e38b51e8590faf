// SPDX-License-Identifier: Apache-2.0
#include "ndapi/ndspi/connection.hpp"

#include "ndapi/core/adapter_limits.hpp"
#include "ndapi/core/blocking.hpp"
#include "ndapi/core/closing.hpp"
#include "ndapi/core/socket_address.hpp"

namespace ndsim::nd {

Connection::Connection(Adapter& adapter, OverlappedCalls& requests)
    : adapter_(adapter), requests_(requests), core_(std::make_unique<core::Connector>(adapter.driver)) {
    core_->end_as_in_ndspi();
}

// The codes that differ between the two versions (ndspi.md 7); the rest have the same number.
HRESULT Connection::code_of(NTSTATUS status) const {
    if (adapter_.version == Version::v2) {
        return status;
    }
    switch (status) {
        case STATUS_IO_TIMEOUT:
            return ND_TIMEOUT;
        case STATUS_INVALID_BUFFER_SIZE:
            return ND_BUFFER_OVERFLOW;  // R127
        case STATUS_SHARING_VIOLATION:
            return ND_ADDRESS_ALREADY_EXISTS;  // as for Listen (R133)
        default:
            return status;
    }
}

HRESULT Connection::bind(const sockaddr* address, std::size_t length) {
    if (bound_ != nullptr || state_ != State::idle) {
        return STATUS_ADDRESS_ALREADY_ASSOCIATED;  // B26
    }
    const auto local = core::endpoint_of(address, length);
    if (!local) {
        return ND_INVALID_ADDRESS;
    }
    auto endpoint = std::make_unique<core::SharedEndpoint>(adapter_.driver);
    const NTSTATUS status = endpoint->open(*local);
    if (status == STATUS_SUCCESS) {
        bound_ = std::move(endpoint);
    }
    return status == STATUS_INVALID_ADDRESS ? STATUS_BAD_NETWORK_NAME : status;
}

// What is against the private data; a retry of data that are too long may be shorter (B21).
HRESULT Connection::error_of(const PrivateData& data, std::size_t most) const {
    if (data.length > most) {
        return code_of(STATUS_INVALID_BUFFER_SIZE);
    }
    return data.data == nullptr && data.length > 0 ? ND_ACCESS_VIOLATION : ND_SUCCESS;
}

// A pending call of the core becomes a request; a failed one has changed nothing.
HRESULT Connection::began(NTSTATUS status, OverlappedCalls::Id request, State next) {
    if (status != STATUS_PENDING) {
        requests_.forget(request, code_of(status));
        return code_of(status);
    }
    state_ = next;
    under_way_ = request;
    return ND_PENDING;
}

HRESULT Connection::connect(core::Qp& qp, const sockaddr* address, std::size_t length, core::ReadLimits limits,
                            const PrivateData& data, OVERLAPPED& overlapped, std::uint16_t local_port) {
    const auto peer = core::endpoint_of(address, length);
    if (!peer) {
        return ND_INVALID_ADDRESS;
    }
    if (const HRESULT error = error_of(data, core::limits_of(adapter_.driver).caller_data); error != ND_SUCCESS) {
        return error;
    }
    if (peer->ip == 0) {
        return STATUS_BAD_NETWORK_NAME;  // B26
    }
    core::catch_up(adapter_.driver);
    if (state_ != State::idle && state_ != State::refused) {
        return ND_CONNECTION_ACTIVE;  // R136
    }
    const OverlappedCalls::Id request = requests_.begin(overlapped);
    const auto done = if_there(request, &Connection::connect_ended);
    return began(bound_ != nullptr ? core_->connect(qp, *bound_, *peer, limits, data.bytes(), done)
                                   : core_->connect(qp, {0, local_port}, *peer, limits, data.bytes(), done),
                 request, State::connecting);
}

// The core may report after the release of the connector.
std::function<void(NTSTATUS)> Connection::if_there(OverlappedCalls::Id request, Outcome outcome) {
    return [weak = weak_from_this(), request, outcome](NTSTATUS status) {
        if (const auto connection = weak.lock()) {
            ((*connection).*outcome)(request, status);
        }
    };
}

void Connection::connect_ended(OverlappedCalls::Id request, NTSTATUS status) {
    if (under_way_ != request) {
        return;  // it has been given up
    }
    under_way_.reset();
    state_ = status == STATUS_SUCCESS ? State::answered : core_->refused() ? State::refused : State::idle;
    requests_.finish(request, code_of(status));
}

// Once there is a connection, its end is reported.
std::function<void()> Connection::on_disconnect() {
    return [this] { went_down(); };
}

HRESULT Connection::complete_connect(OVERLAPPED& overlapped) {
    core::catch_up(adapter_.driver);
    if (state_ != State::answered) {
        return ND_CONNECTION_INVALID;
    }
    const OverlappedCalls::Id request = requests_.begin(overlapped);
    return began(core_->complete_connect(on_disconnect(), if_there(request, &Connection::joined)), request,
                 State::joining);
}

HRESULT Connection::accept(core::Qp& qp, core::ReadLimits limits, const PrivateData& data, OVERLAPPED& overlapped) {
    if (const HRESULT error = error_of(data, core::limits_of(adapter_.driver).callee_data); error != ND_SUCCESS) {
        return error;
    }
    core::catch_up(adapter_.driver);
    if (state_ == State::idle) {
        return ND_CONNECTION_INVALID;
    }
    const OverlappedCalls::Id request = requests_.begin(overlapped);
    return began(core_->accept(qp, limits, data.bytes(), on_disconnect(), if_there(request, &Connection::joined)),
                 request, State::joining);
}

// The last step of either side has ended. A peer's refusal of an accept is an abort in the documents, and a refusal for
// InfiniBand's providers (R126).
void Connection::joined(OverlappedCalls::Id request, NTSTATUS status) {
    if (under_way_ != request) {
        return;
    }
    under_way_.reset();
    state_ = status == STATUS_SUCCESS ? State::connected : State::ended;
    const bool refused = status == STATUS_CONNECTION_ABORTED && core_->refused() &&
                         adapter_.driver.profile() == StatusProfile::infiniband;
    requests_.finish(request, refused ? ND_CONNECTION_REFUSED : code_of(status));
}

HRESULT Connection::reject(const PrivateData& data) {
    if (const HRESULT error = error_of(data, core::limits_of(adapter_.driver).callee_data); error != ND_SUCCESS) {
        return error;
    }
    core::catch_up(adapter_.driver);
    const NTSTATUS status = core_->reject(data.bytes());
    if (status == STATUS_SUCCESS) {
        state_ = State::ended;
    }
    return code_of(status);
}

HRESULT Connection::notify_disconnect(OVERLAPPED& overlapped) {
    core::catch_up(adapter_.driver);
    if (state_ != State::connected && !leaves_ && !down_) {
        return ND_CONNECTION_INVALID;  // R100
    }
    const OverlappedCalls::Id request = requests_.begin(overlapped);
    notifies_.push_back(request);
    if (down_) {
        adapter_.driver.callbacks().defer(adapter_.driver.core().clock(),
                                          [tell = if_there(request, &Connection::told_before)] { tell(ND_SUCCESS); });
    }
    return ND_PENDING;
}

// The connection was down before the request.
void Connection::told_before(OverlappedCalls::Id request, NTSTATUS status) {
    std::erase(notifies_, request);
    requests_.finish(request, status);
}

void Connection::went_down() {
    down_ = true;
    for (const OverlappedCalls::Id request : std::exchange(notifies_, {})) {
        requests_.finish(request, ND_SUCCESS);  // R97
    }
}

HRESULT Connection::disconnect(OVERLAPPED& overlapped) {
    core::catch_up(adapter_.driver);
    const OverlappedCalls::Id request = requests_.begin(overlapped);
    const HRESULT code = began(core_->disconnect(if_there(request, &Connection::disconnected)), request, State::ended);
    leaves_ = leaves_ || code == ND_PENDING;
    return code;
}

void Connection::disconnected(OverlappedCalls::Id request, NTSTATUS status) {
    requests_.finish(request, code_of(status));
    went_down();
}

// Makes a fresh core: the old one tells the peer that it has given up, and goes.
void Connection::replace_core() {
    core::close_and_forget(adapter_.driver, std::exchange(core_, std::make_unique<core::Connector>(adapter_.driver)));
    core_->end_as_in_ndspi();
}

void Connection::cancelled() {
    notifies_.clear();
    if (std::exchange(under_way_, std::nullopt) && (state_ == State::connecting || state_ == State::joining)) {
        replace_core();
        state_ = State::given_up;
    }
}

bool Connection::take_over(std::unique_ptr<core::Connector>& incoming) {
    if (!is_fresh()) {
        return false;
    }
    core::close_and_forget(adapter_.driver, std::exchange(core_, std::move(incoming)));
    core_->end_as_in_ndspi();
    state_ = State::requested;
    return true;
}

std::optional<core::ReadLimits> Connection::read_limits() const {
    return state_ == State::answered || state_ == State::requested || state_ == State::joining ||
                   state_ == State::connected
               ? std::optional(core_->limits())
               : std::nullopt;
}

// Includes the data that the peer sent with a refusal.
std::optional<std::span<const std::byte>> Connection::private_data() const {
    if (state_ == State::idle || state_ == State::connecting || state_ == State::given_up) {
        return std::nullopt;
    }
    return core_->peer_data().first(std::min<std::size_t>(core_->peer_data_sent(), core_->peer_data().size()));
}

std::optional<core::Endpoint> Connection::local() const {
    return state_ == State::idle || state_ == State::refused || state_ == State::given_up
               ? std::nullopt
               : std::optional(core_->local());
}

std::optional<core::Endpoint> Connection::peer() const {
    return state_ == State::connected || state_ == State::joining || state_ == State::answered ||
                   state_ == State::requested
               ? std::optional(core_->peer())
               : std::nullopt;
}

void Connection::leave() {
    under_way_.reset();
    core::close_and_forget(adapter_.driver, std::move(core_));
    if (bound_ != nullptr) {
        core::close_and_forget(adapter_.driver, std::move(bound_));
    }
}

}  // namespace ndsim::nd
