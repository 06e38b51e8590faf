// SPDX-License-Identifier: Apache-2.0
#include "scenarios/measure/rate_window.hpp"

#include <utility>

#include "scenarios/measure/batch_means.hpp"
#include "scenarios/measure/steadiness.hpp"
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

std::optional<RateWindow::Movement> RateWindow::movement() const {
    // A window that begins with nothing moved begins with the generator, and ends with its last report.
    const bool is_known = measured_ < window_ ? cut_.has_value() : edges_.size() == batch_ends_.size() + 1;
    if (!is_known || edges_.empty() || amount_ == 0 || edges_[0].moved == 0) {
        return std::nullopt;
    }
    const Movement whole = between(edges_.front(), measured_ < window_ ? *cut_ : edges_.back());
    return whole.amount == 0 || whole.time > Picoseconds{} ? std::optional(whole) : std::nullopt;
}

std::optional<std::uint64_t> RateWindow::events_per_second() const {
    if (const std::optional<Movement> moved = movement()) {
        const auto rate = static_cast<WideTime>(moved->per_second_of(measured_));
        return static_cast<std::uint64_t>((rate * moved->amount + amount_ / 2) / amount_);
    }
    return per_second(measured_, span());
}
std::optional<std::uint64_t> RateWindow::amount_per_second() const {
    if (const std::optional<Movement> moved = movement()) {
        return moved->per_second_of(moved->amount);
    }
    return reported_per_second();
}

bool RateWindow::keeps_up() const {
    const std::optional<std::uint64_t> reported = reported_per_second();
    if (measured_ < window_ || !reported) {
        return true;
    }
    const std::optional<Movement> moved = movement();
    return (!moved || moved->amount > 0) && keep_up(*reported, *amount_per_second());
}

std::vector<double> RateWindow::paces(std::size_t batches) const {
    const bool by_movement = movement().has_value();
    std::vector<double> all;
    Picoseconds previous = begun_;
    for (std::size_t end = batches; end <= batch_ends_.size(); end += batches) {
        double amount = 1;
        Picoseconds time = batch_ends_[end - 1] - std::exchange(previous, batch_ends_[end - 1]);
        if (by_movement) {
            const Movement moved = between(edges_[end - batches], edges_[end]);
            if (moved.amount == 0) {
                return {};
            }
            amount = static_cast<double>(moved.amount);
            time = moved.time;
        }
        all.push_back(static_cast<double>(time.count()) / amount);
    }
    return all;
}

std::optional<std::uint64_t> RateWindow::half_interval_ppm() const {
    return has_batches(kBatches) ? ndsim::half_interval_ppm(paces(1)) : std::nullopt;
}

std::optional<bool> RateWindow::steady() const {
    if (!has_batches(4)) {
        return std::nullopt;
    }
    if (!keeps_up()) {
        return false;
    }
    const std::vector<double> halves = paces(batch_ends_.size() / 2);
    return halves.empty() ? std::nullopt : std::optional(halves_agree(halves));
}

}  // namespace ndsim
