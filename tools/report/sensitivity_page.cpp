// SPDX-License-Identifier: Apache-2.0
#include "tools/report/sensitivity_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "scenarios/result/result_json.hpp"
#include "tools/cli/error_bars.hpp"
#include "tools/cli/failure.hpp"
#include "tools/report/error_bar_curves.hpp"
#include "tools/report/html.hpp"
#include "tools/report/page.hpp"
#include "tools/report/scale.hpp"
#include "tools/report/svg.hpp"

namespace ndsim::report {

using Json = nlohmann::ordered_json;

namespace {

constexpr double kTornadoNames = 190;
constexpr double kTornadoRow = 22;
constexpr double kTornadoTop = 28;
constexpr double kTornadoRight = 20;
constexpr std::size_t kTornadoRows = 25;
constexpr double kThousandth = 0.001;  // of the figure; smaller changes have no bar

// A parameter's bar: the figure at both ends of its range, if it was run there, and the parameter's values.
struct Bar {
    std::string name;
    std::optional<double> low;
    std::optional<double> high;
    std::string low_value;
    std::string high_value;
    bool is_estimate = false;

    [[nodiscard]] double reach(double base) const {
        return std::max(std::abs(low.value_or(base) - base), std::abs(high.value_or(base) - base));
    }
};

std::optional<double> figure_at(const Json& parameter, const char* end, std::size_t metric) {
    const Json& figure = parameter.at(end).at(metric);
    return figure.is_null() ? std::nullopt : std::optional(figure.get<double>());
}
std::string value_at(const Json& parameter, const char* end) {
    return parameter.at(end).is_null() ? "-" : parameter.at(end).get<std::string>();
}
// The value at an end of the range, and what became of its run if there is no figure.
std::string end_text(const Json& parameter, const std::string& end) {
    const std::string value = value_at(parameter, end.c_str());
    const std::string refusal = parameter.at(end + "_refusal");
    const bool has_figure = !parameter.at("at_" + end).front().is_null();
    return value == "-" || has_figure ? value
           : refusal.empty()          ? value + " (aborted)"
                                      : value + " (refused: " + refusal + ")";
}

std::vector<Bar> bars_of(const Json& study, std::size_t metric, double base) {
    std::vector<Bar> bars;
    for (const Json& parameter : study.at("parameters")) {
        Bar bar{parameter.at("name"),
                figure_at(parameter, "at_low", metric),
                figure_at(parameter, "at_high", metric),
                value_at(parameter, "low"),
                value_at(parameter, "high"),
                parameter.at("estimate")};
        if (bar.reach(base) > 0 && bar.reach(base) >= kThousandth * base) {
            bars.push_back(std::move(bar));
        }
    }
    std::ranges::stable_sort(bars, std::greater{}, [base](const Bar& bar) { return bar.reach(base); });
    bars.resize(std::min(bars.size(), kTornadoRows));
    return bars;
}

// Draws bars from the figure in the middle to the values that a parameter moves it to.
class Tornado {
public:
    Tornado(const std::vector<Bar>& bars, double base, const Unit& unit, const std::string& label)
        : bars_(bars), base_(base), unit_(unit), svg_(kPictureWidth, height(), label), low_(base), high_(base) {
        for (const Bar& bar : bars) {
            low_ = std::min({low_, bar.low.value_or(base), bar.high.value_or(base)});
            high_ = std::max({high_, bar.low.value_or(base), bar.high.value_or(base)});
        }
    }

    [[nodiscard]] std::string take() {
        for (const double tick : round_ticks(low_ / unit_.of, high_ / unit_.of, 6)) {
            const double x = x_of(tick * unit_.of);
            svg_.line({x, kTornadoTop - 4}, {x, height()}, {colour::kGrid});
            svg_.text({x, kTornadoTop - 10}, short_number(tick), {Anchor::middle, colour::kFaint});
        }
        for (std::size_t i = 0; i < bars_.size(); ++i) {
            draw(bars_[i], kTornadoTop + static_cast<double>(i) * kTornadoRow);
        }
        svg_.line({x_of(base_), kTornadoTop - 4}, {x_of(base_), height()}, {colour::kText, 1.5});
        return svg_.take();
    }

private:
    [[nodiscard]] double height() const { return kTornadoTop + static_cast<double>(bars_.size()) * kTornadoRow + 4; }
    [[nodiscard]] double x_of(double figure) const {
        const double width = kPictureWidth - kTornadoNames - kTornadoRight;
        return kTornadoNames + (high_ > low_ ? (figure - low_) / (high_ - low_) * width : 0);
    }

    void draw(const Bar& bar, double y) {
        svg_.text({kTornadoNames - 8, y + 14}, cut_to(bar.name, kTornadoNames - 12),
                  {Anchor::end, colour::kText, bar.is_estimate});
        side(bar, bar.low, bar.low_value, y, colour::kBlue);
        side(bar, bar.high, bar.high_value, y, colour::kOrange);
    }
    void side(const Bar& bar, std::optional<double> figure, const std::string& value, double y, std::string_view fill) {
        if (!figure) {
            return;
        }
        const double from = std::min(x_of(base_), x_of(*figure));
        const std::string title =
            fmt::format("{} = {}: {} {}", bar.name, value, short_number(*figure / unit_.of), unit_.name);
        svg_.rect({from, y + 3}, std::abs(x_of(*figure) - x_of(base_)), kTornadoRow - 6, fill, title);
    }

    const std::vector<Bar>& bars_;
    double base_;
    const Unit& unit_;
    Svg svg_;
    double low_;
    double high_;
};

// In the words of the command. Without estimates that matter there is no range.
std::string range_paragraph(const Json& metric, double base, const Unit& unit) {
    const auto estimates = metric.at("estimates_that_matter").get<std::size_t>();
    if (estimates == 0 || metric.at("low").is_null() || metric.at("high").is_null()) {
        return {};
    }
    return paragraph(fmt::format("{} {}; {} to {}, if {}.", short_number(base / unit.of), unit.name,
                                 short_number(metric.at("low").get<double>() / unit.of),
                                 short_number(metric.at("high").get<double>() / unit.of),
                                 cli::range_condition(estimates, metric.at("low_alone"), metric.at("high_alone"))));
}

std::string metric_chapter(const Json& study, std::size_t index) {
    const Json& metric = study.at("metrics").at(index);
    const double base = metric.at("value").get<double>();
    const std::vector<Bar> bars = bars_of(study, index, base);
    if (bars.empty()) {
        return note("No parameter changes it by a thousandth.");
    }
    const Unit unit = unit_for(ndsim::quantity_of(metric.at("unit").get<std::string>()), metric.at("value"));
    const std::string name = metric.at("name");
    const Figure figure{fmt::format("tornado-{}", index), name + unit.in_brackets(),
                        Tornado(bars, base, unit, name).take(),
                        "Blue: the parameter is at the low end of its range. Orange: it is at the high end. Names of "
                        "estimates are bold. The line is the figure as the scenario has it.",
                        ""};
    return range_paragraph(metric, base, unit) + html_of(figure);
}

std::string ranges_chapter(const Json& study) {
    TableOf table{{"parameter", ">value", ">low end", ">high end", "estimate", "range"}, {}};
    for (const Json& each : study.at("parameters")) {
        table.rows.push_back({each.at("name"), each.at("value"), end_text(each, "low"), end_text(each, "high"),
                              each.at("estimate").get<bool>() ? "yes" : "", each.at("reason")});
    }
    return html_of(table);
}

}  // namespace

std::string sensitivity_page(const std::string& folder) {
    const std::string path = folder + "/sensitivity.json";
    std::ifstream file(path);
    try {
        const Json study = Json::parse(file);
        const std::string name = std::filesystem::path(study.at("file").get<std::string>()).stem().string();
        std::vector<Chapter> chapters;
        for (std::size_t i = 0; i < study.at("metrics").size(); ++i) {
            chapters.push_back({study.at("metrics").at(i).at("name"), metric_chapter(study, i)});
        }
        if (std::string bars = error_bars_chapter(study); !bars.empty()) {
            chapters.push_back({"Error bars", std::move(bars)});
        }
        chapters.push_back({"Ranges", ranges_chapter(study)});
        return page_of(name + ": sensitivity", fmt::format("<h1>{}: sensitivity</h1>\n", escaped(name)), chapters);
    } catch (const Json::exception&) {
        throw cli::UsageError(path + " is not what this version of ndsim sensitivity writes; run it again");
    }
}

}  // namespace ndsim::report
