// SPDX-License-Identifier: Apache-2.0
#include "tools/calibrate/fit.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace ndsim::calibrate {

namespace {

constexpr int kScanned = 8;  // parts of a parameter's range
constexpr double kFirstStep = 0.5;
constexpr double kFine = 1.0 / 32;      // the last step size: if a round gains nothing, the fit ends
constexpr double kFinest = 1.0 / 1024;  // less than a thousandth of a value
constexpr double kGain = 1e-3;
constexpr double kExact = 1e-4;  // a negligible error: values have four digits
constexpr int kTries = 6;        // to find a parameter's range
constexpr double kNear = 0.01;   // of the range
constexpr double kRefitStep = 1.0 / 16;
constexpr int kRefits = 6;
constexpr double kRefitGain = 0.1;  // a round that gains less of the error is the last

double square(double value) {
    return value * value;
}

}  // namespace

Fitter::Fitter(Oracle oracle, Values begin) : oracle_(std::move(oracle)), begin_{std::move(begin), {}} {
    const auto errors = oracle_({begin_.values}).front();
    if (!errors) {
        throw std::logic_error("there are no figures to begin with");
    }
    begin_.errors = *errors;
    tried_.push_back(begin_);
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

Fitter::Round Fitter::round(const Fitted& from, double step, Held held) {
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
        std::vector<Errors> errors = tried(all);
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
    try_all(round.linear.led_to(from, begin_.values, held));
    return round;
}

// Where a cap hides a parameter, small steps change nothing and a large one may go too far. So each parameter is first
// tried alone over its range.
Fitted Fitter::scanned() {
    std::vector<Values> points;
    for (std::size_t i = 0; i < begin_.values.size(); ++i) {
        for (int part = 0; part <= kScanned; ++part) {
            points.push_back(begin_.values);
            points.back()[i] = static_cast<double>(part) / kScanned;
        }
    }
    return best_of(begin_, points, tried(points));
}

std::vector<Errors> Fitter::tried(const std::vector<Values>& points) {
    std::vector<Errors> errors = oracle_(points);
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (errors[i]) {
            tried_.push_back({points[i], *errors[i]});
        }
    }
    return errors;
}

Fitted Fitter::best_of(Fitted best, const std::vector<Values>& points, const std::vector<Errors>& errors) const {
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (errors[i] && cost({points[i], *errors[i]}) < cost(best)) {
            best = {points[i], *errors[i]};
        }
    }
    return best;
}

Fitted Fitter::fit() {
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

// The best point with the parameter at this value. `near` is a point whose error is small, and the linear model there.
std::optional<Fitter::Round> Fitter::refitted(const Round& near, std::size_t parameter, double value, double limit) {
    const double way = value - near.best.values[parameter];
    Fitted moved = near.best;
    moved.values[parameter] = value;
    const Values alone = moved.values;
    for (std::size_t figure = 0; figure < moved.errors.size(); ++figure) {
        moved.errors[figure] += near.linear.slopes[parameter][figure] * way;
    }
    const std::vector<Values> points{near.linear.solve(moved, begin_.values, parameter, 0), alone};
    const std::vector<Errors> errors = tried(points);
    std::optional<Round> found;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const Fitted each{points[i], errors[i].value_or(std::vector<double>())};
        if (errors[i] && (!found || cost(each) < cost(found->best))) {
            found = Round{each, near.linear};
        }
    }
    if (!found) {
        return std::nullopt;  // there is no such scenario
    }
    // One round may go too far, or not far enough: the figures are not linear.
    for (int i = 0; i < kRefits && found->best.rms() > limit; ++i) {
        const double before = found->best.rms();
        found = round(found->best, kRefitStep, parameter);
        found->linear.slopes[parameter] = near.linear.slopes[parameter];  // held, so the round does not tell it
        if (found->best.rms() > (1 - kRefitGain) * before) {
            break;
        }
    }
    return found;
}

// Of the points tried so far with an error within the limit, the one whose value is nearest to the end.
Fitted Fitter::farthest(const Fitted& best, std::size_t parameter, double end, double limit) const {
    Fitted farthest = best;
    for (const Fitted& each : tried_) {
        if (each.rms() <= limit &&
            std::abs(end - each.values[parameter]) < std::abs(end - farthest.values[parameter])) {
            farthest = each;
        }
    }
    return farthest;
}

double Fitter::bound(const Round& best, std::size_t parameter, double end) {
    const double least = best.best.rms();
    const double limit = least + tolerance(least);
    const double here = best.best.values[parameter];
    Round near{farthest(best.best, parameter, end, limit), best.linear};
    double inside = near.best.values[parameter];
    double outside = end;
    double place = end;
    bool is_known = false;  // more than what the fit happened to try
    for (int i = 0; i < kTries && inside != outside; ++i) {
        const std::optional<Round> found = refitted(near, parameter, place, limit);
        const double rms = found ? found->best.rms() : HUGE_VAL;
        const bool is_inside = rms <= limit;
        (is_inside ? inside : outside) = place;
        if (inside == end) {
            return end;
        }
        if (is_inside) {
            near = *found;
            is_known = true;
        }
        // While the model is linear, the mean square grows with the square of the way: this gives the limit's place, if
        // it is between known points. A figure may also jump, as at a cap: then the middle is the better guess.
        const double part = std::sqrt((square(limit) - square(least)) / (square(rms) - square(least)));
        const double next = here + part * (place - here);
        const double middle = (inside + outside) / 2;
        const bool is_between = std::isfinite(next) && (next - inside) * (next - outside) < 0;
        const bool is_linear = !is_known || (is_inside && std::abs(next - inside) <= std::abs(middle - inside));
        const double before = place;
        place = is_between && is_linear ? next : middle;
        if (std::abs(place - before) < kNear) {
            break;
        }
    }
    return place;
}

std::vector<Fitter::Within> Fitter::within(const Fitted& best) {
    const Round around{best, round(best, kRefitStep, {}).linear};
    std::vector<Within> within;
    for (std::size_t i = 0; i < best.values.size(); ++i) {
        within.push_back({bound(around, i, 0), bound(around, i, 1)});
    }
    // The search for one parameter's end also finds values of the others.
    const double limit = best.rms() + tolerance(best.rms());
    for (std::size_t i = 0; i < best.values.size(); ++i) {
        within[i].low = std::min(within[i].low, farthest(best, i, 0, limit).values[i]);
        within[i].high = std::max(within[i].high, farthest(best, i, 1, limit).values[i]);
    }
    return within;
}

}  // namespace ndsim::calibrate
