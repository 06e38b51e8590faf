// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "tools/calibrate/linear_model.hpp"

namespace ndsim::calibrate {

// ln(simulated / measured) of each figure; none: there is no such point.
using Errors = std::optional<std::vector<double>>;
// Returns the errors of several points at once.
using Oracle = std::function<std::vector<Errors>(const std::vector<Values>&)>;

// Fitter: searches the values with the least mean square error, beginning with values over the whole range of each
// parameter. A round tries each parameter a step up and down, and the points to which a linear model of these steps
// leads; the step shrinks from round to round.
class Fitter {
public:
    // If several points are equally good, the fit stays near `begin`, which must have figures.
    Fitter(Oracle oracle, Values begin);

    [[nodiscard]] const Fitted& begin() const { return begin_; }
    [[nodiscard]] Fitted fit();

    // The range of each parameter, with the others refitted, in which the error grows by at most tolerance(); all such
    // points that were tried are within it. Beyond an end of the parameter's own range there may be more.
    struct Within {
        double low = 0;
        double high = 1;
    };
    [[nodiscard]] std::vector<Within> within(const Fitted& best);
    [[nodiscard]] static double tolerance(double rms);

private:
    // The outcome of a round.
    struct Round {
        Fitted best;
        LinearModel linear;
    };
    [[nodiscard]] std::vector<Errors> tried(const std::vector<Values>& points);
    [[nodiscard]] Fitted scanned();
    // The point with the least cost, `best` among them.
    [[nodiscard]] Fitted best_of(Fitted best, const std::vector<Values>& points,
                                 const std::vector<Errors>& errors) const;
    [[nodiscard]] Round round(const Fitted& from, double step, Held held);
    [[nodiscard]] double cost(const Fitted& at) const;
    [[nodiscard]] std::optional<Round> refitted(const Round& near, std::size_t parameter, double value, double limit);
    [[nodiscard]] Fitted farthest(const Fitted& best, std::size_t parameter, double end, double limit) const;
    [[nodiscard]] double bound(const Round& best, std::size_t parameter, double end);

    Oracle oracle_;
    Fitted begin_;
    std::vector<Fitted> tried_;  // all points that have errors
};

}  // namespace ndsim::calibrate
