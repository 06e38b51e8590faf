// SPDX-License-Identifier: Apache-2.0
#include "tools/report/swept.hpp"

#include <algorithm>
#include <fstream>
#include <functional>
#include <iterator>
#include <numeric>

#include "scenarios/result/result_json.hpp"
#include "sim/base/text.hpp"
#include "tools/cli/failure.hpp"
#include "tools/cli/loaded.hpp"
#include "tools/report/csv_file.hpp"
#include "tools/report/scale.hpp"
#include "tools/sweep/results.hpp"
#include "tools/sweep/sweep_folder.hpp"

namespace ndsim::report {

namespace {

// The columns of sweep.csv between the axes' values and the figures.
enum class Column : std::uint8_t { exit, outcome, why, met, expectations, dead_connections, bound_by, parameters };
constexpr std::size_t kFixedColumns = static_cast<std::size_t>(Column::parameters) + 1;

std::optional<std::uint64_t> count_of(const std::string& text) {
    const std::optional<Amount> amount = amount_in(text);
    return amount && !amount->quantity ? std::optional(amount->value) : std::nullopt;
}

// Whole numbers, or values of one quantity.
struct Numbers {
    std::optional<Quantity> quantity;
    std::vector<std::uint64_t> values;

    [[nodiscard]] bool rise() const { return std::ranges::adjacent_find(values, std::greater_equal{}) == values.end(); }
};

std::optional<Numbers> numbers_of(const std::vector<std::string>& texts) {
    Numbers numbers;
    for (const std::string& text : texts) {
        const std::optional<Amount> amount = amount_in(text);
        if (!amount || (!numbers.values.empty() && amount->quantity != numbers.quantity)) {
            return std::nullopt;
        }
        numbers.quantity = amount->quantity;
        numbers.values.push_back(amount->value);
    }
    return numbers;
}

// The parameters of all points: the plan has the scenario with its overrides, and they tell what the user set.
SettingsByPath settings_of(const sweep::Plan& plan) {
    const cli::ScenarioArguments arguments{plan.file, plan.overrides, {}, 0, plan.written.dump()};
    return by_path(cli::load(arguments).settings());
}

std::vector<std::size_t> steps_of(const std::vector<SweptAxis>& axes, std::size_t point) {
    std::vector<std::size_t> steps(axes.size());
    for (std::size_t i = axes.size(); i-- > 0;) {
        steps[i] = axes[i].ranks[point % axes[i].steps()];
        point /= axes[i].steps();
    }
    return steps;
}

// "traffic.t.goodput [bps]"
SweptMetric metric_of(const std::string& heading) {
    const std::size_t unit = heading.rfind(" [");
    if (unit == std::string::npos || !heading.ends_with(']')) {
        return {heading, std::nullopt};
    }
    return {heading.substr(0, unit), ndsim::quantity_of(heading.substr(unit + 2, heading.size() - unit - 3))};
}

// The steps of an axis of numbers in their order, unless two of them are the same.
void sort_steps(SweptAxis& axis, const Numbers& numbers) {
    std::ranges::sort(axis.places, {}, [&numbers](std::size_t step) { return numbers.values[step]; });
    Numbers sorted{numbers.quantity, {}};
    std::vector<std::string> labels;
    for (const std::size_t place : axis.places) {
        sorted.values.push_back(numbers.values[place]);
        labels.push_back(axis.labels[place]);
    }
    if (!sorted.rise()) {
        std::ranges::sort(axis.places);
        return;
    }
    axis.rises = true;
    axis.labels = std::move(labels);
    const Unit unit = unit_for(sorted.quantity, sorted.values.back());
    std::ranges::transform(sorted.values, std::back_inserter(axis.values), unit);
    axis.unit = unit.name;
}

}  // namespace

std::vector<std::size_t> varied_paths(const Axis& axis) {
    std::vector<std::size_t> varied;
    for (std::size_t i = 0; i < axis.paths.size(); ++i) {
        if (!axis.paths[i].starts_with("expect[")) {
            varied.push_back(i);
        }
    }
    return varied;
}

SweptAxis swept_axis(const Axis& axis) {
    const std::vector<std::size_t> shown = varied_paths(axis);
    std::vector<std::string> names;
    std::ranges::transform(shown, std::back_inserter(names), [&axis](std::size_t i) { return axis.paths[i]; });
    SweptAxis swept;
    swept.name = join(names, ", ");
    for (const std::vector<std::string>& step : axis.steps) {
        std::vector<std::string> values;
        for (const std::size_t i : shown) {
            if (values.empty() || step[i] != values.back()) {
                values.push_back(step[i]);
            }
        }
        swept.labels.push_back(join(values, ", "));
    }
    swept.places.resize(axis.steps.size());
    std::iota(swept.places.begin(), swept.places.end(), std::size_t{0});
    swept.rises = std::ranges::all_of(shown, [&axis](std::size_t i) {
        std::vector<std::string> values;
        std::ranges::transform(axis.steps, std::back_inserter(values), [i](const auto& step) { return step[i]; });
        const auto numbers = numbers_of(values);
        return numbers && std::ranges::is_sorted(numbers->values);
    });
    if (const auto numbers = numbers_of(swept.labels); numbers && numbers->values.size() > 1) {
        sort_steps(swept, *numbers);
    }
    swept.ranks.resize(swept.places.size());
    for (std::size_t step = 0; step < swept.places.size(); ++step) {
        swept.ranks[swept.places[step]] = step;
    }
    return swept;
}

const SweptPoint& Swept::at(const std::vector<std::size_t>& steps) const {
    std::size_t point = 0;
    for (std::size_t i = 0; i < axes.size(); ++i) {
        point = point * axes[i].steps() + axes[i].places[steps[i]];
    }
    return points.at(point);
}

Swept read_swept(const std::string& folder) {
    Swept swept{sweep::read_plan(folder), {}, {}, {}, {}};
    const std::string path = folder + "/sweep.csv";
    std::ifstream file(path, std::ios::binary);
    if (!file) {
        throw cli::UsageError(path +
                              " does not exist: the sweep is not done; the same ndsim sweep command continues it");
    }
    const auto lines = parse_csv(std::string(std::istreambuf_iterator<char>(file), {}));
    const std::size_t values = 1 + sweep::paths_of(swept.plan).size();
    const std::size_t before = values + kFixedColumns;
    if (!lines || lines->size() != swept.plan.points() + 1 || lines->front().size() < before) {
        throw cli::UsageError(path + " does not have the columns and points of sweep.json; run the sweep again");
    }
    swept.settings = settings_of(swept.plan);
    std::ranges::transform(swept.plan.axes, std::back_inserter(swept.axes), swept_axis);
    const std::vector<std::string>& heading = lines->front();
    std::transform(heading.begin() + static_cast<std::ptrdiff_t>(before), heading.end(),
                   std::back_inserter(swept.metrics), metric_of);
    for (std::size_t i = 1; i < lines->size(); ++i) {
        const std::vector<std::string>& cells = (*lines)[i];
        if (cells.size() != heading.size()) {
            throw cli::UsageError(path + ": the line of point " + std::to_string(i - 1) + " is incomplete");
        }
        const auto cell = [&](Column column) { return cells[values + static_cast<std::size_t>(column)]; };
        const auto count = [&](Column column) { return count_of(cell(column)).value_or(0); };
        SweptPoint point{{static_cast<int>(count(Column::exit)), cell(Column::outcome), cell(Column::why),
                          count(Column::met), count(Column::expectations), count(Column::dead_connections)},
                         steps_of(swept.axes, i - 1),
                         cell(Column::bound_by),
                         {}};
        std::transform(cells.begin() + static_cast<std::ptrdiff_t>(before), cells.end(),
                       std::back_inserter(point.figures), count_of);
        swept.points.push_back(std::move(point));
    }
    return swept;
}

}  // namespace ndsim::report
