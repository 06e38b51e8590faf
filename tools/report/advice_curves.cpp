// SPDX-License-Identifier: Apache-2.0
#include "tools/report/advice_curves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "scenarios/format/target.hpp"
#include "sim/base/text.hpp"
#include "sim/config/quantity.hpp"
#include "tools/cli/figures.hpp"
#include "tools/report/html.hpp"
#include "tools/report/line_plot.hpp"
#include "tools/report/scale.hpp"

namespace ndsim::report {

using Json = nlohmann::ordered_json;

namespace {

constexpr double kAboveMost = 1.5;  // bounds further above the measured rates are not drawn
constexpr double kHeadroom = 1.05;  // of Little's line above the highest of the others
constexpr int kPieces = 32;         // of Little's line, which is bent on a logarithmic axis

// The limits of a step, each once.
std::vector<std::string> limits_at(const Json& step) {
    std::vector<std::string> limits;
    for (const Json& limit : step.at("bound_by")) {
        if (std::string what = limit.at("what"); std::ranges::find(limits, what) == limits.end()) {
            limits.push_back(std::move(what));
        }
    }
    return limits;
}

// A plot over a dimension's depths, without its curves. Depths are marked on the first.
LinePlot plot_over(const Json& dimension, const std::string& id, const std::string& title, const std::string& y) {
    const std::string name = dimension_name(dimension);
    LinePlot plot{id, title, {}, {name}, {y}, {}};
    const Json& curve = dimension.at("curve");
    const Range range{curve.front().at("depth").get<double>(), curve.back().at("depth").get<double>()};
    constexpr double kFar = 8;  // last to first; from here on the axis is logarithmic
    plot.x.logarithmic = range.low > 0 && range.high / range.low >= kFar;
    plot.x.range = range.high > range.low ? std::optional(wider(range, plot.x.logarithmic)) : std::nullopt;
    const Json& smallest = dimension.at("smallest");
    for (const Json& step : curve) {
        if (smallest.is_null() || step.at("depth") < smallest) {
            plot.caption =
                fmt::format("With {}: {}.", step.at("depth").get<std::uint64_t>(), found_at(step));  // the last
        }
    }
    return plot;
}

// The smallest depth that holds by itself, and the depth to build, if the curve goes that far.
void mark_depths(LinePlot& plot, const Json& advice, const Json& dimension) {
    const auto mark = [&](const Json& depth, std::string_view label) {
        const std::vector<Point>& points = plot.series.front().points;
        const auto behind = std::ranges::upper_bound(points, depth.get<double>(), {}, &Point::x);
        if (behind != points.begin() && depth <= points.back().x) {
            plot.marks.push_back(
                {{depth.get<double>(), std::prev(behind)->y}, fmt::format("{} {}", label, depth.dump())});
        }
    };
    const Json& smallest = dimension.at("smallest");
    const Json built = advice.at("build").is_null()
                           ? Json()
                           : advice.at("build").at("depths").at(dimension.at("name").get<std::string>());
    if (!smallest.is_null() && smallest != built) {
        mark(smallest, "enough by itself:");
    }
    if (!built.is_null()) {
        mark(built, "to build:");
    }
}

// Little's law: the rate of one slot.
struct Slots {
    double rate_each = 0;  // bits per second
    std::string name;
};

// From the formula where it bounds the curve; otherwise from the slot that was held for the shortest time, if slots
// bound the first step.
std::optional<Slots> slots_of(const Json& dimension) {
    const Json& curve = dimension.at("curve");
    const double payload = dimension.at("payload_each").get<double>();
    const Json& last = curve.back();
    Slots slots;
    std::string which = "one request alone";
    if (!last.at("at_most_bps").is_null()) {
        slots.rate_each = last.at("at_most_bps").get<double>() / last.at("depth").get<double>();
    } else {
        const auto binds = [&dimension](const Json& limit) {
            return std::ranges::count(dimension.at("paths"), limit.at("parameter")) > 0;
        };
        if (!std::ranges::any_of(curve.front().at("bound_by"), binds)) {
            return std::nullopt;
        }
        which = "the slot held for the shortest time";
        for (const Json& step : curve) {
            slots.rate_each =
                std::max(slots.rate_each, step.at("goodput_bps").get<double>() / step.at("depth").get<double>());
        }
    }
    if (slots.rate_each <= 0) {
        return std::nullopt;
    }
    if (payload <= 0) {  // a slot holds what it gets, such as a receive
        slots.name =
            fmt::format("Little's law: depth x {} ({})",
                        cli::rounded(to_text(Quantity::rate, static_cast<std::uint64_t>(slots.rate_each))), which);
        return slots;
    }
    constexpr double kPicoseconds = 8e12;  // for bytes at a rate of bits per second
    const Picoseconds time{std::llround(payload * kPicoseconds / slots.rate_each)};
    slots.name =
        fmt::format("Little's law: depth x {} / {} ({})",
                    cli::rounded(to_text(Bytes{static_cast<std::uint64_t>(payload)})), cli::figure(time), which);
    return slots;
}

// The part of the line up to a height.
Series line_of(const Slots& slots, Range x, bool logarithmic, double top, double unit) {
    Series line{slots.name, {}, true};
    const double each = slots.rate_each / unit;
    const double end = std::min(x.high, top / each);
    for (int i = 0; end > x.low && i <= kPieces; ++i) {
        const double share = static_cast<double>(i) / kPieces;
        const double at = logarithmic ? x.low * std::pow(end / x.low, share) : x.low + share * (end - x.low);
        line.points.push_back({at, at * each});
    }
    return line;
}

// Bounds that no depth changes, near the measured rates; without any, what bound the most that was reached.
std::vector<std::pair<std::string, double>> levels_of(const Json& advice, double most) {
    std::vector<std::pair<std::string, double>> levels;
    for (const Json& bound : advice.at("bounds")) {
        const auto rate = bound.at("rate_bps").get<double>();
        if (bound.at("of_all").get<bool>() && rate > 0 && rate <= most * kAboveMost) {
            levels.emplace_back("bound: " + bound.at("what").get<std::string>(), rate);
        }
    }
    const Json& generous = advice.at("generous");
    if (levels.empty() && generous.at("goodput_bps").get<double>() > 0) {
        const std::string limits = join(limits_at(generous), ", ");
        levels.emplace_back("with enough of everything" + (limits.empty() ? "" : ", bound by " + limits),
                            generous.at("goodput_bps").get<double>());
    }
    return levels;
}

Figure rate_figure(const Json& advice, const Json& dimension, std::size_t number) {
    double most = 0;
    for (const Json& step : dimension.at("curve")) {
        most = std::max(most, step.at("goodput_bps").get<double>());
    }
    const Unit unit = unit_for(Quantity::rate, static_cast<std::uint64_t>(most));
    const std::string name = dimension_name(dimension);
    LinePlot plot =
        plot_over(dimension, fmt::format("rate-{}", number), "Goodput over " + name, "goodput" + unit.in_brackets());
    Series measured{"measured", {}};
    for (const Json& step : dimension.at("curve")) {
        measured.points.push_back({step.at("depth").get<double>(), unit(step.at("goodput_bps").get<std::uint64_t>())});
    }
    const Range range{measured.points.front().x, measured.points.back().x};
    plot.series.push_back(std::move(measured));
    mark_depths(plot, advice, dimension);
    double top = most;
    std::vector<Series> levels;
    for (const auto& [what, rate] : levels_of(advice, most)) {
        top = std::max(top, rate);
        levels.push_back({what, {{range.low, rate / unit.of}, {range.high, rate / unit.of}}, true});
    }
    if (const auto slots = slots_of(dimension)) {
        Series line = line_of(*slots, range, plot.x.logarithmic, top * kHeadroom / unit.of, unit.of);
        if (!line.points.empty()) {
            plot.series.push_back(std::move(line));
        }
    }
    std::ranges::move(levels, std::back_inserter(plot.series));
    return figure_of(plot);
}

Figure share_figure(const Json& advice, const Json& dimension, std::size_t number) {
    LinePlot plot =
        plot_over(dimension, fmt::format("curve-{}", number), dimension_name(dimension), "of the target [%]");
    Series reached{"reached", {}};
    for (const Json& step : dimension.at("curve")) {
        reached.points.push_back({step.at("depth").get<double>(), step.at("reached_ppm").get<double>() / 10'000});
    }
    plot.series.push_back(std::move(reached));
    mark_depths(plot, advice, dimension);
    return figure_of(plot);
}

bool is_rate(const std::string& text) {
    const auto targets = parse_targets(text);
    return targets.value && std::ranges::all_of(*targets.value, [](const Target& target) {
               return target.kind == TargetKind::line_rate || target.figure.ends_with("goodput");
           });
}

}  // namespace

std::string dimension_name(const Json& dimension) {
    const Json& step = dimension.at("step");
    return dimension.at("name").get<std::string>() + (step.is_null() ? "" : ", in steps of " + step.get<std::string>());
}

std::string length_of_open(const Json& step) {
    const auto times = step.at("times_as_long").get<std::uint64_t>();
    return times > 1 ? fmt::format("not decided in a run {} times as long, too", times)
                     : "not decided in a run that cannot be made longer";
}

std::string found_at(const Json& step) {
    const std::vector<std::string> limits = limits_at(step);
    return join(step.at("found").get<std::vector<std::string>>(), ", ") +
           (step.at("verdict") == "open" ? " (open, " + length_of_open(step) + ")" : "") +
           (limits.empty() ? "" : ", bound by " + join(limits, ", "));
}

std::string depths_over_curves(const Json& advice) {
    const auto targets = advice.at("targets").get<std::vector<std::string>>();
    const bool rates_alone = std::ranges::all_of(targets, is_rate);
    std::string html = paragraph(
        "The result over each depth, with more than enough of everything else; over completion queues, with everything "
        "else as built. Dashed and dotted lines are what Little's law and the bounds allow." +
        std::string(rates_alone ? "" : " A result better than the target counts as 100 %."));
    std::size_t number = 0;
    for (const Json& dimension : advice.at("dimensions")) {
        if (dimension.at("curve").empty()) {
            continue;
        }
        ++number;
        html += rates_alone ? "" : html_of(share_figure(advice, dimension, number));
        html += html_of(rate_figure(advice, dimension, number));
    }
    return number == 0 ? note("No depth was searched, as the targets are not reached with any.") : html;
}

}  // namespace ndsim::report
