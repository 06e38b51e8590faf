// SPDX-License-Identifier: Apache-2.0
#include "sim/kernel/state_times.hpp"

#include <algorithm>

#include "sim/kernel/unit.hpp"

namespace ndsim {

namespace {

constexpr std::size_t kTold = 32;  // most units announce only a few changes ahead

}  // namespace

StateTimes::StateTimes(Unit& owner, std::span<const std::string_view> names,
                       std::span<const std::string_view> sentences)
    : StateTimes(owner, names.size()) {
    names_ = names;
    sentences_ = sentences;
}

StateTimes::StateTimes(Unit& owner, std::size_t states) : owner_(owner), told_(kTold), spent_(states) {
    owner.state_times_.push_back(this);
}

void StateTimes::make_room() {
    count_up_to(owner_.now());
    if (last_ + 1 == told_.size()) {
        told_.resize(2 * told_.size());
    }
}

void StateTimes::count_up_to(Picoseconds at) {
    Change* const first = told_.data();
    Change* const last = first + last_;
    Picoseconds* const spent = spent_.data();
    Change* present = first;
    for (; present != last && present[1].at <= at; ++present) {
        present[1].at = std::max(present[1].at, present->at);  // changes announced for the past count from now on
        spent[present->state] += present[1].at - present->at;
    }
    std::move(present, last + 1, first);
    last_ -= static_cast<std::size_t>(present - first);
}

void StateTimes::settle(Picoseconds at) {
    count_up_to(at);
    if (at > told_[0].at) {
        spent_[told_[0].state] += at - told_[0].at;
        told_[0].at = at;
    }
}

void StateTimes::restart(Picoseconds at) {
    settle(at);
    std::ranges::fill(spent_, Picoseconds{});
}

}  // namespace ndsim
