// SPDX-License-Identifier: Apache-2.0
#include "tools/inspect/comparison_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <span>

#include "sim/base/histogram.hpp"
#include "sim/base/text.hpp"
#include "sim/config/quantity.hpp"
#include "tools/cli/figures.hpp"
#include "tools/cli/table.hpp"
#include "tools/inspect/beside.hpp"
#include "tools/inspect/differences.hpp"
#include "tools/inspect/parting_text.hpp"

namespace ndsim::inspect {

namespace {

constexpr std::size_t kMetricsShown = 12;
constexpr std::size_t kLedgersShown = 2;
constexpr std::size_t kLimitsShown = 8;
constexpr std::size_t kSettingsShown = 20;

// How much of a list is shown, and the note about the rest.
struct Part {
    std::size_t shown;
    std::string rest;
};

Part part_of(std::size_t count, std::size_t most, bool all, std::string_view what) {
    const std::size_t shown = all ? count : std::min(count, most);
    return {shown, shown == count ? "" : fmt::format("  and {} more {}: --all\n", count - shown, what)};
}

std::string headline(const RecordedRun& first, const RecordedRun& second, bool same, const cli::Paint& paint) {
    cli::Table table({cli::Align::left, cli::Align::left, cli::Align::left});
    for (const auto& [which, run] : {std::pair("first", &first), std::pair("second", &second)}) {
        table.row({which, run->folder,
                   run->file + (run->overrides.empty() ? "" : " with " + join(run->overrides, ", ")) +
                       (first.version == second.version ? "" : ", by ndsim " + run->version)});
    }
    return table.text(paint) + (same ? paint.good("The runs are the same") : paint.bad("The runs differ")) + "\n";
}

std::string cell(const RecordedSetting* setting) {
    return setting == nullptr ? "-" : fmt::format("{} ({})", setting->value, setting->origin);
}

std::string settings_text(const Comparison& comparison, bool all, const cli::Paint& paint) {
    const auto& settings = comparison.settings;
    const auto& others = comparison.others;
    if (settings.empty() && others.empty()) {
        return "";
    }
    cli::Table table({cli::Align::left, cli::Align::left, cli::Align::left});
    table.heading({"", "first", "second"});
    const auto of_value = static_cast<std::size_t>(std::ranges::count_if(settings, &SettingPair::is_of_value));
    const Part part = part_of(of_value, kSettingsShown, all, "settings");
    const Part others_part = part_of(others.size(), kSettingsShown, all, "of these");
    for (std::size_t i = 0; i < (all ? settings.size() : part.shown); ++i) {
        table.row({settings[i].path, cell(settings[i].first), cell(settings[i].second)});
    }
    for (std::size_t i = 0; i < others_part.shown; ++i) {
        const auto [first, second] = value_texts(others[i]);
        table.row({others[i].path, first, second});
    }
    std::string text = "\n" + paint.strong("Settings") + " that differ, and how the runs ended\n" + table.text(paint);
    text += part.rest + others_part.rest;
    if (!all && of_value < settings.size()) {
        text += fmt::format("  {} more have the same value from another origin: --all\n", settings.size() - of_value);
    }
    return text;
}

std::string verdict_words(const Verdict* verdict, const cli::Paint& paint) {
    if (verdict == nullptr) {
        return "not looked at";
    }
    return (verdict->met ? paint.good("met") : paint.bad("NOT met")) + ", found " + cli::rounded(verdict->found);
}

std::string verdicts_text(const Comparison& comparison, bool all, const cli::Paint& paint) {
    if (comparison.verdicts.empty()) {
        return "";
    }
    const Part part = part_of(comparison.verdicts.size(), kMetricsShown, all, "expectations");
    std::string text = "\n" + paint.strong("Expectations") + " that the two runs do not meet alike\n";
    for (std::size_t i = 0; i < part.shown; ++i) {
        const Pair<Verdict>& pair = comparison.verdicts[i];
        text += fmt::format("  {}\n    first: {}\n    second: {}\n", pair.any().what, verdict_words(pair.first, paint),
                            verdict_words(pair.second, paint));
    }
    return text + part.rest;
}

std::string metrics_text(const Comparison& comparison, std::size_t of, bool all, const cli::Paint& paint) {
    const auto in_both = static_cast<std::size_t>(std::ranges::count_if(
        comparison.metrics, [](const Pair<Metric>& pair) { return pair.first != nullptr && pair.second != nullptr; }));
    const std::size_t in_one = comparison.metrics.size() - in_both;
    std::string text = "\n" + paint.strong("Metrics") + fmt::format(": {} of {} differ\n", in_both, of);
    cli::Table table({cli::Align::left, cli::Align::right, cli::Align::right, cli::Align::right, cli::Align::right});
    table.heading({"", "first", "second", "difference", "%"});
    const Part part = part_of(in_both, kMetricsShown, all, "metrics");
    for (std::size_t i = 0; i < part.shown; ++i) {
        const Metric& first = *comparison.metrics[i].first;
        const Metric& second = *comparison.metrics[i].second;
        table.row({first.name, cli::figure(first), cli::figure(second), difference_text(first, second),
                   percent_text(first, second)});
    }
    text += (in_both == 0 ? "" : table.text(paint)) + part.rest;
    const Part ones = part_of(in_one, kMetricsShown, all, "that only one run has");
    for (std::size_t i = in_both; i < in_both + ones.shown; ++i) {
        const Pair<Metric>& pair = comparison.metrics[i];
        text += fmt::format("  only in the {}: {} = {}\n", pair.first == nullptr ? "second" : "first", name_of(pair),
                            cli::figure(pair.any()));
    }
    return text + ones.rest;
}

std::string share_text(const RecordedLimit* limit) {
    return limit == nullptr ? "-"
                            : cli::percent(limit->share_ppm, 1'000'000) + " %" + (limit->binds ? "" : " (not bound)");
}

// "links.l0.rate = 100 Gbps, 50 Gbps"; in each run another parameter may set the limit.
std::string parameter_text(const Pair<RecordedLimit>& pair) {
    const RecordedLimit& first = pair.any();
    const RecordedLimit& second = pair.second == nullptr ? first : *pair.second;
    const std::string text = first.parameter + " = " + first.value;
    if (second.parameter != first.parameter) {
        return fmt::format("{}, then {} = {}", text, second.parameter, second.value);
    }
    return second.value == first.value ? text : text + ", " + second.value;
}

std::string limits_text(const Comparison& comparison, bool all, const cli::Paint& paint) {
    if (comparison.limits.empty()) {
        return "";
    }
    const Part part = part_of(comparison.limits.size(), kLimitsShown, all, "limits");
    cli::Table table({cli::Align::left, cli::Align::right, cli::Align::right, cli::Align::left});
    table.heading({"", "first", "second"});
    for (const Pair<RecordedLimit>& pair : std::span(comparison.limits).first(part.shown)) {
        const RecordedLimit& any = pair.any();
        table.row({any.kind + ": " + any.what, share_text(pair.first), share_text(pair.second), parameter_text(pair)});
    }
    return "\n" + paint.strong("Bound by") + ", for this share of the time\n" + table.text(paint) + part.rest;
}

AccountTimes times_or_none(const MeanLedger* ledger) {
    return ledger == nullptr ? AccountTimes{} : times_of(*ledger);
}

std::string count_text(const MeanLedger* ledger) {
    return ledger == nullptr ? "none" : fmt::format("mean of {}", ledger->requests);
}

std::string ledgers_text(const Comparison& comparison, bool all, const cli::Paint& paint) {
    const Part part = part_of(comparison.ledgers.size(), kLedgersShown, all, "ledgers");
    std::string text;
    for (std::size_t i = 0; i < part.shown; ++i) {
        const Pair<MeanLedger>& pair = comparison.ledgers[i];
        cli::Table table({cli::Align::left, cli::Align::right, cli::Align::right, cli::Align::right});
        table.heading({"", "first", "second", "difference"});
        table.heading({"", count_text(pair.first), count_text(pair.second), "ns"});
        const std::vector<Beside> rows = beside(times_or_none(pair.second), times_or_none(pair.first));
        for (const Beside& row : rows) {
            table.row({row.account, cli::decimal(row.second, 1), cli::decimal(row.first, 1),
                       cli::signed_decimal(row.difference(), 1)});
        }
        const Beside sum = sum_of(rows);
        table.total({"total", cli::decimal(sum.second, 1), cli::decimal(sum.first, 1),
                     cli::signed_decimal(sum.difference(), 1)});
        text += "\n" + paint.strong("Ledger") + fmt::format(" of {} {}\n", pair.any().host, pair.any().operation) +
                table.text(paint);
    }
    return text + part.rest;
}

}  // namespace

std::string comparison_text(const RecordedRun& first, const RecordedRun& second, const Comparison& comparison, bool all,
                            const cli::Paint& paint) {
    const std::string head = headline(first, second, comparison.same, paint);
    if (comparison.identical) {
        return head;
    }
    return head + settings_text(comparison, all, paint) + verdicts_text(comparison, all, paint) +
           metrics_text(comparison, std::max(first.metrics.size(), second.metrics.size()), all, paint) +
           limits_text(comparison, all, paint) + ledgers_text(comparison, all, paint) +
           parting_text(first, second, comparison, paint);
}

}  // namespace ndsim::inspect
