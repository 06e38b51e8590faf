// SPDX-License-Identifier: Apache-2.0
#include "tools/report/fit_pictures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tools/report/scale.hpp"
#include "tools/report/svg.hpp"

namespace ndsim::report {

namespace {

constexpr double kFitNames = 360;
constexpr double kFitRight = 20;
constexpr double kFitRow = 22;
constexpr double kFitTop = 28;
constexpr double kDot = 4;
constexpr double kFitPercent = 100;

double height_of(std::size_t rows) {
    return kFitTop + static_cast<double>(rows) * kFitRow + 4;
}
double middle_of(std::size_t row) {
    return kFitTop + (static_cast<double>(row) + 0.5) * kFitRow;
}

// `part` runs from 0 to 1 between the names and the right edge.
double fit_x(double part) {
    return kFitNames + part * (kPictureWidth - kFitNames - kFitRight);
}

void draw_fit_name(Svg& svg, const std::string& name, std::size_t row, bool is_strong) {
    svg.text({kFitNames - 8, middle_of(row) + 4}, cut_to(name, kFitNames - 12),
             {Anchor::end, colour::kText, is_strong});
}

// The place of a value within a range; in logarithmic steps, like the fit, unless the range begins at 0.
double place_in(const FittedRange& range, double value) {
    if (range.high <= range.low) {
        return 0;
    }
    const double part = range.low > 0 && value > 0 ? std::log(value / range.low) / std::log(range.high / range.low)
                                                   : (value - range.low) / (range.high - range.low);
    return std::clamp(part, 0.0, 1.0);
}

}  // namespace

Figure fit_figure(const std::vector<FittedFigure>& figures) {
    double low = 0;
    double high = 0;
    for (const FittedFigure& figure : figures) {
        low = std::min({low, kFitPercent * figure.before, kFitPercent * figure.after});
        high = std::max({high, kFitPercent * figure.before, kFitPercent * figure.after});
    }
    const double width = high > low ? high - low : 1;
    const std::string title = "Simulated against measured";
    Svg svg(kPictureWidth, height_of(figures.size()), title);
    const auto x_of = [&](double percent) { return fit_x((percent - low) / width); };
    for (const double tick : round_ticks(low, high, 6)) {
        svg.line({x_of(tick), kFitTop - 4}, {x_of(tick), height_of(figures.size())}, {colour::kGrid});
        svg.text({x_of(tick), kFitTop - 10}, short_number(tick), {Anchor::middle, colour::kFaint});
    }
    svg.line({x_of(0), kFitTop - 4}, {x_of(0), height_of(figures.size())}, {colour::kText, 1.5});
    for (std::size_t row = 0; row < figures.size(); ++row) {
        const FittedFigure& figure = figures[row];
        const double y = middle_of(row);
        const double before = kFitPercent * figure.before;
        const double after = kFitPercent * figure.after;
        draw_fit_name(svg, figure.name, row, false);
        svg.line({x_of(before), y}, {x_of(after), y}, {colour::kFaint});
        svg.circle({x_of(before), y}, kDot, colour::kOrange, fmt::format("{}: {:+.1f} % before", figure.name, before));
        svg.circle({x_of(after), y}, kDot, colour::kBlue, fmt::format("{}: {:+.1f} % after", figure.name, after));
    }
    return {"fit", title + " [% off]", svg.take(),
            "Orange: before the fit. Blue: after it. The line is what was measured.", ""};
}

Figure ranges_figure(const std::vector<FittedRange>& parameters) {
    constexpr double kBar = kFitRow - 8;
    const std::string title = "Where each parameter stays within its range";
    Svg svg(kPictureWidth, height_of(parameters.size()), title);
    svg.text({fit_x(0), kFitTop - 10}, "low end", {Anchor::start, colour::kFaint});
    svg.text({fit_x(1), kFitTop - 10}, "high end", {Anchor::end, colour::kFaint});
    for (std::size_t row = 0; row < parameters.size(); ++row) {
        const FittedRange& range = parameters[row];
        const double y = middle_of(row);
        const auto x_of = [&](double value) { return fit_x(place_in(range, value)); };
        draw_fit_name(svg, range.name, row, range.is_determined);
        svg.rect({fit_x(0), y - kBar / 2}, fit_x(1) - fit_x(0), kBar, colour::kIdle,
                 range.name + ": its range, " + range.range_text);
        svg.rect({x_of(range.within_low), y - kBar / 2},
                 std::max(1.0, x_of(range.within_high) - x_of(range.within_low)), kBar, colour::kSky,
                 range.name + ": stays within " + range.within_text);
        svg.circle({x_of(range.before), y}, kDot, colour::kOrange, range.name + ": before, " + range.before_text);
        svg.circle({x_of(range.after), y}, kDot, colour::kBlue, range.name + ": after, " + range.after_text);
    }
    return {"ranges", title, svg.take(),
            "Grey: its range, in logarithmic steps. Light blue: where it stays if the others are fitted again. Orange: "
            "before the fit. Blue: after it. Names of well determined parameters are bold.",
            ""};
}

}  // namespace ndsim::report
