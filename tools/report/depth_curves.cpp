// SPDX-License-Identifier: Apache-2.0
#include "tools/report/depth_curves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <utility>

#include "sim/base/text.hpp"
#include "tools/cli/figures.hpp"
#include "tools/report/html.hpp"
#include "tools/report/line_plot.hpp"
#include "tools/report/scale.hpp"
#include "tools/report/thin.hpp"
#include "tools/report/unfolded.hpp"
#include "tools/sweep/columns.hpp"

namespace ndsim::report {

namespace {

constexpr std::size_t kCurves = 7;  // as many as there are colours
constexpr std::size_t kMostCurves = 8;
constexpr std::uint64_t kBest = 100;  // a value within 1/kBest of the best is as good
constexpr double kGrowing = 3;        // steps that grow this much from first to last are on a logarithmic axis

constexpr std::size_t kMostTicked = 16;  // up to this many values all are ticks

using Values = std::vector<std::optional<std::uint64_t>>;

bool ends_with_any(std::string_view name, std::span<const std::string_view> ends) {
    return std::ranges::any_of(ends, [name](std::string_view end) { return name.ends_with(end); });
}

// The axis of the pictures.
std::size_t main_axis(const Swept& swept) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < swept.axes.size(); ++i) {
        const SweptAxis& axis = swept.axes[i];
        const SweptAxis& chosen = swept.axes[best];
        if (axis.is_numeric() != chosen.is_numeric() ? axis.is_numeric() : axis.steps() > chosen.steps()) {
            best = i;
        }
    }
    return best;
}

// One curve: the steps of the other axes, and the values at each step of the main one.
struct Curve {
    std::string name;
    Values values;
};

std::vector<Curve> curves_of(const Swept& swept, std::size_t metric, std::size_t over) {
    std::vector<Curve> curves;
    for (const SweptPoint& point : swept.points) {
        if (point.steps[over] != 0) {
            continue;
        }
        std::vector<std::string> where;
        for (std::size_t i = 0; i < swept.axes.size(); ++i) {
            if (i != over) {
                where.push_back(swept.axes[i].name + " = " + swept.axes[i].labels[point.steps[i]]);
            }
        }
        Curve curve{where.empty() ? swept.metrics[metric].name : join(where, ", "), {}};
        std::vector<std::size_t> steps = point.steps;
        for (steps[over] = 0; steps[over] < swept.axes[over].steps(); ++steps[over]) {
            curve.values.push_back(swept.at(steps).figures[metric]);
        }
        curves.push_back(std::move(curve));
    }
    return curves;
}

// The curves of one picture.
struct CurvesPicture {
    std::string title;
    std::vector<Curve> curves;
    std::optional<Quantity> quantity;
    bool is_rate = false;
};

Unit unit_of(const CurvesPicture& picture) {
    std::uint64_t most = 0;
    for (const Curve& curve : picture.curves) {
        for (const auto& value : curve.values) {
            most = std::max(most, value.value_or(0));
        }
    }
    return unit_for(picture.quantity, most);
}

// The curves by the step of their knee.
std::map<std::size_t, std::vector<const Curve*>> knees_of(const CurvesPicture& picture, const SweptAxis& axis) {
    std::map<std::size_t, std::vector<const Curve*>> knees;
    for (const Curve& curve : picture.curves) {
        if (const auto knee = picture.is_rate && axis.rises ? knee_of(curve.values) : std::nullopt) {
            knees[*knee].push_back(&curve);
        }
    }
    return knees;
}

std::string whose(const std::vector<const Curve*>& curves, const CurvesPicture& picture) {
    if (curves.size() == picture.curves.size()) {
        return {};
    }
    const std::string more = curves.size() > 1 ? fmt::format(" and {} more", curves.size() - 1) : "";
    return " (" + curves.front()->name + more + ")";
}

std::string figure_html(const CurvesPicture& picture, const SweptAxis& axis, std::size_t number) {
    const Unit unit = unit_of(picture);
    LinePlot plot{
        fmt::format("curve-{}", number), picture.title, {}, plot_axis(axis), {picture.title + unit.in_brackets()}, {}};
    const auto x = [&](std::size_t step) { return axis.is_numeric() ? axis.values[step] : static_cast<double>(step); };
    for (const Curve& curve : picture.curves) {
        Series series{curve.name, {}};
        for (std::size_t step = 0; step < curve.values.size(); ++step) {
            if (curve.values[step]) {
                series.points.push_back({x(step), unit(*curve.values[step])});
            }
        }
        series.points = thinned(std::move(series.points), kColumns);
        plot.series.push_back(std::move(series));
    }
    for (const auto& [step, curves] : knees_of(picture, axis)) {
        std::string label = "knee at " + axis.labels[step] + whose(curves, picture);
        for (const Curve* const curve : curves) {
            plot.marks.push_back({{x(step), unit(*curve->values[step])}, std::exchange(label, {})});
        }
    }
    if (picture.is_rate) {
        plot.caption = plot.marks.empty()
                           ? "No knee: the curve is flat from the first value on, or rises up to the last."
                           : "Knee: the first value from which on the rate is within 1 % of its best.";
    }
    return html_of(figure_of(plot));
}

// With one axis, metrics of one kind share a figure; otherwise each has its own.
std::vector<CurvesPicture> pictures_of(const Swept& swept, std::size_t over, const std::vector<std::size_t>& metrics,
                                       const std::string& title, bool is_rate) {
    std::vector<CurvesPicture> pictures;
    for (const std::size_t metric : metrics) {
        std::vector<Curve> curves = curves_of(swept, metric, over);
        curves.resize(std::min(curves.size(), kCurves));
        const std::optional<Quantity> quantity = swept.metrics[metric].quantity;
        if (swept.axes.size() == 1 && !pictures.empty() && pictures.back().quantity == quantity && !title.empty() &&
            pictures.back().curves.size() < kCurves) {
            pictures.back().curves.push_back(std::move(curves.front()));
            pictures.back().title = title;
        } else {
            pictures.push_back({swept.metrics[metric].name, std::move(curves), quantity, is_rate});
        }
    }
    return pictures;
}

}  // namespace

PlotAxis plot_axis(const SweptAxis& axis) {
    if (!axis.is_numeric()) {
        return {axis.label(), false, axis.labels};
    }
    const std::vector<double>& x = axis.values;
    const bool logarithmic = x.front() > 0 && x.back() - x[x.size() - 2] > kGrowing * (x[1] - x[0]);
    PlotAxis plotted{axis.label(), logarithmic, {}, {}, wider({x.front(), x.back()}, logarithmic)};
    if (x.size() <= kMostTicked) {
        plotted.places = x;
        std::ranges::transform(x, std::back_inserter(plotted.names), short_number);
    }
    return plotted;
}

WorthAPicture worth_a_picture(const Swept& swept) {
    constexpr std::array<std::string_view, 2> kRates{".goodput", ".rate"};
    constexpr std::array<std::string_view, 3> kTogether{".goodput", ".slowest", ".fastest"};
    constexpr std::array<std::string_view, 2> kLatencies{".latency.mean", ".latency.p99"};
    WorthAPicture worth;
    std::vector<std::size_t> timers;
    const bool share = std::ranges::any_of(
        swept.metrics, [](const SweptMetric& metric) { return sweep::is_side_by_side(metric.name); });
    for (std::size_t i = 0; i < swept.metrics.size(); ++i) {
        const std::string& name = swept.metrics[i].name;
        const bool is_program = name.starts_with("programs.");
        const bool is_generator = name.starts_with("traffic.") || name.starts_with("dma.");
        if (sweep::is_side_by_side(name)) {
            if (ends_with_any(name, kTogether)) {
                worth.rates.push_back(i);
            }
        } else if (is_generator && ends_with_any(name, kRates)) {
            if (!share || name.starts_with("dma.")) {  // otherwise it is part of the figures side by side
                worth.rates.push_back(i);
            }
        } else if (is_generator && ends_with_any(name, kLatencies)) {
            worth.latencies.push_back(i);
        } else if (is_program && name.ends_with(".mean")) {
            timers.push_back(i);
        } else if (!is_program && !is_generator) {
            worth.others.push_back(i);
        }
    }
    if (worth.rates.empty()) {
        worth.latencies.insert(worth.latencies.end(), timers.begin(), timers.end());
    }
    return worth;
}

std::optional<std::size_t> knee_of(const Values& values) {
    std::uint64_t best = 0;
    for (const auto& value : values) {
        best = std::max(best, value.value_or(0));
    }
    std::size_t knee = values.size();
    while (knee > 0 && values[knee - 1] && *values[knee - 1] >= best - best / kBest) {
        --knee;
    }
    return knee == 0 || knee + 1 >= values.size() ? std::nullopt : std::optional(knee);
}

std::string curves_chapter(const Swept& run) {
    const std::optional<Swept> grid = unfolded(run);
    const Swept& swept = grid ? *grid : run;
    const WorthAPicture worth = worth_a_picture(swept);
    const std::size_t over = main_axis(swept);
    std::vector<CurvesPicture> pictures = pictures_of(swept, over, worth.rates, "rate", true);
    for (const auto& [metrics, title] : {std::pair(worth.latencies, "latency"), std::pair(worth.others, "")}) {
        std::ranges::move(pictures_of(swept, over, metrics, title, false), std::back_inserter(pictures));
    }
    std::string html;
    for (std::size_t i = 0; i < std::min(pictures.size(), kMostCurves); ++i) {
        html += figure_html(pictures[i], swept.axes[over], i + 1);
    }
    if (pictures.size() > kMostCurves) {
        html += note(fmt::format("{} figures more are in sweep.csv.", pictures.size() - kMostCurves));
    }
    if (const std::size_t all = swept.points.size() / swept.axes[over].steps(); all > kCurves) {
        html += note(fmt::format("The first {} of {} curves.", kCurves, all));
    }
    return html.empty() ? note("The sweep has no figures to draw; ndsim sweep --metric asks for some.") : html;
}

}  // namespace ndsim::report
