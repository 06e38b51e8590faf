// SPDX-License-Identifier: Apache-2.0
#include "tools/report/error_bar_curves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "scenarios/result/result_json.hpp"
#include "tools/cli/error_bars.hpp"
#include "tools/report/depth_curves.hpp"
#include "tools/report/html.hpp"
#include "tools/report/line_plot.hpp"
#include "tools/report/scale.hpp"
#include "tools/report/swept.hpp"
#include "tools/sweep/summary.hpp"

namespace ndsim::report {

using Json = nlohmann::ordered_json;

namespace {

// The three curves of a figure, and their names.
struct End {
    const char* key;
    const char* name;
};
constexpr std::array kEnds{End{"value", ""}, End{"high", "highest with estimates"},
                           End{"low", "lowest with estimates"}};

std::optional<std::uint64_t> figure_of(const Json& json) {
    return json.is_null() ? std::nullopt : std::optional(json.get<std::uint64_t>());
}

std::string curves_html(const Json& points, std::size_t index, const Json& metric, const SweptAxis& axis) {
    const std::string name = metric.at("name");
    std::uint64_t most = 0;
    for (const Json& point : points) {
        for (const auto& [key, _] : kEnds) {
            most = std::max(most, figure_of(point.at("figures").at(index).at(key)).value_or(0));
        }
    }
    const Unit unit = unit_for(ndsim::quantity_of(metric.at("unit").get<std::string>()), most);
    LinePlot plot{fmt::format("error-bars-{}", index), name, {}, plot_axis(axis), {name + unit.in_brackets()}, {}};
    for (const auto& [key, word] : kEnds) {
        const bool is_end = *word != '\0';
        Series series{is_end ? word : name, {}, is_end};
        for (std::size_t step = 0; step < axis.steps(); ++step) {
            if (const auto figure = figure_of(points.at(axis.places[step]).at("figures").at(index).at(key))) {
                series.points.push_back({axis.values[step], unit(*figure)});
            }
        }
        plot.series.push_back(std::move(series));
    }
    return html_of(figure_of(plot));
}

std::string points_table(const Json& study, const std::vector<std::string>& paths) {
    TableOf table;
    for (const std::string& path : paths) {
        table.heading.push_back(">" + sweep::short_name(path, paths));
    }
    std::vector<std::string> names;
    for (const Json& metric : study.at("metrics")) {
        names.push_back(metric.at("name"));
    }
    for (const std::string& name : names) {
        table.heading.insert(table.heading.end(), {">" + sweep::short_name(name, names), ">with estimates"});
    }
    for (const Json& point : study.at("points")) {
        auto cells = point.at("values").get<std::vector<std::string>>();
        for (std::size_t i = 0; i < names.size(); ++i) {
            const std::string unit = study.at("metrics").at(i).at("unit");
            const auto text = [&](const char* key) {
                return cli::figure_text(figure_of(point.at("figures").at(i).at(key)), unit);
            };
            cells.insert(cells.end(), {text("value"), text("low") + " to " + text("high")});
        }
        table.rows.push_back(std::move(cells));
    }
    return html_of(table);
}

}  // namespace

std::string error_bars_chapter(const Json& study) {
    const Json& points = study.at("points");
    if (points.empty()) {
        return {};
    }
    Axis axis{study.at("axes").get<std::vector<std::string>>(), {}};
    for (const Json& point : points) {
        axis.steps.push_back(point.at("values").get<std::vector<std::string>>());
    }
    std::string html = note(
        "At each point, all estimates that matter there are set at once to the ends of their "
        "ranges that lower the figure, and to those that raise it.");
    if (const SweptAxis swept = swept_axis(axis); axis.paths.size() == 1 && swept.is_numeric()) {
        for (std::size_t i = 0; i < study.at("metrics").size(); ++i) {
            html += curves_html(points, i, study.at("metrics").at(i), swept);
        }
    }
    return html + points_table(study, axis.paths);
}

}  // namespace ndsim::report
