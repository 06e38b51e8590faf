// SPDX-License-Identifier: Apache-2.0
#include "sim/kernel/state_times.hpp"

#include <algorithm>

#include "sim/kernel/unit.hpp"

namespace ndsim {

StateTimes::StateTimes(Unit& owner, std::span<const std::string_view> names,
                       std::span<const std::string_view> sentences)
    : StateTimes(owner, names.size()) {
    names_ = names;
    sentences_ = sentences;
}

StateTimes::StateTimes(Unit& owner, std::size_t states) : owner_(owner), spent_(states) {
    told_.reserve(kTold);
    owner.state_times_.push_back(this);
}

void StateTimes::count() {
    count_up_to(owner_.now());
}

void StateTimes::count_up_to(Picoseconds at) {
    std::size_t counted = 0;
    for (; counted < told_.size() && told_[counted].at <= at; ++counted) {
        advance(told_[counted].at);
        state_ = told_[counted].state;
    }
    told_.erase(told_.begin(), told_.begin() + static_cast<std::ptrdiff_t>(counted));
}

void StateTimes::settle(Picoseconds at) {
    count_up_to(at);
    advance(at);
}

void StateTimes::restart(Picoseconds at) {
    settle(at);
    std::ranges::fill(spent_, Picoseconds{});
}

}  // namespace ndsim
