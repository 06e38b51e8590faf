// SPDX-License-Identifier: Apache-2.0
#include "tools/report/line_plot.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

namespace ndsim::report {

namespace {

constexpr double kAxis = 50;         // the height of an x axis with its label
constexpr std::size_t kDotted = 64;  // up to this many points each has a dot

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
    return {{"steps", plot.steps},      {"points", few && !plot.steps}, {"height", plot.height + kAxis},
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
    return {plot.id, plot.title, "", plot.caption, script_json(json_of(plot))};
}

}  // namespace ndsim::report
