// SPDX-License-Identifier: Apache-2.0
#include "ndapi/wsd/backlog.hpp"

#include <algorithm>

#include "ndapi/core/closing.hpp"

namespace ndsim::wsd {

Backlog::Backlog(core::Driver& driver, std::function<void()> came)
    : driver_(driver),
      came_(std::move(came)),
      listener_(std::make_unique<core::Listener>(
          driver, [this](std::unique_ptr<core::Connector> connector) { incoming(std::move(connector)); })) {}

void Backlog::limit(int most) {
    most_ = static_cast<std::size_t>(std::max(most, 1));
    refuse_beyond(most_);
}

void Backlog::incoming(std::unique_ptr<core::Connector> connector) {
    if (offered_.size() >= most_) {
        core::drop_given_up(driver_, offered_);  // which makes room for this one
    }
    offered_.push_back(std::move(connector));
    if (offered_.size() > most_) {
        refuse_beyond(most_);
    } else {
        came_();
    }
}

// A connector closed before it is accepted refuses. Those whose peers have given up make room first.
void Backlog::refuse_beyond(std::size_t most) {
    if (offered_.size() > most) {
        core::drop_given_up(driver_, offered_);
    }
    while (offered_.size() > most) {
        core::close_and_forget(driver_, std::move(offered_.back()));
        offered_.pop_back();
    }
}

std::unique_ptr<core::Connector> Backlog::take() {
    std::unique_ptr<core::Connector> first = std::move(offered_.front());
    offered_.pop_front();
    return first;
}

void Backlog::put_back(std::unique_ptr<core::Connector> request) {
    offered_.push_front(std::move(request));
    refuse_beyond(most_);
}

void Backlog::close() {
    refuse_beyond(0);
    core::close_and_forget(driver_, std::move(listener_));
}

}  // namespace ndsim::wsd
