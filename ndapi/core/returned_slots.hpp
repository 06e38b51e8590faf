// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "sim/base/ring.hpp"
#include "sim/base/units.hpp"

namespace ndsim::core {

// ReturnedSlots: the slots of a queue that polls give back. A core that polls is ahead of the simulation, and its slots
// are free for other cores when its poll returns.
class ReturnedSlots {
public:
    // `n` slots are free from `at` on. Of several cores, one may be ahead of another.
    void give(std::uint32_t n, Picoseconds at) {
        if (rows_.empty() || rows_.back().at < at) {
            rows_.push({at, n});
        } else {
            rows_.back().count += n;
        }
        to_come_ += n;
    }
    // Those that are not free yet at `at`.
    [[nodiscard]] std::uint32_t to_come(Picoseconds at) {
        while (!rows_.empty() && rows_.front().at <= at) {
            to_come_ -= rows_.pop().count;
        }
        return to_come_;
    }
    // When the next of them are.
    [[nodiscard]] std::optional<Picoseconds> next() const {
        return rows_.empty() ? std::nullopt : std::optional(rows_.front().at);
    }

private:
    // Slots that become free together.
    struct Row {
        Picoseconds at{};
        std::uint32_t count = 0;
    };

    Ring<Row> rows_;  // in order of time
    std::uint32_t to_come_ = 0;
};

}  // namespace ndsim::core
