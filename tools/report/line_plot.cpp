// SPDX-License-Identifier: Apache-2.0
#include "tools/report/line_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "tools/report/scale.hpp"

namespace ndsim::report {

namespace {

constexpr double kPlotLeft = 64;
constexpr double kRight = 16;
constexpr double kBelow = 40;
constexpr double kLine = 16;  // of the legend
constexpr double kAbove = 10;
constexpr std::size_t kMostTicks = 8;
constexpr std::size_t kDotted = 64;  // up to this many points each has a dot

// The places of values on the picture.
class Frame {
public:
    explicit Frame(const LinePlot& plot) : log_(plot.x.logarithmic), height_(plot.height) {
        bool any = false;
        for (const Series& series : plot.series) {
            for (const Point& point : series.points) {
                x_ = any ? Range{std::min(x_.low, point.x), std::max(x_.high, point.x)} : Range{point.x, point.x};
                y_.high = any ? std::max(y_.high, point.y) : point.y;
                any = true;
            }
        }
        x_ = plot.x.range.value_or(x_);
        if (!(x_.high > x_.low)) {  // all in one place
            const double around = x_.low == 0 ? 1 : std::abs(x_.low) * 0.1;
            x_ = {x_.low - around, x_.high + around};
        }
        if (!plot.x.has_numbers()) {
            x_ = {-0.3, static_cast<double>(plot.x.names.size()) - 0.7};
        }
        y_.high = y_.high > 0 ? y_.high * 1.06 : 1;
    }

    [[nodiscard]] double x(double value) const {
        const double share =
            log_ ? std::log(value / x_.low) / std::log(x_.high / x_.low) : (value - x_.low) / (x_.high - x_.low);
        return kPlotLeft + share * (kPictureWidth - kPlotLeft - kRight);
    }
    [[nodiscard]] double y(double value) const { return top_ + height_ * (1 - value / y_.high); }
    [[nodiscard]] const Range& x_range() const { return x_; }
    [[nodiscard]] const Range& y_range() const { return y_; }
    [[nodiscard]] double bottom() const { return top_ + height_; }
    [[nodiscard]] double top() const { return top_; }
    void move_down(double by) { top_ += by; }

private:
    bool log_;
    double height_;
    Range x_{};
    Range y_{};
    double top_ = 14;
};

// Places of the legend: the names of the series in lines, each behind a piece of its line; and where they end.
struct LegendPlace {
    Point at;
    std::size_t series;
};

std::vector<LegendPlace> legend_of(const LinePlot& plot) {
    std::vector<LegendPlace> places;
    Point at{kPlotLeft, 14};
    for (std::size_t i = 0; i < plot.series.size(); ++i) {
        const double width = 40 + width_of(plot.series[i].name);
        if (at.x > kPlotLeft && at.x + width > kPictureWidth) {
            at = {kPlotLeft, at.y + kLine};
        }
        places.push_back({at, i});
        at.x += width;
    }
    return places;
}

void draw_legend(Svg& svg, const LinePlot& plot, const std::vector<LegendPlace>& places) {
    for (const auto& [at, i] : places) {
        svg.line({at.x, at.y - 4}, {at.x + 24, at.y - 4}, {nth_colour(i), 2, nth_dashes(i)});
        svg.text({at.x + 28, at.y}, plot.series[i].name);
    }
}

void draw_x_axis(Svg& svg, const LinePlot& plot, const Frame& frame) {
    const Range& range = frame.x_range();
    const auto tick = [&](double value, const std::string& text) {
        svg.line({frame.x(value), frame.top()}, {frame.x(value), frame.bottom() + 4}, {colour::kGrid});
        svg.text({frame.x(value), frame.bottom() + 16}, text, {Anchor::middle});
    };
    if (!plot.x.names.empty()) {
        double free_from = 0;  // overlapping labels are left out
        for (std::size_t i = 0; i < plot.x.names.size(); ++i) {
            const double half = width_of(plot.x.names[i]) / 2 + 3;
            const double at = frame.x(plot.x.place(i));
            const bool fits = at - half >= free_from;
            tick(plot.x.place(i), fits ? plot.x.names[i] : "");
            free_from = fits ? at + half : free_from;
        }
    } else if (plot.x.logarithmic) {
        for (const double value : log_ticks(range.low, range.high)) {
            tick(value, short_number(value));
        }
    } else {
        const std::vector<double> ticks = round_ticks(range.low, range.high, kMostTicks);
        const double step = ticks.size() > 1 ? ticks[1] - ticks[0] : 1;
        for (const double value : ticks) {
            tick(value, tick_text(value, step));
        }
    }
    svg.text({(kPlotLeft + kPictureWidth - kRight) / 2, frame.bottom() + 34}, plot.x.label,
             {Anchor::middle, colour::kFaint});
}

void draw_y_axis(Svg& svg, const LinePlot& plot, const Frame& frame) {
    const auto count = static_cast<std::size_t>(plot.height / 43);
    const std::vector<double> ticks = round_ticks(0, frame.y_range().high, std::max<std::size_t>(count, 2));
    const double step = ticks.size() > 1 ? ticks[1] - ticks[0] : 1;
    for (const double value : ticks) {
        svg.line({kPlotLeft - 4, frame.y(value)}, {kPictureWidth - kRight, frame.y(value)}, {colour::kGrid});
        svg.text({kPlotLeft - 8, frame.y(value) + 4}, tick_text(value, step), {Anchor::end});
    }
    svg.text({4, frame.top() - 4}, plot.y.label, {Anchor::start, colour::kFaint});
    svg.line({kPlotLeft, frame.top()}, {kPlotLeft, frame.bottom()}, {colour::kFaint});
    svg.line({kPlotLeft, frame.bottom()}, {kPictureWidth - kRight, frame.bottom()}, {colour::kFaint});
}

void draw_series(Svg& svg, const LinePlot& plot, const Frame& frame, std::size_t number) {
    std::vector<Point> points;
    for (const Point& point : plot.series[number].points) {
        const Point at{frame.x(point.x), frame.y(point.y)};
        if (plot.steps && !points.empty()) {
            points.push_back({at.x, points.back().y});
        }
        points.push_back(at);
    }
    svg.polyline(points, {nth_colour(number), plot.steps ? 1.5 : 2, nth_dashes(number)});
    if (!plot.steps && !plot.series[number].is_bound && plot.series[number].points.size() <= kDotted) {
        for (const Point& point : plot.series[number].points) {
            const std::string x =
                plot.x.has_numbers() ? short_number(point.x) : plot.x.names.at(static_cast<std::size_t>(point.x));
            svg.circle({frame.x(point.x), frame.y(point.y)}, 3, nth_colour(number),
                       fmt::format("{}: {} = {}, {} = {}", plot.series[number].name, plot.x.label, x, plot.y.label,
                                   short_number(point.y)));
        }
    }
}

// Labels are at the top, below each other, on the side with room.
void draw_marks(Svg& svg, const LinePlot& plot, const Frame& frame) {
    double y = frame.top() + 12;
    for (const Mark& mark : plot.marks) {
        const Point at{frame.x(mark.at.x), frame.y(mark.at.y)};
        svg.line({at.x, frame.top()}, {at.x, frame.bottom()}, {colour::kText, 1, "3 3"});
        const bool at_the_left = at.x + width_of(mark.label) + 10 > kPictureWidth - kRight;
        svg.text({at_the_left ? at.x - 6 : at.x + 6, y}, mark.label,
                 {at_the_left ? Anchor::end : Anchor::start, colour::kText, true, true});
        svg.circle(at, 5, colour::kText, mark.label);
        svg.circle(at, 2.5, "#fff", mark.label);
        y += mark.label.empty() ? 0 : kLine;
    }
}

std::string svg_of(const LinePlot& plot) {
    Frame frame(plot);
    const std::vector<LegendPlace> legend = legend_of(plot);
    frame.move_down((legend.empty() ? 0 : legend.back().at.y) + 10);
    Svg svg(kPictureWidth, frame.bottom() + kBelow, plot.title);
    draw_legend(svg, plot, legend);
    draw_x_axis(svg, plot, frame);
    draw_y_axis(svg, plot, frame);
    for (std::size_t i = 0; i < plot.series.size(); ++i) {
        draw_series(svg, plot, frame, i);
    }
    draw_marks(svg, plot, frame);
    return svg.take();
}

nlohmann::ordered_json json_of(const PlotAxis& axis) {
    nlohmann::ordered_json json{
        {"label", axis.label}, {"logarithmic", axis.logarithmic}, {"names", axis.names}, {"places", axis.places}};
    if (axis.range) {
        json["range"] = {axis.range->low, axis.range->high};
    }
    return json;
}

nlohmann::ordered_json json_of(const LinePlot& plot) {
    nlohmann::ordered_json all = nlohmann::ordered_json::array();
    bool few = true;
    for (std::size_t i = 0; i < plot.series.size(); ++i) {
        nlohmann::ordered_json points = nlohmann::ordered_json::array();
        for (const Point& point : plot.series[i].points) {
            points.push_back({point.x, point.y});
        }
        few = few && plot.series[i].points.size() <= kDotted;
        all.push_back({{"name", plot.series[i].name},
                       {"colour", nth_colour(i)},
                       {"dashes", nth_dashes(i)},
                       {"bound", plot.series[i].is_bound},
                       {"points", std::move(points)}});
    }
    nlohmann::ordered_json marks = nlohmann::ordered_json::array();
    for (const Mark& mark : plot.marks) {
        marks.push_back({{"x", mark.at.x}, {"y", mark.at.y}, {"label", mark.label}});
    }
    return {{"steps", plot.steps},      {"points", few && !plot.steps}, {"height", plot.height + kBelow + kAbove},
            {"group", plot.group},      {"x", json_of(plot.x)},         {"y", json_of(plot.y)},
            {"series", std::move(all)}, {"marks", std::move(marks)}};
}

}  // namespace

Range wider(Range range, bool logarithmic) {
    constexpr double kMargin = 0.02;
    if (logarithmic) {
        const double factor = std::pow(range.high / range.low, kMargin);
        return {range.low / factor, range.high * factor};
    }
    const double margin = kMargin * (range.high - range.low);
    return {range.low - margin, range.high + margin};
}

Figure figure_of(const LinePlot& plot) {
    return {plot.id, plot.title, svg_of(plot), plot.caption, script_json(json_of(plot))};
}

}  // namespace ndsim::report
