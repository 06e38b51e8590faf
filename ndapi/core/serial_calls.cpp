// SPDX-License-Identifier: Apache-2.0
#include "ndapi/core/serial_calls.hpp"

#include <fmt/format.h>

#include <string>

#include "sim/config/quantity.hpp"

namespace ndsim::core {

SerialCalls::Scope SerialCalls::enter() {
    if (!reports_) {
        return {nullptr, 0};
    }
    forget_past();
    const Core& core = driver_.core();
    several_cores_ = several_cores_ || (!calls_.empty() && calls_.back().core != &core);
    calls_.push({&core, core.clock(), std::nullopt});
    ++inside_;
    return {this, first_ + calls_.size() - 1};
}

// No core's clock is behind the simulation, so calls that have ended by now no longer overlap with others.
void SerialCalls::forget_past() {
    const Picoseconds now = driver_.now();
    while (inside_ == 0 && !calls_.empty() && *calls_.front().until <= now) {
        calls_.pop();
        ++first_;
    }
    several_cores_ = several_cores_ && !calls_.empty();
}

// The call of two that ends last in execution detects the other.
void SerialCalls::leave(std::uint64_t number) {
    --inside_;
    Call& call = calls_[number - first_];
    call.until = call.core->clock();
    if (!several_cores_) {
        return;
    }
    for (std::size_t i = 0; i < calls_.size(); ++i) {
        const Call& other = calls_[i];
        if (other.core != call.core && other.until && other.from < *call.until && call.from < *other.until) {
            const std::string what = fmt::format(fmt::runtime(what_), queue_);
            driver_.consumer_error(fmt::format("{} overlap: {} at {} to {}, {} at {} to {}", what, other.core->name(),
                                               to_text(other.from), to_text(*other.until), call.core->name(),
                                               to_text(call.from), to_text(*call.until)));
        }
    }
}

}  // namespace ndsim::core
