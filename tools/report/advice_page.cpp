// SPDX-License-Identifier: Apache-2.0
#include "tools/report/advice_page.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "sim/base/text.hpp"
#include "tools/cli/failure.hpp"
#include "tools/report/html.hpp"
#include "tools/report/line_plot.hpp"
#include "tools/report/page.hpp"

namespace ndsim::report {

using Json = nlohmann::ordered_json;

namespace {

std::string count_or_dash(const Json& json) {
    return json.is_null() ? "-" : std::to_string(json.get<std::uint64_t>());
}

std::string count_or_none(const Json& json) {
    return json.is_null() ? "none" : count_or_dash(json);
}

// A size counts its steps.
std::string shown_name(const Json& dimension) {
    const Json& step = dimension.at("step");
    return dimension.at("name").get<std::string>() + (step.is_null() ? "" : ", in steps of " + step.get<std::string>());
}

// The length of the run that left a step open.
std::string longest_of(const Json& step) {
    const auto times = step.at("times_as_long").get<std::uint64_t>();
    return times > 1 ? fmt::format("not decided in a run {} times as long, too", times)
                     : "not decided in a run that cannot be made longer";
}

// The verdict of a step and its limits, each once.
std::string found_at(const Json& step) {
    std::vector<std::string> bounds;
    std::set<std::string> seen;
    for (const Json& limit : step.at("bound_by")) {
        if (const std::string what = limit.at("what"); seen.insert(what).second) {
            bounds.push_back(what);
        }
    }
    return join(step.at("found").get<std::vector<std::string>>(), ", ") +
           (step.at("verdict") == "open" ? " (open, " + longest_of(step) + ")" : "") +
           (bounds.empty() ? "" : ", bound by " + join(bounds, ", "));
}

// The figures over one depth, with everything else generous.
Figure curve_of(const Json& dimension, std::size_t number) {
    const std::string name = shown_name(dimension);
    LinePlot plot{fmt::format("curve-{}", number), name, {}, {name}, {"of the target [%]"}, {{"reached", {}}}};
    std::vector<Point>& points = plot.series.front().points;
    const Json& smallest = dimension.at("smallest");
    const Json* below = nullptr;
    for (const Json& step : dimension.at("curve")) {
        const auto depth = step.at("depth").get<std::uint64_t>();
        points.push_back({static_cast<double>(depth), step.at("reached_ppm").get<double>() / 10'000});
        if (!smallest.is_null() && depth == smallest.get<std::uint64_t>()) {
            plot.marks.push_back({points.back(), fmt::format("knee: {} is enough", depth)});
        } else if (smallest.is_null() || depth < smallest.get<std::uint64_t>()) {
            below = &step;
        }
    }
    const Range range{points.front().x, points.back().x};
    constexpr double kFar = 8;  // last to first; from here on the axis is logarithmic
    plot.x.logarithmic = range.low > 0 && range.high / range.low >= kFar;
    plot.x.range = range.high > range.low ? std::optional(wider(range, plot.x.logarithmic)) : std::nullopt;
    if (below != nullptr) {
        plot.caption = fmt::format("With {}: {}.", below->at("depth").get<std::uint64_t>(), found_at(*below));
    }
    return figure_of(plot);
}

std::string curves_chapter(const Json& advice) {
    std::string html = paragraph(
        "The result over each depth, with more than enough of everything else; over completion queues, with everything "
        "else as built. A result better than the target counts as 100 %.");
    std::size_t number = 0;
    for (const Json& dimension : advice.at("dimensions")) {
        html += dimension.at("curve").empty() ? "" : html_of(curve_of(dimension, ++number));
    }
    return number == 0 ? note("No depth was searched, as the targets are not reached with any.") : html;
}

std::string below(const Json& trial) {
    return trial.is_null() ? "-" : found_at(trial);
}

std::string depths_chapter(const Json& advice) {
    const Json& build = advice.at("build");
    if (build.is_null()) {
        const Json& generous = advice.at("generous");
        const bool is_open = generous.at("verdict") == "open";
        return paragraph((is_open ? "It is open whether any depths are enough: " : "No depths are enough: ") +
                         generous.at("why").get<std::string>() + (is_open ? ", " + longest_of(generous) : ""));
    }
    TableOf table{{"build", ">depth", ">safe", ">least seen", ">scenario has", "with one less than least seen"}, {}};
    for (const Json& dimension : advice.at("dimensions")) {
        const std::string name = dimension.at("name");
        table.rows.push_back({shown_name(dimension), count_or_dash(build.at("depths").at(name)),
                              count_or_none(build.at("safe").at(name)), count_or_dash(build.at("least_seen").at(name)),
                              count_or_dash(dimension.at("scenario_has")),
                              below(build.at("below_least_seen").at(name))});
    }
    const Json& tries = advice.at("tries");
    return html_of(table) +
           paragraph(
               fmt::format("In the worst of {} runs, with other seeds and with software late by chance: {}. Memory in "
                           "the NIC {} bytes, in hosts {} bytes.",
                           1 + tries.at("seeds").get<std::uint64_t>(), found_at(build.at("trial")),
                           build.at("chip_bytes").get<std::uint64_t>(), build.at("host_bytes").get<std::uint64_t>())) +
           paragraph(
               "A safe completion queue holds all that may be outstanding, so it cannot overrun. Least seen held in "
               "these runs.");
}

std::string estimates_chapter(const Json& advice) {
    TableOf table{{"estimate", "value", "if it is", "smallest depths"}, {}};
    for (const Json& each : advice.at("assumed")) {
        for (const auto& [value, depths] :
             {std::pair("low", "smallest_at_low"), std::pair("high", "smallest_at_high")}) {
            const std::string missing = each.value(fmt::format("open_at_{}", value), false) ? "open" : "not reached";
            std::vector<std::string> words;
            for (const auto& [name, depth] : each.at(depths).items()) {
                words.push_back(fmt::format("{} {}", name, depth.is_null() ? missing : count_or_dash(depth)));
            }
            table.rows.push_back({each.at("parameter"), each.at("value"), each.at(value), join(words, ", ")});
        }
    }
    return table.rows.empty() ? note("No estimate binds.") : html_of(table);
}

}  // namespace

std::string advice_page(const std::string& folder) {
    const std::string path = folder + "/advice.json";
    std::ifstream file(path);
    try {
        const Json advice = Json::parse(file);
        const std::string name = std::filesystem::path(advice.at("file").get<std::string>()).stem().string();
        const std::string head = fmt::format(
            "<h1>{}: advice</h1>\n{}", escaped(name),
            paragraph("Targets: " + join(advice.at("targets").get<std::vector<std::string>>(), ", ") + "."));
        return page_of(name + ": advice", head,
                       {{"Depths", depths_chapter(advice)},
                        {"Curves", curves_chapter(advice)},
                        {"Estimates", estimates_chapter(advice)}});
    } catch (const Json::exception&) {
        throw cli::UsageError(path + " is not what this version of ndsim advise writes; run it again");
    }
}

}  // namespace ndsim::report
