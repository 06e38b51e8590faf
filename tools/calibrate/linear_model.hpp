// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace ndsim::calibrate {

// The place of each parameter in its range: 0 at the low end, 1 at the high end, in logarithmic steps.
using Values = std::vector<double>;

[[nodiscard]] double root_mean_square(const std::vector<double>& errors);

// A point and its errors.
struct Fitted {
    Values values;
    std::vector<double> errors;
    [[nodiscard]] double rms() const { return root_mean_square(errors); }
};

// The parameter that stays as it is.
using Held = std::optional<std::size_t>;

inline constexpr double kPull = 1e-6;  // towards the start: far less than any measured figure's influence

// LinearModel: the errors as linear functions of the values, around a point.
struct LinearModel {
    std::vector<std::vector<double>> slopes;  // for each parameter, of each figure

    // The values with the least mean square error, `begin` being preferred; damped, the steps are shorter.
    [[nodiscard]] Values solve(const Fitted& from, const Values& begin, Held held, double damping) const;
    // Several such points, all worth a try.
    [[nodiscard]] std::vector<Values> led_to(const Fitted& from, const Values& begin, Held held) const;
};

}  // namespace ndsim::calibrate
