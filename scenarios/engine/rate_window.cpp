// SPDX-License-Identifier: Apache-2.0
#include "scenarios/engine/rate_window.hpp"

#include <algorithm>
#include <cstdlib>

#include "scenarios/engine/batch_means.hpp"
#include "sim/kernel/occupancy.hpp"

namespace ndsim {

namespace {

constexpr std::int64_t kSecond = 1'000'000'000'000;

}  // namespace

std::optional<std::uint64_t> per_second(std::uint64_t amount, Picoseconds span) {
    if (span <= Picoseconds{}) {
        return std::nullopt;
    }
    return static_cast<std::uint64_t>((static_cast<WideTime>(amount) * kSecond + span.count() / 2) / span.count());
}

void RateWindow::record(Picoseconds at, std::uint64_t amount) {
    ++events_;
    if (events_ <= warmup_ || measured_ == window_) {
        begun_ = measured_ == 0 ? at : begun_;
        last_ = measured_ == 0 ? at : last_;
        return;
    }
    ++measured_;
    amount_ += amount;
    last_ = at;
    if (measured_ * kBatches / window_ > batch_ends_.size()) {
        batch_ends_.push_back(at);
    }
}

std::optional<std::uint64_t> RateWindow::events_per_second() const {
    return per_second(measured_, span());
}
std::optional<std::uint64_t> RateWindow::amount_per_second() const {
    return per_second(amount_, span());
}

std::optional<std::uint64_t> RateWindow::half_interval_ppm() const {
    if (!has_batches(kBatches)) {
        return std::nullopt;
    }
    std::vector<double> spans;
    Picoseconds previous = begun_;
    for (const Picoseconds end : batch_ends_) {
        spans.push_back(static_cast<double>((end - previous).count()));
        previous = end;
    }
    return ndsim::half_interval_ppm(spans);
}

std::optional<bool> RateWindow::steady() const {
    if (!has_batches(4)) {
        return std::nullopt;
    }
    const std::size_t n = batch_ends_.size();
    const std::int64_t first = (batch_ends_[n / 2 - 1] - begun_).count();
    const std::int64_t second = (batch_ends_[2 * (n / 2) - 1] - batch_ends_[n / 2 - 1]).count();
    return std::abs(first - second) * 50 <= std::max(first, second);
}

}  // namespace ndsim
