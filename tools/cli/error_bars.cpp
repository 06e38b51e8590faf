// SPDX-License-Identifier: Apache-2.0
#include "tools/cli/error_bars.hpp"

#include <nlohmann/json.hpp>

#include "scenarios/result/result_json.hpp"
#include "tools/cli/figures.hpp"
#include "tools/cli/table.hpp"

namespace ndsim::cli {

namespace {

nlohmann::ordered_json or_null(const std::optional<std::uint64_t>& figure) {
    return figure ? nlohmann::ordered_json(*figure) : nlohmann::ordered_json(nullptr);
}

}  // namespace

std::string figure_text(const std::optional<std::uint64_t>& figure, const std::string& unit) {
    if (!figure) {
        return "aborted";
    }
    const auto quantity = quantity_of(unit);
    return quantity ? rounded(to_text(*quantity, *figure)) : std::to_string(*figure);
}

std::string range_condition(std::size_t estimates, const std::string& low_alone, const std::string& high_alone) {
    if (estimates == 1) {
        return "the one estimate that matters is off as far as its range goes";
    }
    std::string text =
        fmt::format("all {} estimates that matter are off in the same direction, as far as their ranges go", estimates);
    text += low_alone.empty() ? "" : fmt::format("; the lower end with {} alone", low_alone);
    text += high_alone.empty() ? "" : fmt::format("; the higher end with {} alone", high_alone);
    return text;
}

std::string error_bars_text(const ErrorBars& found, const Paint& paint) {
    std::string text =
        "\n" + paint.strong("Error bars, with all estimates that matter to a figure at one end of their ranges") + "\n";
    if (!found.why.empty()) {
        return text + "  none: " + found.why + "\n";
    }
    Table table({Align::left, Align::right, Align::right, Align::right, Align::right});
    table.heading({"", "lowest", "as it is", "highest", "estimates"});
    for (const ErrorBar& bar : found.bars) {
        table.row({bar.metric, figure_text(bar.low, bar.unit), figure_text(bar.value, bar.unit),
                   figure_text(bar.high, bar.unit), std::to_string(bar.estimates)});
    }
    return text + table.text(paint) +
           "  ndsim sensitivity names these estimates, and shows how far each moves a figure\n";
}

nlohmann::ordered_json error_bars_json(const ErrorBars& found) {
    nlohmann::ordered_json json = nlohmann::ordered_json::object();
    if (!found.why.empty()) {
        json["why"] = found.why;
    }
    for (const ErrorBar& bar : found.bars) {
        json[bar.metric] = {{"value", bar.value},
                            {"unit", bar.unit},
                            {"low", or_null(bar.low)},
                            {"high", or_null(bar.high)},
                            {"estimates", bar.estimates}};
    }
    return json;
}

}  // namespace ndsim::cli
