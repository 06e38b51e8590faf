// SPDX-License-Identifier: Apache-2.0
#include "tools/sweep/results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <future>
#include <set>
#include <utility>

#include "sim/base/text.hpp"
#include "tools/cli/failure.hpp"
#include "tools/cli/interrupt.hpp"
#include "tools/cli/progress_bar.hpp"
#include "tools/sweep/point.hpp"
#include "tools/sweep/sqlite_file.hpp"

namespace ndsim::sweep {

using Json = nlohmann::ordered_json;
using Settings = std::vector<std::pair<std::string, std::string>>;

namespace {

constexpr std::array<std::string_view, 5> kShown{"run.to_", "run.from_", "traffic.", "dma.", "programs."};

Settings settings_of(const Plan& plan, std::size_t point) {
    Settings settings;
    for (const std::string& text : overrides_of(plan.axes, point)) {
        const std::size_t equals = text.find('=');
        settings.emplace_back(text.substr(0, equals), text.substr(equals + 1));
    }
    return settings;
}

std::set<std::string> metrics_expected(const Plan& plan) {
    std::set<std::string> names;
    if (const auto expect = plan.written.find("expect"); expect != plan.written.end()) {
        for (const Json& each : *expect) {
            if (const auto metric = each.find("metric"); metric != each.end()) {
                names.insert(metric->get<std::string>());
            }
        }
    }
    return names;
}

// A line of sweep.ndjson: number and settings come before the members of the result.
std::string line_of(std::size_t point, const Settings& settings, std::string_view result) {
    Json set = Json::object();
    for (const auto& [path, value] : settings) {
        set[path] = value;
    }
    return fmt::format(R"({{"point":{},"settings":{},{})", point, set.dump(), result.substr(1)) + "\n";
}

PointRow row_of(const Settings& settings, const PointResult& point, const std::set<std::string>& names) {
    const Json& result = point.rest;
    PointRow row;
    std::ranges::transform(settings, std::back_inserter(row.settings), [](const auto& each) { return each.second; });
    row.exit = result.at("exit").get<int>();
    row.outcome = result.at("outcome").get<std::string>();
    row.why = result.at("why").get<std::string>();
    for (const Json& each : result.value("expectations", Json::array())) {
        ++row.expectations;
        row.met += each.at("met").get<bool>() ? 1 : 0;
    }
    row.dead_connections = lost_connections(result);
    for (const Json& limit : result.value("limits", Json::array())) {
        if (limit.at("binds").get<bool>()) {
            row.bound_by.push_back(limit.at("what").get<std::string>());
            row.parameters.push_back(limit.at("parameter").get<std::string>());
        }
    }
    std::ranges::copy_if(point.metrics, std::back_inserter(row.figures), [&names](const Figure& metric) {
        return names.contains(metric.name) || std::ranges::any_of(kShown, [&metric](std::string_view shown) {
                   return metric.name.starts_with(shown);
               });
    });
    return row;
}

std::string cell(const std::string& text) {
    if (text.find_first_of(",\"\n") == std::string::npos) {
        return text;
    }
    std::string quoted = "\"";
    for (const char c : text) {
        quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    }
    return quoted + '"';
}

// Every figure that some point has, with its unit, in order of first appearance.
std::vector<std::pair<std::string, std::string>> columns_of(const std::vector<PointRow>& rows) {
    std::vector<std::pair<std::string, std::string>> columns;
    std::set<std::string> seen;
    for (const PointRow& row : rows) {
        for (const Figure& figure : row.figures) {
            if (seen.insert(figure.name).second) {
                columns.emplace_back(figure.name, figure.unit);
            }
        }
    }
    return columns;
}

std::string csv_of(const Plan& plan, const std::vector<PointRow>& rows) {
    const auto columns = columns_of(rows);
    std::vector<std::string> cells{"point"};
    std::ranges::copy(paths_of(plan), std::back_inserter(cells));
    for (const std::string_view name :
         {"exit", "outcome", "why", "expectations_met", "expectations", "dead_connections", "bound_by", "parameters"}) {
        cells.emplace_back(name);
    }
    for (const auto& [name, unit] : columns) {
        cells.push_back(unit == "count" ? name : fmt::format("{} [{}]", name, unit));
    }
    std::string text;
    const auto add_line = [&text, &cells] {
        std::ranges::transform(cells, cells.begin(), cell);
        text += join(cells, ",") + "\n";
        cells.clear();
    };
    add_line();
    for (std::size_t point = 0; point < rows.size(); ++point) {
        const PointRow& row = rows[point];
        cells.push_back(std::to_string(point));
        std::ranges::copy(row.settings, std::back_inserter(cells));
        for (std::string each :
             {std::to_string(row.exit), row.outcome, row.why, std::to_string(row.met), std::to_string(row.expectations),
              std::to_string(row.dead_connections), join(row.bound_by, "; "), join(row.parameters, "; ")}) {
            cells.push_back(std::move(each));
        }
        for (const auto& [name, unit] : columns) {
            const auto figure = std::ranges::find(row.figures, name, &Figure::name);
            cells.push_back(figure == row.figures.end() ? "" : std::to_string(figure->value));
        }
        add_line();
    }
    return text;
}

}  // namespace

std::vector<std::string> paths_of(const Plan& plan) {
    std::vector<std::string> paths;
    for (const Axis& axis : plan.axes) {
        std::ranges::copy(axis.paths, std::back_inserter(paths));
    }
    return paths;
}

PointEnd PointOutcome::end() const {
    if (exit != static_cast<int>(cli::ExitCode::expectation_failed)) {
        return exit == 0 ? PointEnd::well : PointEnd::broken;
    }
    return dead_connections > 0 ? PointEnd::lost_connection : PointEnd::unmet;
}

std::string PointOutcome::words() const {
    switch (end()) {
        case PointEnd::unmet:
            return "not as expected";
        case PointEnd::lost_connection:
            return "a connection died";
        case PointEnd::well:
        case PointEnd::broken:
            break;
    }
    return outcome;
}

std::optional<std::vector<PointRow>> write_results(const Plan& plan, const cli::RunFolder& folder,
                                                   const std::vector<std::string>& asked_for, bool wanted,
                                                   const std::function<std::string(const std::string&)>& text_of) {
    cli::ProgressBar bar("tables", wanted);
    std::set<std::string> names = metrics_expected(plan);
    names.insert(asked_for.begin(), asked_for.end());
    SqliteFile tables(folder.path() + "/sweep.sqlite");
    std::vector<PointRow> rows;
    std::string lines;
    // A thread, if there can be one, parses the next result meanwhile, which takes as long as the tables do.
    const auto parse = [&plan, &text_of](std::size_t point) {
        return std::async([text = text_of(plan.keys[point])]() mutable { return parse_result(std::move(text)); });
    };
    std::future<PointResult> next = parse(0);
    for (std::size_t point = 0; point < plan.points(); ++point) {
        const PointResult result = next.get();
        if (cli::interrupted()) {
            return std::nullopt;
        }
        bar.show({{}, point, plan.points(), "points"});
        if (point + 1 < plan.points()) {
            next = parse(point + 1);
        }
        const Settings settings = settings_of(plan, point);
        lines += line_of(point, settings, result.text);
        tables.add(point, settings, result);
        rows.push_back(row_of(settings, result, names));
    }
    tables.finish();
    folder.write("sweep.ndjson", lines);
    folder.write("sweep.csv", csv_of(plan, rows));
    return rows;
}

}  // namespace ndsim::sweep
