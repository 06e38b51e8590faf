// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <functional>
#include <memory>

#include "ndapi/core/listener.hpp"

namespace ndsim::wsd {

// Backlog: a listening socket's connect requests not yet accepted. One beyond the limit is refused at once.
class Backlog {
public:
    // `came` is called when a request arrives.
    Backlog(core::Driver& driver, std::function<void()> came);

    [[nodiscard]] NTSTATUS listen(const core::Endpoint& local) { return listener_->listen(local); }
    // At most `most` may wait; the latest ones beyond are refused.
    void limit(int most);
    [[nodiscard]] bool empty() const { return offered_.empty(); }
    // Takes the first request out, for a decision about it.
    [[nodiscard]] std::unique_ptr<core::Connector> take();
    // A request is the first one again; the latest beyond the limit is refused.
    void put_back(std::unique_ptr<core::Connector> request);
    // Refuses the remaining requests.
    void close();

private:
    void incoming(std::unique_ptr<core::Connector> connector);
    void refuse_beyond(std::size_t most);

    core::Driver& driver_;
    const std::function<void()> came_;
    std::unique_ptr<core::Listener> listener_;
    std::size_t most_ = 1;
    std::deque<std::unique_ptr<core::Connector>> offered_;
};

}  // namespace ndsim::wsd
