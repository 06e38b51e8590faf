// SPDX-License-Identifier: Apache-2.0
#include "tools/report/runs_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "sim/base/text.hpp"
#include "tools/cli/failure.hpp"
#include "tools/cli/figures.hpp"
#include "tools/inspect/beside.hpp"
#include "tools/inspect/comparison.hpp"
#include "tools/inspect/differences.hpp"
#include "tools/inspect/parting_text.hpp"
#include "tools/report/engine_bars.hpp"
#include "tools/report/html.hpp"
#include "tools/report/latency_curves.hpp"
#include "tools/report/page.hpp"

namespace ndsim::report {

namespace {

using inspect::Comparison;
using inspect::Pair;
using inspect::RecordedRun;

constexpr std::size_t kMostFigures = 40;
constexpr std::size_t kMostEngines = 24;

std::string stem_of(const RecordedRun& run) {
    return std::filesystem::path(run.file).stem().string();
}

std::string head_of(const RecordedRun& first, const RecordedRun& second, bool same) {
    const std::string title =
        first.file == second.file ? "Two runs of " + stem_of(first) : stem_of(first) + " and " + stem_of(second);
    TableOf table{{"", "folder", "scenario", "set for this run", "outcome", ">simulated time", ">completions"}, {}};
    for (const auto& [name, run] : {std::pair{"first", &first}, std::pair{"second", &second}}) {
        table.rows.push_back({name, run->folder, run->file, join(run->overrides, ", "),
                              run->whole.at("outcome").get<std::string>(),
                              cli::figure(Picoseconds{run->whole.at("ended_ps").get<std::int64_t>()}),
                              std::to_string(run->whole.at("completions").get<std::uint64_t>())});
    }
    return "<h1>" + escaped(title) + "</h1>\n" + html_of(table) +
           paragraph(same ? "The runs are the same." : "The runs differ.");
}

std::string text_of(const inspect::RecordedSetting* setting) {
    return setting == nullptr ? "-" : fmt::format("{} ({})", setting->value, setting->origin);
}

std::string settings_table(const Comparison& comparison) {
    TableOf table{{"", "first", "second"}, {}};
    for (const inspect::SettingPair& pair : comparison.settings) {
        if (pair.is_of_value()) {
            table.rows.push_back({pair.path, text_of(pair.first), text_of(pair.second)});
        }
    }
    for (const inspect::OtherPair& pair : comparison.others) {
        const auto [first, second] = inspect::value_texts(pair);
        table.rows.push_back({pair.path, first, second});
    }
    return table.rows.empty() ? note("Nothing was set differently.") : html_of(table);
}

std::string text_of(const Verdict* verdict) {
    return verdict == nullptr ? "not looked at" : (verdict->met ? "met: " : "NOT MET: ") + verdict->found;
}

std::string verdicts_table(const Comparison& comparison) {
    TableOf table{{"expected", "first", "second"}, {}};
    for (const Pair<Verdict>& pair : comparison.verdicts) {
        table.rows.push_back({pair.any().what, text_of(pair.first), text_of(pair.second)});
    }
    return table.rows.empty() ? "" : "<h3>Expectations that the runs do not meet alike</h3>\n" + html_of(table);
}

std::string share_of(const inspect::RecordedLimit* limit) {
    return limit == nullptr || !limit->binds ? "-" : cli::percent(limit->share_ppm, 1'000'000) + " %";
}

std::string limits_table(const Comparison& comparison) {
    TableOf table{{"bound by", ">share of the time, first", ">second", "parameter"}, {}};
    for (const Pair<inspect::RecordedLimit>& pair : comparison.limits) {
        const inspect::RecordedLimit& any = pair.any();
        const std::string other =
            pair.second == nullptr || pair.second->value == any.value ? "" : ", then " + pair.second->value;
        table.rows.push_back({any.kind + ": " + any.what, share_of(pair.first), share_of(pair.second),
                              any.parameter + " = " + any.value + other});
    }
    return table.rows.empty() ? "" : "<h3>What bound the runs</h3>\n" + html_of(table);
}

std::string figures_table(const Comparison& comparison) {
    TableOf table{{"", ">first", ">second", ">difference", ">%"}, {}};
    std::size_t all = 0;
    for (const Pair<Metric>& pair : comparison.metrics) {
        if (pair.first == nullptr || pair.second == nullptr) {
            continue;
        }
        ++all;
        if (table.rows.size() < kMostFigures) {
            table.rows.push_back({inspect::name_of(pair), cli::figure(*pair.first), cli::figure(*pair.second),
                                  inspect::difference_text(*pair.first, *pair.second),
                                  inspect::percent_text(*pair.first, *pair.second)});
        }
    }
    const std::size_t ones = comparison.metrics.size() - all;
    std::string html = all == 0 ? note("No figure differs.") : html_of(table);
    if (all > table.rows.size()) {
        html += note(fmt::format("The first {} of {} figures that differ; ndsim compare --all has the others.",
                                 table.rows.size(), all));
    }
    return html + (ones == 0 ? "" : note(fmt::format("{} figures are those of one run only.", ones)));
}

inspect::AccountTimes times_or_none(const MeanLedger* ledger) {
    return ledger == nullptr ? inspect::AccountTimes{} : inspect::times_of(*ledger);
}

std::string ledgers_tables(const Comparison& comparison) {
    std::string html;
    for (const Pair<MeanLedger>& pair : comparison.ledgers) {
        TableOf table{{"account", ">first [ns]", ">second [ns]", ">difference [ns]"}, {}, true};
        // The second run comes first, so that a difference is what it adds.
        std::vector<inspect::Beside> rows = inspect::beside(times_or_none(pair.second), times_or_none(pair.first));
        inspect::Beside sum = inspect::sum_of(rows);
        sum.account = "total";
        rows.push_back(sum);
        for (const inspect::Beside& row : rows) {
            table.rows.push_back({row.account, cli::decimal(row.second, 1), cli::decimal(row.first, 1),
                                  cli::signed_decimal(row.difference(), 1)});
        }
        html += fmt::format("<h3>Mean {} of {}</h3>\n{}", escaped(pair.any().operation), escaped(pair.any().host),
                            html_of(table));
    }
    return html.empty() ? note("The mean ledgers are the same.") : html;
}

std::string parting_chapter(const RecordedRun& first, const RecordedRun& second, const Comparison& comparison) {
    if (!comparison.parting) {
        return note("First event that differs: " + inspect::no_parting_words(first, second, comparison) + ".");
    }
    const inspect::PartingWords words = inspect::parting_words(first, second, *comparison.parting);
    return paragraph("The first event that differs is " + words.event + ".") +
           html_of(TableOf{{"", "first", "second"}, words.rows}) +
           (words.ledger.empty() ? "" : paragraph(words.ledger + "."));
}

// The part of its time in which an engine was busy, or blocked; and what it waited for longest.
std::string share_of(const EngineUse& engine, Picoseconds part) {
    const Picoseconds all = engine.idle + engine.busy + engine.blocked_in_all();
    return cli::percent(static_cast<std::uint64_t>(part.count()), static_cast<std::uint64_t>(all.count()));
}

std::string cause_of(const EngineUse& engine) {
    const auto longest = std::ranges::max_element(engine.blocked, {}, &std::pair<std::string, Picoseconds>::second);
    return longest == engine.blocked.end() || longest->second == Picoseconds{} ? "" : longest->first;
}

std::string engines_table(const RecordedRun& first, const RecordedRun& second) {
    TableOf table{{"engine", ">% busy, first", ">second", ">% blocked, first", ">second", "most by, first", "second"},
                  {}};
    const std::vector<EngineUse> others = second.alike.merged(recorded_engines(second));
    for (const EngineUse& engine : first.alike.merged(recorded_engines(first))) {
        const auto other = std::ranges::find(others, engine.engine, &EngineUse::engine);
        const bool did_anything = engine.busy + engine.blocked_in_all() > Picoseconds{};
        if (other != others.end() && did_anything && table.rows.size() < kMostEngines) {
            table.rows.push_back({engine.engine, share_of(engine, engine.busy), share_of(*other, other->busy),
                                  share_of(engine, engine.blocked_in_all()), share_of(*other, other->blocked_in_all()),
                                  cause_of(engine), cause_of(*other)});
        }
    }
    return table.rows.empty() ? note("The runs have no engine in common that did anything.") : html_of(table);
}

}  // namespace

std::string runs_page(const RecordedRun& first, const RecordedRun& second) try {
    const Comparison comparison = inspect::compare_runs(first, second, std::nullopt);
    const std::array<NamedRun, 2> both{NamedRun{first, "first"}, NamedRun{second, "second"}};
    return page_of(first.file + " and " + second.file, head_of(first, second, comparison.same),
                   {{"Settings", settings_table(comparison)},
                    {"Figures", figures_table(comparison) + limits_table(comparison) + verdicts_table(comparison)},
                    {"First difference", parting_chapter(first, second, comparison)},
                    {"Latency", latency_chapter(both)},
                    {"Ledger", ledgers_tables(comparison)},
                    {"Engines", engines_table(first, second)}});
} catch (const nlohmann::json::exception&) {
    throw cli::UsageError("a result.json of " + first.folder + " and " + second.folder +
                          " is not what this version of ndsim writes; run the scenarios again");
}

}  // namespace ndsim::report
