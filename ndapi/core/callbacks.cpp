// SPDX-License-Identifier: Apache-2.0
#include "ndapi/core/callbacks.hpp"

#include "models/parts/ranks.hpp"

namespace ndsim::core {

Callbacks::Callbacks(Timeline& timeline, RunningCore& running, Core& core)
    : timeline_(timeline), running_(running), core_(core), deadlines_(timeline, kRankControl) {
    core_.run_thread([this] { run(); });
}

void Callbacks::defer(Picoseconds at, std::function<void()> call) {
    calls_.push(std::move(call));
    core_.wake(at);
}

void Callbacks::run() {
    for (;;) {
        while (!calls_.empty()) {
            call_ = calls_.pop();
            call_();
            call_ = nullptr;
            core_.sync();
        }
        core_.sleep();
    }
}

}  // namespace ndsim::core
