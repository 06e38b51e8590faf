// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <utility>

#include "ndapi/core/request_book.hpp"
#include "sim/kernel/alarm.hpp"

namespace ndsim {

// FirstRequest: calls back once, when the first request begins that a program posts to a send queue of the hosts that
// it observes; a provider of sockets posts some of its own before programs begin. Cores post ahead of the simulation,
// each as far as it can.
class FirstRequest final : public core::RequestObserver {
public:
    FirstRequest(Timeline& timeline, std::function<bool()> programs_run, std::function<void()> callback)
        : programs_run_(std::move(programs_run)), callback_(std::move(callback)), begins_(*this, timeline, 0) {}

    void posted(HostId /*host*/, const core::Posted& request) override {
        if (callback_ && request.kind != OperationKind::receive && programs_run_() &&
            (!begins_.due() || request.begun < *begins_.due())) {
            begins_.set(request.begun);
        }
    }
    void retired(HostId /*host*/, const core::Retired& /*request*/) override {}

private:
    void begin() { std::exchange(callback_, nullptr)(); }  // Alarm

    std::function<bool()> programs_run_;
    std::function<void()> callback_;
    Alarm<&FirstRequest::begin> begins_;
};

}  // namespace ndsim
