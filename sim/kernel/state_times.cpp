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

StateTimes::StateTimes(Unit& owner, std::size_t states) : owner_(owner), told_{{kAlways, 0}}, spent_(states) {
    owner.state_times_.push_back(this);
    last_ = told_.data();
    grow(kTold);
}

void StateTimes::grow(std::size_t size) {
    const auto last = last_ - told_.data();
    told_.resize(size);
    last_ = told_.data() + last;
    end_ = &told_.back();
}

void StateTimes::make_room() {
    count_up_to(owner_.now());
    if (last_ == end_) {
        grow(2 * told_.size());
    }
}

void StateTimes::count_up_to(Picoseconds at) {
    Picoseconds* const spent = spent_.data();
    Change* present = told_.data();
    for (; present != last_ && present[1].at <= at; ++present) {
        const Picoseconds end = std::max(present[1].at, counted_);  // of those told for the past, now
        spent[present->state] += end - counted_;
        counted_ = end;
    }
    last_ = std::move(present, last_ + 1, told_.data()) - 1;
    told_.front().at = kAlways;
}

void StateTimes::settle(Picoseconds at) {
    count_up_to(at);
    if (at > counted_) {
        spent_[told_.front().state] += at - counted_;
        counted_ = at;
    }
}

void StateTimes::restart(Picoseconds at) {
    settle(at);
    std::ranges::fill(spent_, Picoseconds{});
}

}  // namespace ndsim
