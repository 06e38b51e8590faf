// SPDX-License-Identifier: Apache-2.0
#include "tools/report/sweep_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "scenarios/result/version.hpp"
#include "sim/base/counted.hpp"
#include "sim/base/text.hpp"
#include "tools/cli/exit_code.hpp"
#include "tools/cli/figures.hpp"
#include "tools/report/depth_curves.hpp"
#include "tools/report/heatmap.hpp"
#include "tools/report/html.hpp"
#include "tools/report/made_by.hpp"
#include "tools/report/page.hpp"
#include "tools/report/swept.hpp"
#include "tools/sweep/columns.hpp"
#include "tools/sweep/summary.hpp"

namespace ndsim::report {

namespace {

constexpr std::size_t kTableRows = 64;
constexpr std::size_t kMetricColumns = 6;

// Whether --vary can name these values: commas and colons separate them there.
bool can_be_named(const Axis& axis) {
    return std::ranges::all_of(axis.steps, [](const std::vector<std::string>& step) {
        return std::ranges::all_of(
            step, [](const std::string& value) { return value.find_first_of(",:") == std::string::npos; });
    });
}

// The command that sweeps again; what the scenario's "sweep" varies is written out where the command line can say it.
std::vector<std::string> command_of(const sweep::Plan& plan) {
    std::vector<std::string> words{"ndsim", "sweep", plan.file};
    for (const std::string& override : plan.overrides) {
        words.insert(words.end(), {"--set", override});
    }
    for (const Axis& axis : plan.axes) {
        if (!can_be_named(axis)) {
            continue;
        }
        std::vector<std::string> steps;
        std::ranges::transform(axis.steps, std::back_inserter(steps), [](const auto& step) { return join(step, ":"); });
        words.insert(words.end(), {"--vary", join(axis.paths, ",") + "=" + join(steps, ",")});
    }
    return words;
}

std::string head_of(const Swept& swept) {
    const auto failed = std::ranges::count_if(swept.points, &SweptPoint::has_failed);
    const auto unmet = std::ranges::count_if(swept.points, &SweptPoint::is_unmet);
    std::string html =
        fmt::format("<h1>{}</h1>\n{}", escaped(swept.plan.name() + ": sweep"), paragraph(swept.plan.about));
    const std::string presets = presets_text(swept.settings);
    html +=
        fmt::format("<p>{}{}", presets.empty() ? "" : escaped(presets) + ", ", counted(swept.points.size(), "point"));
    for (const SweptAxis& axis : swept.axes) {
        html += fmt::format("; {}: {}", escaped(axis.name), counted(axis.steps(), "value"));
    }
    html += ".";
    html += failed == 0 ? "" : fmt::format(" <span class=\"bad\">{} failed.</span>", failed);
    html += unmet == 0 ? "" : fmt::format(" <span class=\"bad\">{} did not meet their expectations.</span>", unmet);
    html += "</p>\n";
    return html + made_by_html({std::string(version()), command_of(swept.plan), swept.settings});
}

std::vector<std::size_t> columns_of(const Swept& swept) {
    const WorthAPicture worth = worth_a_picture(swept);
    std::vector<std::size_t> columns = worth.rates;
    columns.insert(columns.end(), worth.latencies.begin(), worth.latencies.end());
    columns.insert(columns.end(), worth.others.begin(), worth.others.end());
    columns.resize(std::min(columns.size(), kMetricColumns));
    return columns;
}

// Whether the figure comes from a rate that is not steady.
bool is_unsteady(const Swept& swept, const SweptPoint& point, std::size_t column) {
    const SweptMetric& metric = swept.metrics[column];
    const auto steady = std::ranges::find(swept.metrics, sweep::steadiness_of(metric.name), &SweptMetric::name);
    return sweep::is_rate(metric.quantity) && steady != swept.metrics.end() &&
           point.figures[static_cast<std::size_t>(steady - swept.metrics.begin())] == 0;
}

std::string points_table(const Swept& swept) {
    const std::vector<std::size_t> columns = columns_of(swept);
    TableOf table;
    std::vector<std::string> names;
    for (const Axis& axis : swept.plan.axes) {
        std::ranges::copy(axis.paths, std::back_inserter(names));
    }
    for (const std::size_t column : columns) {
        names.push_back(swept.metrics[column].name);
    }
    for (const Axis& axis : swept.plan.axes) {
        std::vector<std::string> heading;
        for (const std::size_t i : varied_paths(axis)) {
            heading.push_back(sweep::short_name(axis.paths[i], names));
        }
        table.heading.push_back(">" + join(heading, ", "));
    }
    for (const std::size_t column : columns) {
        table.heading.push_back(">" + sweep::short_name(swept.metrics[column].name, names));
    }
    table.heading.insert(table.heading.end(), {"bound by", "outcome"});
    bool any_marked = false;
    for (const SweptPoint& point : swept.points) {
        if (table.rows.size() == kTableRows) {
            break;
        }
        std::vector<std::string> cells;
        for (std::size_t i = 0; i < swept.axes.size(); ++i) {
            cells.push_back(swept.axes[i].labels[point.steps[i]]);
        }
        for (const std::size_t column : columns) {
            const auto value = point.figures[column];
            const bool marked = value && is_unsteady(swept, point, column);
            any_marked = any_marked || marked;
            cells.push_back((value ? cli::figure(Metric{{}, *value, swept.metrics[column].quantity, {}}) : "-") +
                            (marked ? " *" : ""));
        }
        cells.push_back(point.bound_by.substr(0, point.bound_by.find(';')));
        cells.push_back(point.words() + (point.has_failed() && !point.why.empty() ? ": " + point.why : ""));
        table.rows.push_back(std::move(cells));
    }
    return html_of(table) +
           (any_marked ? note("* not steady: the halves of a measured window differ, polls fall behind what arrives, "
                              "or a generator was done before all were warm. Send more messages (count), or measure "
                              "later (measure.warmup).")
                       : "") +
           (swept.points.size() > kTableRows
                ? note(fmt::format("The first {} of {} points; sweep.csv has all.", kTableRows, swept.points.size()))
                : "");
}

}  // namespace

std::string sweep_page(const std::string& folder) {
    const Swept swept = read_swept(folder);
    std::vector<Chapter> chapters{{"Curves", curves_chapter(swept)}};
    if (std::string heatmaps = heatmap_chapter(swept); !heatmaps.empty()) {
        chapters.push_back({"Heatmaps", std::move(heatmaps)});
    }
    chapters.push_back({"Points", points_table(swept)});
    return page_of(swept.plan.file + ": sweep", head_of(swept), chapters);
}

}  // namespace ndsim::report
