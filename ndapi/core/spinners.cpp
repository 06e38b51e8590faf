// SPDX-License-Identifier: Apache-2.0
#include "ndapi/core/spinners.hpp"

#include <algorithm>
#include <string>

namespace ndsim::core {

namespace {

constexpr Picoseconds kLongest = std::chrono::microseconds{100};
constexpr int kShare = 8;
constexpr std::uint64_t kTour = 8;  // polls after which a place counts as no longer polled

}  // namespace

Spinners::Row& Spinners::row_of(Core& core) {
    const auto found = std::ranges::find(rows_, &core, &Row::core);
    return found != rows_.end() ? *found : rows_.emplace_back(Row{&core, {}, Picoseconds{-1}, 0, {}});
}

void Spinners::note(Row& row, const void* place, Picoseconds at) {
    ++row.count;
    std::erase_if(row.looks, [&](const Look& look) {
        return (place != nullptr && look.place == place) || look.number + kTour <= row.count;
    });
    row.looks.push_back({place, at, row.count});
}

// Whole rounds, so that the thread looks at one of its own times.
Picoseconds Spinners::longest(const Row& row) const {
    const Picoseconds share = std::min((row.core->clock() - row.begun) / kShare, kLongest);
    return share - share % round_;
}

std::optional<Picoseconds> Spinners::next_change(Picoseconds after) const {
    for (std::size_t i = 0; i < changes_.size(); ++i) {
        if (changes_[i] > after) {
            return changes_[i];
        }
    }
    return std::nullopt;
}

void Spinners::look_again(Core& core, const void* place) {
    const auto index = static_cast<std::size_t>(&row_of(core) - rows_.data());
    const Picoseconds looked = core.clock() - round_;
    if (rows_[index].ended != looked) {
        rows_[index].begun = looked;
        rows_[index].looks.clear();
    }
    note(rows_[index], place, looked);
    if (const Picoseconds span = longest(rows_[index]); span > Picoseconds{}) {
        core.sync();
        spin(index, core.clock() + span);
    }
    rows_[index].ended = core.clock();
}

void Spinners::look_until_changed(Core& core, std::string_view what) {
    const auto index = static_cast<std::size_t>(&row_of(core) - rows_.data());
    if (rows_[index].ended != core.clock()) {
        return;  // its last call was no poll in vain
    }
    core.waits_for(std::string(what));
    core.sync();
    spin(index, std::nullopt);
    core.waits_for({});
    rows_[index].ended = core.clock();
}

void Spinners::spin(std::size_t row, std::optional<Picoseconds> until) {
    Core& core = *rows_[row].core;
    const Picoseconds begun = core.clock();
    const Picoseconds seen_by_all = rows_[row].looks.front().at;
    if (const auto change = next_change(seen_by_all); change && (!until || *change < *until)) {
        until = change;
    }
    if (until && *until <= begun) {
        return;
    }
    waiting_.push_back(&core);
    core.spin(until);
    std::erase(waiting_, &core);
    const auto rounds = (core.clock() - begun + round_ - Picoseconds{1}) / round_;
    core.spend(CoreActivity::poll, begun + rounds * round_ - core.clock());
    core.polled_in_vain(static_cast<std::uint64_t>(rounds));
}

void Spinners::changed(Picoseconds now, Picoseconds at) {
    forget_past(now);
    changes_.push(at);
    for (Core* const core : waiting_) {
        core->wake(at + core->jitter().poll());
    }
}

// A thread that was woken polls in turn what it polls.
void Spinners::forget_past(Picoseconds now) {
    while (!changes_.empty() && changes_.front() <= now - 2 * kTour * round_) {
        changes_.pop();
    }
}

}  // namespace ndsim::core
