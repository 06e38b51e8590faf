// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

namespace ndsim::calibrate {

// The place of each parameter in its range: 0 at the low end, 1 at the high end, in logarithmic steps.
using Values = std::vector<double>;
// ln(simulated / measured) of each figure; none: there is no such point.
using Errors = std::optional<std::vector<double>>;
// Returns the errors of several points at once.
using Oracle = std::function<std::vector<Errors>(const std::vector<Values>&)>;

[[nodiscard]] double root_mean_square(const std::vector<double>& errors);

// A point and its errors.
struct Fitted {
    Values values;
    std::vector<double> errors;
    [[nodiscard]] double rms() const { return root_mean_square(errors); }
};

// Fitter: searches the values with the least mean square error, beginning with values over the whole range of each
// parameter. A round tries each parameter a step up and down, and the points to which a linear model of these steps
// leads; the step shrinks from round to round.
class Fitter {
public:
    // If several points are equally good, the fit stays near `begin`, which must have figures.
    Fitter(Oracle oracle, Values begin);

    [[nodiscard]] const Fitted& begin() const { return begin_; }
    [[nodiscard]] Fitted fit() const;

    // The range of each parameter, with the others refitted, in which the error grows by at most tolerance(). Beyond an
    // end of the parameter's own range there may be more.
    struct Within {
        double low = 0;
        double high = 1;
    };
    [[nodiscard]] std::vector<Within> within(const Fitted& best) const;
    [[nodiscard]] static double tolerance(double rms);

private:
    // The errors as linear functions of the values, around a point.
    struct Linear {
        std::vector<std::vector<double>> slopes;  // for each parameter, of each figure
    };
    using Held = std::optional<std::size_t>;
    // The outcome of a round.
    struct Round {
        Fitted best;
        Linear linear;
    };
    [[nodiscard]] Fitted scanned() const;
    // The point with the least cost, `best` among them.
    [[nodiscard]] Fitted best_of(Fitted best, const std::vector<Values>& points,
                                 const std::vector<Errors>& errors) const;
    [[nodiscard]] Round round(const Fitted& from, double step, Held held) const;
    [[nodiscard]] std::vector<Values> led_to(const Fitted& from, const Linear& linear, Held held) const;
    [[nodiscard]] Values solve(const Fitted& from, const Linear& linear, Held held, double damping) const;
    [[nodiscard]] double cost(const Fitted& at) const;
    [[nodiscard]] double rms_with(const Fitted& best, const Linear& linear, std::size_t parameter, double value) const;
    [[nodiscard]] double bound(const Fitted& best, const Linear& linear, std::size_t parameter, double end) const;

    Oracle oracle_;
    Fitted begin_;
};

}  // namespace ndsim::calibrate
