// SPDX-License-Identifier: Apache-2.0
#include "ndapi/core/callbacks.hpp"

#include <optional>

#include "models/parts/ranks.hpp"

namespace ndsim::core {

Callbacks::Callbacks(Timeline& timeline, RunningCore& running, Core& core)
    : timeline_(timeline), running_(running), core_(core), deadlines_(timeline, kRankControl) {
    core_.run_thread([this] { run(); });
}

void Callbacks::defer(Picoseconds at, std::function<void()> call) {
    calls_.emplace(at, std::move(call));
    core_.wake(at);
}

void Callbacks::interrupt(std::function<void()> call) {
    const Picoseconds now = timeline_.now();
    if (const Picoseconds thawed = core_.thawed(now); thawed > now) {
        defer(thawed, std::move(call));
    } else {
        call();
    }
}

void Callbacks::run() {
    for (;;) {
        while (!calls_.empty() && calls_.begin()->first <= core_.clock()) {
            call_ = std::move(calls_.extract(calls_.begin()).mapped());
            call_();
            call_ = nullptr;
            core_.sync();
        }
        core_.sleep(calls_.empty() ? std::nullopt : std::optional(calls_.begin()->first));
    }
}

}  // namespace ndsim::core
