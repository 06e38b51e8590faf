// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <functional>
#include <memory>

#include "ndapi/core/connector.hpp"

namespace ndsim::core {

// Listener: takes connect requests for one address and makes a connector of each.
class Listener final : public Object, public CmListener {
public:
    // Gets each new connector and owns it.
    using Incoming = std::function<void(std::unique_ptr<Connector>)>;

    Listener(Driver& driver, Incoming incoming) : driver_(driver), incoming_(std::move(incoming)) {}

    // STATUS_SHARING_VIOLATION, STATUS_INVALID_ADDRESS, STATUS_TOO_MANY_ADDRESSES; once only.
    NTSTATUS listen(Endpoint local);
    void pause(bool paused) { paused_ = paused; }
    [[nodiscard]] bool takes(std::uint16_t port) const override {
        return listening_ && !paused_ && !closing() && local_.port == port;
    }
    [[nodiscard]] Endpoint local() const { return local_; }
    void incoming(const CmMessage& request) override;

private:
    void end_close() override;

    Driver& driver_;
    Incoming incoming_;
    bool listening_ = false;
    bool paused_ = false;
    Endpoint local_;
};

// Lets go of requests, not yet accepted, whose peers have given up, to make room. Otherwise they wait as all do, and
// who accepts them hears of it.
void drop_given_up(Driver& driver, std::deque<std::unique_ptr<Connector>>& offered);

}  // namespace ndsim::core
