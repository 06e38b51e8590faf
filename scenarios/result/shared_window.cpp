// SPDX-License-Identifier: Apache-2.0
#include "scenarios/result/shared_window.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "scenarios/measure/batch_means.hpp"
#include "scenarios/measure/rate_window.hpp"

namespace ndsim {

namespace {

// With more notes than this, every other one is dropped.
constexpr std::size_t kMostNotes = 256;
// A batch ends at a note, so its length may be wrong by the time between two notes: a third, in the worst case.
constexpr std::size_t kFewestNotes = 3 * kBatches;

}  // namespace

void SharedWindow::begin(Picoseconds at, std::vector<std::uint64_t> bytes, Picoseconds grain) {
    notes_.push_back({at, std::move(bytes)});
    grain_ = grain;
    next_note_ = at + grain;
}

void SharedWindow::note(Picoseconds at, std::vector<std::uint64_t> bytes) {
    notes_.push_back({at, std::move(bytes)});
    if (notes_.size() > kMostNotes) {
        for (std::size_t i = 0; 2 * i < notes_.size(); ++i) {
            std::swap(notes_[i], notes_[2 * i]);
        }
        notes_.resize((notes_.size() + 1) / 2);
        grain_ *= 2;
    }
    next_note_ = notes_.back().at + grain_;
}

void SharedWindow::end(Picoseconds at, std::vector<std::uint64_t> bytes) {
    notes_.push_back({at, std::move(bytes)});
    ended_ = true;
}

std::optional<std::uint64_t> SharedWindow::bytes_per_second(std::size_t generator) const {
    if (!ended_) {
        return std::nullopt;
    }
    const Note& first = notes_.front();
    const Note& last = notes_.back();
    return per_second(last.bytes[generator] - first.bytes[generator], last.at - first.at);
}

std::optional<std::uint64_t> SharedWindow::half_interval_ppm(std::span<const std::size_t> generators) const {
    if (!ended_ || notes_.size() < kFewestNotes) {
        return std::nullopt;
    }
    const auto bytes_at = [&](const Note& note) {
        std::uint64_t sum = 0;
        for (const std::size_t generator : generators) {
            sum += note.bytes[generator];
        }
        return sum;
    };
    const Picoseconds begun = notes_.front().at;
    const Picoseconds span = notes_.back().at - begun;
    constexpr auto kCount = static_cast<std::int64_t>(kBatches);
    std::vector<double> rates;
    auto from = notes_.begin();
    for (std::int64_t batch = 1; batch <= kCount; ++batch) {
        const auto to = batch == kCount ? std::prev(notes_.end())
                                        : std::ranges::lower_bound(from, notes_.end(), begun + span * batch / kCount,
                                                                   {}, &Note::at);
        if (to->at <= from->at) {
            return std::nullopt;
        }
        rates.push_back(static_cast<double>(bytes_at(*to) - bytes_at(*from)) /
                        static_cast<double>((to->at - from->at).count()));
        from = to;
    }
    return ndsim::half_interval_ppm(rates);
}

}  // namespace ndsim
