// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/base/units.hpp"

namespace ndsim {

// The rate of `amount` in `span`, rounded; none if the span is empty.
[[nodiscard]] std::optional<std::uint64_t> per_second(std::uint64_t amount, Picoseconds span);

// RateWindow: a rate in steady state. Events are counted; the first `warmup` only start the clock (without them,
// begin() does). The next `window` events are measured in batches of equal size, whose spread gives the 95 % interval
// of the rate. An event is the end of something that takes time (a message), and it may be reported late, and with
// others. So the window can be told how much has been moved until then; then rates are those of the movement.
class RateWindow {
public:
    RateWindow(std::uint64_t warmup, std::uint64_t window) : warmup_(warmup), window_(window) {}

    void begin(Picoseconds at) {
        begun_ = at;
        last_ = at;
    }
    // An event at `at` that carries `amount` (such as bytes).
    void record(Picoseconds at, std::uint64_t amount);
    // The window, or a batch, begins or ends with the last event (or with begin()): moved() may follow.
    [[nodiscard]] bool is_at_edge() const {
        return events_ == warmup_ || (measured_ > 0 && edges_.size() == batch_ends_.size());
    }
    // In total this much of the amount was moved until the last event, the last of it at `last`.
    void moved(std::uint64_t amount, Picoseconds last) { edges_.push_back({amount, last}); }

    // No more events come, although the window is not complete; arguments as in moved(), until now. Software that was
    // away may learn of much at once, so the times of the last events do not give a rate.
    void cut(std::uint64_t amount, Picoseconds last) { cut_ = {amount, last}; }

    [[nodiscard]] std::uint64_t events() const { return events_; }
    [[nodiscard]] std::uint64_t measured() const { return measured_; }
    [[nodiscard]] Picoseconds span() const { return last_ - begun_; }
    // Events and amount per second in the measured span; none if that is empty, 0 if nothing was moved in it.
    [[nodiscard]] std::optional<std::uint64_t> events_per_second() const;
    [[nodiscard]] std::optional<std::uint64_t> amount_per_second() const;
    // The amount per second as the events report it, early or late; none if their span is empty.
    [[nodiscard]] std::optional<std::uint64_t> reported_per_second() const { return per_second(amount_, span()); }
    // Half the width of the 95 % interval of the event rate, in ppm of the rate; none before the window is complete,
    // with too few events for all batches, or if a batch moved nothing.
    [[nodiscard]] std::optional<std::uint64_t> half_interval_ppm() const;
    // False if the events of the complete window fall behind the movement, or tell of earlier movement alone.
    [[nodiscard]] bool keeps_up() const;
    // Whether the two halves of the window agree within 2 %, and events keep up; none before it is complete, with too
    // few events, or if a half moved nothing.
    [[nodiscard]] std::optional<bool> steady() const;

private:
    // The amount moved until an edge of a batch.
    struct Edge {
        std::uint64_t moved = 0;
        Picoseconds at{};
    };

    // The amount moved between two edges.
    struct Movement {
        std::uint64_t amount = 0;
        Picoseconds time{};

        [[nodiscard]] std::uint64_t per_second_of(std::uint64_t part) const {
            return amount == 0 ? 0 : *per_second(part, time);
        }
    };

    // The movement in the whole window; none if moved() was not called.
    [[nodiscard]] std::optional<Movement> movement() const;
    [[nodiscard]] static Movement between(const Edge& from, const Edge& to) {
        return {to.moved - from.moved, to.at - from.at};
    }
    // The time of each part of the window, of that many batches (equal in size, or nearly), or its time for each unit
    // of the amount that was moved in it. Empty if nothing was moved in a part, as its events tell of earlier movement.
    [[nodiscard]] std::vector<double> paces(std::size_t batches) const;
    [[nodiscard]] bool has_batches(std::size_t fewest) const {
        return measured_ == window_ && batch_ends_.size() >= fewest && span() > Picoseconds{};
    }

    std::uint64_t warmup_;
    std::uint64_t window_;
    std::uint64_t events_ = 0;
    std::uint64_t measured_ = 0;
    std::uint64_t amount_ = 0;
    Picoseconds begun_{};
    Picoseconds last_{};
    std::vector<Picoseconds> batch_ends_;
    std::vector<Edge> edges_;  // of the window's start, and of the ends of its batches
    std::optional<Edge> cut_;
};

}  // namespace ndsim
