// SPDX-License-Identifier: Apache-2.0
#include "tools/calibrate/linear_model.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "tools/calibrate/linear_equations.hpp"

namespace ndsim::calibrate {

namespace {

constexpr std::array<double, 3> kDampings{0, 1e-4, 1e-2};

}  // namespace

double root_mean_square(const std::vector<double>& errors) {
    double sum = 0;
    for (const double error : errors) {
        sum += error * error;
    }
    return errors.empty() ? 0 : std::sqrt(sum / static_cast<double>(errors.size()));
}

// Parameters that would leave their ranges stay at the ends, and the others are solved again.
Values LinearModel::solve(const Fitted& from, const Values& begin, Held held, double damping) const {
    const std::size_t count = from.values.size();
    Values values = from.values;
    std::vector<bool> fixed(count, false);
    if (held) {
        fixed[*held] = true;
    }
    const auto figures = static_cast<double>(from.errors.size());
    const auto product = [&](const std::vector<double>& a, const std::vector<double>& b) {
        double sum = 0;
        for (std::size_t i = 0; i < a.size(); ++i) {
            sum += a[i] * b[i];
        }
        return sum / figures;
    };
    for (std::size_t attempt = 0; attempt <= count; ++attempt) {
        std::vector<double> errors = from.errors;  // once fixed parameters are in place
        std::vector<std::size_t> free;
        for (std::size_t i = 0; i < count; ++i) {
            if (!fixed[i]) {
                free.push_back(i);
                continue;
            }
            for (std::size_t figure = 0; figure < errors.size(); ++figure) {
                errors[figure] += slopes[i][figure] * (values[i] - from.values[i]);
            }
        }
        std::vector<std::vector<double>> matrix(free.size(), std::vector<double>(free.size()));
        std::vector<double> right(free.size());
        for (std::size_t row = 0; row < free.size(); ++row) {
            const std::vector<double>& along = slopes[free[row]];
            for (std::size_t column = 0; column < free.size(); ++column) {
                matrix[row][column] = product(along, slopes[free[column]]);
            }
            matrix[row][row] += kPull + damping;
            right[row] = -product(along, errors) - kPull * (from.values[free[row]] - begin[free[row]]);
        }
        const std::vector<double> steps = solution_of(std::move(matrix), std::move(right));
        bool is_inside = true;
        for (std::size_t row = 0; row < free.size(); ++row) {
            const double there = from.values[free[row]] + steps[row];
            values[free[row]] = std::clamp(there, 0.0, 1.0);
            if (values[free[row]] != there) {
                fixed[free[row]] = true;
                is_inside = false;
            }
        }
        if (is_inside) {
            break;
        }
    }
    return values;
}

std::vector<Values> LinearModel::led_to(const Fitted& from, const Values& begin, Held held) const {
    std::vector<Values> points;
    points.reserve(kDampings.size() + 1);
    for (const double damping : kDampings) {
        points.push_back(solve(from, begin, held, damping));
    }
    Values half = points.front();
    for (std::size_t i = 0; i < half.size(); ++i) {
        half[i] = (half[i] + from.values[i]) / 2;
    }
    points.push_back(std::move(half));
    return points;
}

}  // namespace ndsim::calibrate
