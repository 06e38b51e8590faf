// SPDX-License-Identifier: Apache-2.0
#include "ndapi/ndspi/listening.hpp"

#include "ndapi/core/blocking.hpp"
#include "ndapi/core/closing.hpp"

namespace ndsim::nd {

Listening::Listening(Adapter& adapter, OverlappedCalls& requests)
    : adapter_(adapter),
      requests_(requests),
      core_(adapter.driver, [this](std::unique_ptr<core::Connector> connector) { incoming(std::move(connector)); }) {}

NTSTATUS Listening::listen(const core::Endpoint& local, std::size_t backlog) {
    core::catch_up(adapter_.driver);
    const NTSTATUS status = core_.listen(local);
    listening_ = listening_ || status == STATUS_SUCCESS;
    backlog_ = backlog;
    return status;
}

std::optional<core::Endpoint> Listening::local() const {
    return listening_ ? std::optional(core_.local()) : std::nullopt;
}

bool Listening::is_full() const {
    return waits_.empty() && backlog_ != 0 && offered_.size() >= backlog_;
}

// A request beyond the backlog is refused at once (R124), unless another one makes room.
void Listening::incoming(std::unique_ptr<core::Connector> connector) {
    if (is_full()) {
        core::drop_given_up(adapter_.driver, offered_);
    }
    if (is_full()) {
        core::close_and_forget(adapter_.driver, std::move(connector));
        return;
    }
    offered_.push_back(std::move(connector));
    serve();
}

void Listening::serve() {
    while (!offered_.empty() && !waits_.empty()) {
        const Wait wait = waits_.front();
        waits_.pop_front();
        const std::shared_ptr<Connection> connection = wait.connection.lock();
        if (connection == nullptr) {
            requests_.finish(wait.request, ND_CANCELED);
        } else if (connection->take_over(offered_.front())) {
            offered_.pop_front();
            requests_.finish(wait.request, ND_SUCCESS);
        } else {
            requests_.finish(wait.request, ND_CONNECTION_ACTIVE);
        }
    }
}

HRESULT Listening::next_request(const std::shared_ptr<Connection>& into, OVERLAPPED& overlapped) {
    core::catch_up(adapter_.driver);
    if (!listening_) {
        return ND_INVALID_DEVICE_STATE;
    }
    if (!into->is_fresh()) {
        return ND_CONNECTION_ACTIVE;
    }
    waits_.push_back({requests_.begin(overlapped), into});
    if (!offered_.empty()) {
        adapter_.driver.callbacks().defer(adapter_.driver.core().clock(), [this] { serve(); });
    }
    return ND_PENDING;
}

// Peers that still ask are refused.
void Listening::leave(const std::function<void(core::Object&)>& close) {
    waits_.clear();
    while (!offered_.empty()) {
        core::close_and_forget(adapter_.driver, std::move(offered_.front()));
        offered_.pop_front();
    }
    close(core_);
}

}  // namespace ndsim::nd
