// SPDX-License-Identifier: Apache-2.0
#include "tools/sensitivity/study_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tools/cli/error_bars.hpp"
#include "tools/cli/figures.hpp"
#include "tools/cli/table.hpp"
#include "tools/sweep/summary.hpp"

namespace ndsim::sensitivity {

namespace {

constexpr std::size_t kMostRows = 20;

// "-12.3 %"; for a figure that is 0, what it becomes.
std::string change(const Figure& figure, std::uint64_t base, const std::string& unit) {
    if (!figure) {
        return "aborted";
    }
    if (base == 0) {
        return cli::figure_text(figure, unit);
    }
    const bool falls = *figure < base;
    return fmt::format("{}{} %", falls ? "-" : "+", cli::percent(falls ? base - *figure : *figure - base, base));
}

std::string end_text(const std::optional<std::string>& value, const Figure& figure, const std::string& refusal,
                     std::uint64_t base, const std::string& unit) {
    return value ? fmt::format("{} at {}", refusal.empty() ? change(figure, base, unit) : "refused", *value) : "-";
}

// Why ends of ranges were not run.
std::string refusals_text(const Study& study) {
    std::string text;
    for (const Effect& each : study.effects) {
        for (const auto& [value, refusal] :
             {std::pair(&each.factor.low, &each.low_refusal), {&each.factor.high, &each.high_refusal}}) {
            text += refusal->empty() ? "" : fmt::format("  {} = {}: {}\n", each.factor.name, **value, *refusal);
        }
    }
    return text.empty() ? text : "\nRefused\n" + text;
}

// "81.2 us to 93 us, if all 5 estimates that matter are off in the same direction, as far as their ranges go".
std::string range_text(const Study& study, std::size_t metric) {
    const Corners& corners = study.corners[metric];
    const Span& span = study.spans[metric];
    const std::string& unit = study.units[metric];
    return fmt::format("  {} to {}, if {}\n", cli::figure_text(span.low, unit), cli::figure_text(span.high, unit),
                       cli::range_condition(corners.estimates, corners.low_alone, corners.high_alone));
}

std::string metric_text(const Study& study, std::size_t metric, const cli::Paint& paint) {
    const std::uint64_t base = study.base[metric];
    const std::string& unit = study.units[metric];
    std::vector<const Effect*> rows;
    for (const Effect& effect : study.effects) {
        const bool broke_off =
            (effect.factor.low && !effect.low[metric]) || (effect.factor.high && !effect.high[metric]);
        if (broke_off || swing(effect, metric, base) >= kMatters) {
            rows.push_back(&effect);
        }
    }
    std::ranges::stable_sort(rows, std::greater{}, [&](const Effect* each) { return swing(*each, metric, base); });
    std::string text = "\n" + paint.strong(study.metrics[metric]) + fmt::format(": {}\n", cli::figure_text(base, unit));
    if (study.corners[metric].estimates > 0) {
        text += range_text(study, metric);
    }
    if (rows.empty()) {
        return text + "  no parameter changes it by a thousandth\n";
    }
    cli::Table table({cli::Align::left, cli::Align::right, cli::Align::left, cli::Align::left, cli::Align::left});
    table.heading({"parameter", "value", "low end", "high end", ""});
    for (std::size_t i = 0; i < std::min(rows.size(), kMostRows); ++i) {
        const Effect& row = *rows[i];
        table.row({row.factor.name, row.factor.value,
                   end_text(row.factor.low, row.low[metric], row.low_refusal, base, unit),
                   end_text(row.factor.high, row.high[metric], row.high_refusal, base, unit),
                   row.factor.is_estimate ? "estimate" : ""});
    }
    text += table.text(paint);
    return rows.size() <= kMostRows ? text : text + fmt::format("  and {} more\n", rows.size() - kMostRows);
}

// A row for each point of the sweep: every figure, and its range over the estimates.
std::string points_text(const Study& study, const cli::Paint& paint) {
    std::vector<cli::Align> aligned(study.paths.size() + 2 * study.metrics.size(), cli::Align::right);
    std::vector<std::string> heads;
    for (const std::string& path : study.paths) {
        heads.push_back(sweep::short_name(path, study.paths));
    }
    for (const std::string& metric : study.metrics) {
        heads.push_back(sweep::short_name(metric, study.metrics));
        heads.emplace_back("with estimates");
    }
    cli::Table table(aligned);
    table.heading(heads);
    for (const BarPoint& point : study.points) {
        std::vector<std::string> cells = point.values;
        for (std::size_t i = 0; i < study.metrics.size(); ++i) {
            cells.push_back(cli::figure_text(point.figures[i], study.units[i]));
            cells.push_back(fmt::format("{} to {}", cli::figure_text(point.spans[i].low, study.units[i]),
                                        cli::figure_text(point.spans[i].high, study.units[i])));
        }
        table.row(cells);
    }
    return "\n" + table.text(paint);
}

}  // namespace

std::string study_text(const std::string& file, const Study& study, const cli::Paint& paint) {
    std::string text = fmt::format("{}: {} parameters, each at both ends of its range; {} more had no effect\n", file,
                                   study.parameters, study.without_effect);
    for (std::size_t metric = 0; metric < study.metrics.size(); ++metric) {
        text += metric_text(study, metric, paint);
    }
    text += refusals_text(study);
    return study.points.empty() ? text : text + points_text(study, paint);
}

}  // namespace ndsim::sensitivity
