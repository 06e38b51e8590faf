// SPDX-License-Identifier: Apache-2.0
#include "tools/calibrate/fit.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include "tools/calibrate/linear_equations.hpp"

namespace ndsim::calibrate {

namespace {

constexpr double kPull = 1e-6;  // towards the start: far less than any measured figure's influence
constexpr int kScanned = 8;     // parts of a parameter's range
constexpr double kFirstStep = 0.5;
constexpr double kFine = 1.0 / 32;      // the last step size: if a round gains nothing, the fit ends
constexpr double kFinest = 1.0 / 1024;  // less than a thousandth of a value
constexpr double kGain = 1e-3;
constexpr double kExact = 1e-4;  // a negligible error: values have four digits
constexpr int kTries = 6;        // to find a parameter's range
constexpr double kNear = 0.01;   // of the range
constexpr double kRefitStep = 1.0 / 16;
constexpr std::array<double, 3> kDampings{0, 1e-4, 1e-2};

double square(double value) {
    return value * value;
}

}  // namespace

double root_mean_square(const std::vector<double>& errors) {
    double sum = 0;
    for (const double error : errors) {
        sum += square(error);
    }
    return errors.empty() ? 0 : std::sqrt(sum / static_cast<double>(errors.size()));
}

Fitter::Fitter(Oracle oracle, Values begin) : oracle_(std::move(oracle)), begin_{std::move(begin), {}} {
    const auto errors = oracle_({begin_.values}).front();
    if (!errors) {
        throw std::logic_error("there are no figures to begin with");
    }
    begin_.errors = *errors;
}

double Fitter::tolerance(double rms) {
    return std::max(0.005, rms / 10);
}

double Fitter::cost(const Fitted& at) const {
    double pull = 0;
    for (std::size_t i = 0; i < at.values.size(); ++i) {
        pull += square(at.values[i] - begin_.values[i]);
    }
    return square(at.rms()) + kPull * pull;
}

// Parameters that would leave their ranges stay at the ends, and the others are solved again.
Values Fitter::solve(const Fitted& from, const Linear& linear, Held held, double damping) const {
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
                errors[figure] += linear.slopes[i][figure] * (values[i] - from.values[i]);
            }
        }
        std::vector<std::vector<double>> matrix(free.size(), std::vector<double>(free.size()));
        std::vector<double> right(free.size());
        for (std::size_t row = 0; row < free.size(); ++row) {
            const std::vector<double>& slopes = linear.slopes[free[row]];
            for (std::size_t column = 0; column < free.size(); ++column) {
                matrix[row][column] = product(slopes, linear.slopes[free[column]]);
            }
            matrix[row][row] += kPull + damping;
            right[row] = -product(slopes, errors) - kPull * (from.values[free[row]] - begin_.values[free[row]]);
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

std::vector<Values> Fitter::led_to(const Fitted& from, const Linear& linear, Held held) const {
    std::vector<Values> points;
    points.reserve(kDampings.size() + 1);
    for (const double damping : kDampings) {
        points.push_back(solve(from, linear, held, damping));
    }
    Values half = points.front();
    for (std::size_t i = 0; i < half.size(); ++i) {
        half[i] = (half[i] + from.values[i]) / 2;
    }
    points.push_back(std::move(half));
    return points;
}

Fitter::Round Fitter::round(const Fitted& from, double step, Held held) const {
    const std::size_t count = from.values.size();
    std::vector<Values> points;  // two per parameter: down and up
    for (std::size_t i = 0; i < count; ++i) {
        for (const double by : {-step, step}) {
            Values values = from.values;
            values[i] = held == i ? values[i] : std::clamp(values[i] + by, 0.0, 1.0);
            points.push_back(std::move(values));
        }
    }
    Round round{from, {}};
    const auto try_all = [&](const std::vector<Values>& all) {
        std::vector<Errors> errors = oracle_(all);
        round.best = best_of(std::move(round.best), all, errors);
        return errors;
    };
    const std::vector<Errors> errors = try_all(points);
    for (std::size_t i = 0; i < count; ++i) {
        std::vector<double> slopes(from.errors.size(), 0);
        const bool has_low = errors[2 * i].has_value();
        const bool has_high = errors[2 * i + 1].has_value();
        const double low = has_low ? points[2 * i][i] : from.values[i];
        const double high = has_high ? points[2 * i + 1][i] : from.values[i];
        for (std::size_t figure = 0; high > low && figure < slopes.size(); ++figure) {
            const double at_low = has_low ? (*errors[2 * i])[figure] : from.errors[figure];
            const double at_high = has_high ? (*errors[2 * i + 1])[figure] : from.errors[figure];
            slopes[figure] = (at_high - at_low) / (high - low);
        }
        round.linear.slopes.push_back(std::move(slopes));
    }
    try_all(led_to(from, round.linear, held));
    return round;
}

// Where a cap hides a parameter, small steps change nothing and a large one may go too far. So each parameter is first
// tried alone over its range.
Fitted Fitter::scanned() const {
    std::vector<Values> points;
    for (std::size_t i = 0; i < begin_.values.size(); ++i) {
        for (int part = 1; part < kScanned; ++part) {
            points.push_back(begin_.values);
            points.back()[i] = static_cast<double>(part) / kScanned;
        }
    }
    return best_of(begin_, points, oracle_(points));
}

Fitted Fitter::best_of(Fitted best, const std::vector<Values>& points, const std::vector<Errors>& errors) const {
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (errors[i] && cost({points[i], *errors[i]}) < cost(best)) {
            best = {points[i], *errors[i]};
        }
    }
    return best;
}

Fitted Fitter::fit() const {
    Fitted best = scanned();
    for (double step = kFirstStep; step >= kFinest && best.rms() > kExact;) {
        const double before = std::sqrt(cost(best));
        best = round(best, step, {}).best;
        const double after = std::sqrt(cost(best));
        if (step <= kFine && after > (1 - kGain) * before) {
            break;
        }
        step /= after < before / 2 ? 4 : 2;  // near the goal smaller steps tell more
    }
    return best;
}

// The error with the parameter at this value, the others at the linear model's optimum, and after one more round.
double Fitter::rms_with(const Fitted& best, const Linear& linear, std::size_t parameter, double value) const {
    Fitted moved = best;
    moved.values[parameter] = value;
    for (std::size_t figure = 0; figure < moved.errors.size(); ++figure) {
        moved.errors[figure] += linear.slopes[parameter][figure] * (value - best.values[parameter]);
    }
    const Values guess = solve(moved, linear, parameter, 0);
    Values alone = best.values;
    alone[parameter] = value;
    const std::vector<Values> points{guess, alone};
    const std::vector<Errors> errors = oracle_(points);
    std::optional<Fitted> from;
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (errors[i] && (!from || cost({points[i], *errors[i]}) < cost(*from))) {
            from = Fitted{points[i], *errors[i]};
        }
    }
    if (!from) {
        return HUGE_VAL;  // there is no such scenario
    }
    // A point within the tolerance needs no better fit.
    return from->rms() <= best.rms() + tolerance(best.rms()) ? from->rms()
                                                             : round(*from, kRefitStep, parameter).best.rms();
}

double Fitter::bound(const Fitted& best, const Linear& linear, std::size_t parameter, double end) const {
    const double limit = best.rms() + tolerance(best.rms());
    const double here = best.values[parameter];
    double inside = here;
    double outside = end;
    double place = end;
    for (int i = 0; i < kTries && inside != outside; ++i) {
        const double rms = rms_with(best, linear, parameter, place);
        (rms <= limit ? inside : outside) = place;
        if (inside == end) {
            return end;
        }
        // While the model is linear, the mean square grows with the square of the way: this gives the limit's place, if
        // it is between known points. A figure may also jump, as at a cap: then the middle is the better guess.
        const double part = std::sqrt((square(limit) - square(best.rms())) / (square(rms) - square(best.rms())));
        const double next = here + part * (place - here);
        const double middle = (inside + outside) / 2;
        const bool is_between = std::isfinite(next) && (next - inside) * (next - outside) < 0;
        const bool is_linear =
            inside == here || (inside == place && std::abs(next - inside) <= std::abs(middle - inside));
        const double before = place;
        place = is_between && is_linear ? next : middle;
        if (std::abs(place - before) < kNear) {
            break;
        }
    }
    return place;
}

std::vector<Fitter::Within> Fitter::within(const Fitted& best) const {
    const Linear linear = round(best, kRefitStep, {}).linear;
    std::vector<Within> within;
    for (std::size_t i = 0; i < best.values.size(); ++i) {
        within.push_back({bound(best, linear, i, 0), bound(best, linear, i, 1)});
    }
    return within;
}

}  // namespace ndsim::calibrate
