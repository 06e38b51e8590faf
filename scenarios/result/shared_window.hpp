// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sim/base/units.hpp"

namespace ndsim {

// SharedWindow: the time in which generators are measured side by side, and each one's bytes in it. Rates of different
// windows cannot be added. Their intervals cannot either: generators that share a lane take from each other. So the
// bytes of all are noted again and again, and the window is cut into batches of equal time when its end is known.
class SharedWindow {
public:
    // The window begins, or ends, at `at`; `bytes` is the amount that each generator has received until then. `grain`
    // is the time between two notes at first.
    void begin(Picoseconds at, std::vector<std::uint64_t> bytes, Picoseconds grain);
    void end(Picoseconds at, std::vector<std::uint64_t> bytes);
    // Whether note() should be told the bytes until `at`.
    [[nodiscard]] bool wants_note(Picoseconds at) const { return is_open() && at >= next_note_; }
    void note(Picoseconds at, std::vector<std::uint64_t> bytes);

    [[nodiscard]] bool is_open() const { return !notes_.empty() && !ended_; }
    // A generator's bytes per second; none if the window has not ended, or is empty.
    [[nodiscard]] std::optional<std::uint64_t> bytes_per_second(std::size_t generator) const;
    // Half the width of the 95 % interval of what these generators receive together, in ppm of it; none if the window
    // is too short for batches, or nothing was received.
    [[nodiscard]] std::optional<std::uint64_t> half_interval_ppm(std::span<const std::size_t> generators) const;

private:
    // What each generator had received until then.
    struct Note {
        Picoseconds at{};
        std::vector<std::uint64_t> bytes;
    };

    std::vector<Note> notes_;  // the first of the window's begin, the last, once it has ended, of its end
    bool ended_ = false;
    Picoseconds grain_{};
    Picoseconds next_note_{};
};

}  // namespace ndsim
