// SPDX-License-Identifier: Apache-2.0
#include "tools/inspect/parting_text.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "sim/config/quantity.hpp"
#include "tools/cli/table.hpp"
#include "tools/inspect/story.hpp"

namespace ndsim::inspect {

namespace {

using Json = nlohmann::ordered_json;

std::string exact(Picoseconds time) {
    return time < Picoseconds{} ? "-" + ndsim::to_text(-time) : ndsim::to_text(time);
}

std::string_view account_name(Account account) {
    return account_names()[static_cast<std::size_t>(account)];
}

// The request in one of the runs, line by line.
std::vector<std::string> cells_of(const std::optional<Completion>& row) {
    if (!row) {
        return {"no such request", "-", "-", "-", "-"};
    }
    return {row->operation + (row->label.empty() ? "" : ", called " + row->label), exact(row->begun), exact(row->ended),
            exact(row->total()), fmt::format("{}, {} bytes", row->status, row->bytes)};
}

std::string stay_words(const std::optional<Account>& account, Picoseconds took) {
    return account ? fmt::format("{} for {}", account_name(*account), exact(took)) : "nothing more";
}

std::string ledger_words(const LedgerParting& parting) {
    if (parting.first == parting.second) {
        return fmt::format("Their ledgers diverge {} after the post, in {}: {} in the first, {} in the second",
                           exact(parting.after), account_name(*parting.first), exact(parting.first_took),
                           exact(parting.second_took));
    }
    return fmt::format("Their ledgers diverge {} after the post: then comes {} in the first, {} in the second",
                       exact(parting.after), stay_words(parting.first, parting.first_took),
                       stay_words(parting.second, parting.second_took));
}

}  // namespace

PartingWords parting_words(const RecordedRun& first, const RecordedRun& second, const Parting& parting) {
    const Completion& any = parting.first ? *parting.first : *parting.second;
    const RecordedRun& of = parting.first ? first : second;
    const std::string when =
        first.started == second.started ? "at " + exact(first.started + parting.since_start) + ", " : std::string();
    PartingWords words;
    words.event = fmt::format(
        "{}{} {} programs and generators began: {} {}", when, exact(std::chrono::abs(parting.since_start)),
        parting.since_start < Picoseconds{} ? "before" : "after",
        request_words(any, of.queue_pair(any.host(), any.qp).value_or("")), parting.is_post ? "is posted" : "ends");
    constexpr std::array<std::string_view, 5> kNames{"", "began", "ended", "took", "status"};
    const std::vector<std::string> left = cells_of(parting.first);
    const std::vector<std::string> right = cells_of(parting.second);
    words.rows.push_back({"start", exact(first.started), exact(second.started)});
    for (std::size_t i = 0; i < kNames.size(); ++i) {
        words.rows.push_back({i == 0 ? parting.request : std::string(kNames[i]), left[i], right[i]});
    }
    words.ledger = parting.ledger ? ledger_words(*parting.ledger) : "";
    return words;
}

namespace {

std::string event_text(const PartingWords& words, const cli::Paint& paint) {
    cli::Table table({cli::Align::left, cli::Align::left, cli::Align::left});
    table.heading({"", "first", "second"});
    for (const std::vector<std::string>& row : words.rows) {
        table.row(row);
    }
    return "  " + words.event + "\n" + table.text(paint) + (words.ledger.empty() ? "" : "  " + words.ledger + "\n");
}

Json completion_json(const std::optional<Completion>& row) {
    if (!row) {
        return nullptr;
    }
    return {{"operation", row->operation},  {"qp", row->qp},       {"label", row->label},
            {"status", row->status},        {"bytes", row->bytes}, {"begin_ps", row->begun.count()},
            {"end_ps", row->ended.count()}, {"path", row->path}};
}

Json stay_json(const std::optional<Account>& account, Picoseconds took) {
    return account ? Json{{"account", account_name(*account)}, {"took_ps", took.count()}} : Json();
}

}  // namespace

std::string no_parting_words(const RecordedRun& first, const RecordedRun& second, const Comparison& comparison) {
    if (comparison.events_known) {
        return "none; the same requests began and ended at the same times";
    }
    return "not looked for, as " + (first.has_completions() ? second : first).folder + " has no completions.csv";
}

std::string parting_text(const RecordedRun& first, const RecordedRun& second, const Comparison& comparison,
                         const cli::Paint& paint) {
    const std::string title = "\n" + paint.strong("First event that differs");
    return comparison.parting ? title + "\n" + event_text(parting_words(first, second, *comparison.parting), paint)
                              : title + ": " + no_parting_words(first, second, comparison) + "\n";
}

Json parting_json(const Parting& parting) {
    Json json{{"request", parting.request},
              {"event", parting.is_post ? "post" : "end"},
              {"since_start_ps", parting.since_start.count()},
              {"first", completion_json(parting.first)},
              {"second", completion_json(parting.second)},
              {"ledger", nullptr}};
    if (parting.ledger) {
        json["ledger"] = {{"after_ps", parting.ledger->after.count()},
                          {"first", stay_json(parting.ledger->first, parting.ledger->first_took)},
                          {"second", stay_json(parting.ledger->second, parting.ledger->second_took)}};
    }
    return json;
}

}  // namespace ndsim::inspect
