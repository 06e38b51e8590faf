// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tools/sensitivity/factors.hpp"

namespace ndsim::calibrate {

// Parameter: a parameter to fit. Its values are between the ends of its range, in logarithmic steps.
class Parameter {
public:
    explicit Parameter(sensitivity::Factor factor);

    [[nodiscard]] const sensitivity::Factor& factor() const { return factor_; }
    // The place of the scenario's value: 0 at the low end, 1 at the high end.
    [[nodiscard]] double begin() const { return begin_; }
    // The value at that place, with four digits, as --set takes it.
    [[nodiscard]] std::string at(double place) const;
    [[nodiscard]] std::vector<std::string> overrides_at(double place) const;

private:
    sensitivity::Factor factor_;
    std::uint64_t low_;
    std::uint64_t high_;
    double begin_;
};

// Whether the factor has another value to try. 0 has none: values are tried by their ratios.
[[nodiscard]] bool has_range(const sensitivity::Factor& factor);

}  // namespace ndsim::calibrate
