// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace ndsim {

// The unit of a statistic. Times are in picoseconds, fractions in parts per million.
enum class StatUnit : std::uint8_t { count, bytes, picoseconds, ppm };

// Takes the statistics of one unit, each with its name and its sentence.
class StatSink {
public:
    virtual ~StatSink() = default;
    virtual void add(std::string_view name, std::uint64_t value, StatUnit unit, std::string_view sentence) = 0;
};

}  // namespace ndsim
