// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <utility>

#include "ndapi/core/request_book.hpp"

namespace ndsim {

// FirstRequest: calls back once, when the first request is posted to a send queue of the hosts that it observes.
class FirstRequest final : public core::RequestObserver {
public:
    explicit FirstRequest(std::function<void()> callback) : callback_(std::move(callback)) {}

    void posted(HostId /*host*/, const core::Posted& request) override {
        if (callback_ && request.kind != OperationKind::receive) {
            std::exchange(callback_, nullptr)();
        }
    }
    void retired(HostId /*host*/, const core::Retired& /*request*/) override {}

private:
    std::function<void()> callback_;
};

}  // namespace ndsim
