// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/base/units.hpp"

namespace ndsim {

// SharedWindow: the time in which generators are measured side by side, and each one's bytes in it. Rates of different
// windows cannot be added.
class SharedWindow {
public:
    // The window begins, or ends, at `at`; `bytes` is the amount that each generator has received until then.
    void begin(Picoseconds at, std::vector<std::uint64_t> bytes);
    void end(Picoseconds at, std::vector<std::uint64_t> bytes);

    [[nodiscard]] bool is_open() const { return begun_ && !ended_; }
    // A generator's bytes per second; none if the window has not ended, or is empty.
    [[nodiscard]] std::optional<std::uint64_t> bytes_per_second(std::size_t generator) const;

private:
    std::optional<Picoseconds> begun_;
    std::optional<Picoseconds> ended_;
    std::vector<std::uint64_t> bytes_at_begin_;
    std::vector<std::uint64_t> bytes_at_end_;
};

}  // namespace ndsim
