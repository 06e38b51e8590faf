// SPDX-License-Identifier: Apache-2.0
#include "tools/sweep/summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <span>

#include "scenarios/result/result_json.hpp"
#include "sim/base/text.hpp"
#include "sim/config/quantity.hpp"
#include "tools/cli/failure.hpp"
#include "tools/cli/figures.hpp"
#include "tools/cli/table.hpp"
#include "tools/sweep/columns.hpp"

namespace ndsim::sweep {

using Json = nlohmann::ordered_json;

namespace {

constexpr std::size_t kRows = 64;
constexpr std::size_t kFailures = 5;

// Marks the figure of a rate that is not steady; the others of the column get a blank.
constexpr std::string_view kUnsteady = "*";
constexpr std::string_view kFootnote =
    "  * not steady: the halves of a measured window differ, polls fall behind what arrives, or a generator was done\n"
    "    before all were warm. Send more messages (count), or measure later (measure.warmup).\n";

std::string text_of(const Figure& figure) {
    const auto quantity = ndsim::quantity_of(figure.unit);
    return quantity ? cli::rounded(to_text(*quantity, figure.value)) : std::to_string(figure.value);
}

std::vector<std::string> columns_of(const std::vector<PointRow>& rows, const std::vector<std::string>& asked_for) {
    return asked_for.empty() ? columns_worth(rows) : asked_for;
}

const Figure* figure_in(const PointRow& row, const std::string& name) {
    const auto figure = std::ranges::find(row.figures, name, &Figure::name);
    return figure == row.figures.end() ? nullptr : &*figure;
}

bool is_unsteady(const PointRow& row, const std::string& column) {
    const Figure* const figure = figure_in(row, column);
    const Figure* const steady = figure_in(row, steadiness_of(column));
    return figure != nullptr && is_rate(ndsim::quantity_of(figure->unit)) && steady != nullptr && steady->value == 0;
}

std::string table_of(const Plan& plan, const std::vector<PointRow>& rows, const std::vector<std::string>& columns,
                     const cli::Paint& paint) {
    const std::vector<std::string> paths = paths_of(plan);
    std::vector<cli::Align> aligned(paths.size() + columns.size(), cli::Align::right);
    aligned.push_back(cli::Align::left);
    cli::Table table(std::move(aligned));
    std::vector<std::string> heads;
    for (const std::string& path : paths) {
        heads.push_back(short_name(path, paths));
    }
    for (const std::string& column : columns) {
        heads.push_back(short_name(column, columns));
    }
    heads.emplace_back("bound by");
    table.heading(heads);
    const std::span<const PointRow> shown(rows.data(), std::min(rows.size(), kRows));
    std::set<std::string> marked;
    for (const std::string& column : columns) {
        if (std::ranges::any_of(shown, [&](const PointRow& row) { return is_unsteady(row, column); })) {
            marked.insert(column);
        }
    }
    for (const PointRow& row : shown) {
        std::vector<std::string> cells = row.settings;
        for (const std::string& column : columns) {
            const Figure* const figure = figure_in(row, column);
            const std::string_view mark = is_unsteady(row, column) ? kUnsteady : " ";
            cells.push_back((figure == nullptr ? "-" : text_of(*figure)) +
                            std::string(marked.contains(column) ? mark : ""));
        }
        cells.push_back(row.has_failed() ? row.words() : row.bound_by.empty() ? "" : row.bound_by.front());
        table.row(cells);
    }
    return table.text(paint) + std::string(marked.empty() ? "" : kFootnote);
}

// The problems of the points in few words; empty if there are none.
std::string failures_in(const std::vector<PointRow>& rows) {
    const auto failed = std::ranges::count_if(rows, &PointRow::has_failed);
    const auto unmet = std::ranges::count_if(rows, &PointRow::is_unmet);
    std::vector<std::string> parts;
    if (failed > 0) {
        parts.push_back(fmt::format("{} of {} points failed", failed, rows.size()));
    }
    if (unmet > 0) {
        parts.push_back(fmt::format("{} of {} points did not meet their expectations", unmet, rows.size()));
    }
    return join(parts, ", ");
}

std::string failures_text(const Plan& plan, const std::vector<PointRow>& rows) {
    std::string text;
    std::size_t shown = 0;
    for (std::size_t point = 0; point < rows.size() && shown < kFailures; ++point) {
        if (rows[point].has_failed()) {
            text += fmt::format("  {}: exit code {}: {}\n", join(overrides_of(plan.axes, point), " "), rows[point].exit,
                                rows[point].why);
            ++shown;
        }
    }
    return text;
}

}  // namespace

std::string short_name(const std::string& path, const std::vector<std::string>& all) {
    std::size_t from = path.rfind('.');
    while (from != std::string::npos) {
        const std::string end = path.substr(from);
        if (std::ranges::count_if(all, [&](const std::string& each) { return ("." + each).ends_with(end); }) == 1) {
            return end.substr(1);
        }
        from = from == 0 ? std::string::npos : path.rfind('.', from - 1);
    }
    return path;
}

std::string summary_text(const Plan& plan, const std::vector<PointRow>& rows, const std::vector<std::string>& asked_for,
                         const std::string& folder, const cli::Paint& paint) {
    std::string text = fmt::format("{}{}{}\n\n{}", plan.file, plan.about.empty() ? "" : ": ", plan.about,
                                   table_of(plan, rows, columns_of(rows, asked_for), paint));
    if (rows.size() > kRows) {
        text += fmt::format("  ... and {} points more\n", rows.size() - kRows);
    }
    if (const std::string failures = failures_text(plan, rows); !failures.empty()) {
        text += fmt::format("\nFailed (the first {} are shown)\n{}", kFailures, failures);
    }
    text += fmt::format(
        "\n"
        "Results in {}\n"
        "  sweep.csv      a line for each point\n"
        "  sweep.ndjson   all figures of each point\n"
        "  sweep.sqlite   the same as tables\n",
        folder);
    std::error_code error;
    if (std::filesystem::exists(folder + "/points.ndjson", error)) {  // ndsim collect writes none
        text += "  points.ndjson  the points done, for a restart of the sweep\n";
    }
    return text;
}

Json summary_json(const Plan& plan, const std::vector<PointRow>& rows, const std::string& folder) {
    Json points = Json::array();
    for (const PointRow& row : rows) {
        Json figures = Json::object();
        for (const Figure& figure : row.figures) {
            figures[figure.name] = {{"value", figure.value}, {"unit", figure.unit}};
        }
        points.push_back({{"settings", row.settings},
                          {"exit", row.exit},
                          {"outcome", row.outcome},
                          {"why", row.why},
                          {"bound_by", row.bound_by},
                          {"metrics", std::move(figures)}});
    }
    return {{"file", plan.file},
            {"paths", paths_of(plan)},
            {"points", std::move(points)},
            {"failed", std::ranges::count_if(rows, &PointRow::has_failed)},
            {"unmet", std::ranges::count_if(rows, &PointRow::is_unmet)},
            {"folder", folder}};
}

cli::ExitCode tell_summary(const Plan& plan, const std::vector<PointRow>& rows,
                           const std::vector<std::string>& asked_for, const std::string& folder, bool json,
                           bool quiet) {
    const std::string why = failures_in(rows);
    const cli::ExitCode exit = why.empty() ? cli::ExitCode::success : cli::ExitCode::expectation_failed;
    if (json) {
        Json said{{"result", summary_json(plan, rows, folder)}};
        if (!why.empty()) {
            said["error"] = why;
        }
        cli::print_envelope(exit, said);
        return exit;
    }
    if (!quiet) {
        cli::print(summary_text(plan, rows, asked_for, folder, cli::Paint(stdout)));
    }
    if (!why.empty()) {
        cli::tell({exit, why}, false);
    }
    return exit;
}

}  // namespace ndsim::sweep
