// SPDX-License-Identifier: Apache-2.0
#include "tools/cli/ledger_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <span>

#include "models/ledger/ledger.hpp"
#include "tools/cli/figures.hpp"
#include "tools/cli/foremost.hpp"
#include "tools/cli/table.hpp"

namespace ndsim::cli {

namespace {

constexpr std::size_t kLedgersAbreast = 4;
constexpr unsigned kDecimals = 1;

// The two columns of one ledger: nanoseconds and per cent.
struct Columns {
    std::map<std::string_view, std::pair<std::string, std::string>> cells;  // by account
    std::string total;
};

Columns columns_of(const MeanLedger& ledger) {
    std::vector<std::uint64_t> times;
    for (const auto& [account, time] : ledger.accounts) {
        times.push_back(static_cast<std::uint64_t>(time.count()));
    }
    const std::vector<std::uint64_t> steps = rounded_to_sum(times, kTimeStep);
    const std::vector<std::uint64_t> shares = shares_to_sum(times);
    Columns columns;
    for (std::size_t i = 0; i < times.size(); ++i) {
        columns.cells[ledger.accounts[i].first] = {decimal(steps[i], kDecimals), decimal(shares[i], 1)};
    }
    columns.total = decimal(std::accumulate(steps.begin(), steps.end(), std::uint64_t{0}), kDecimals);
    return columns;
}

// All of them, or those of each operation that took longest.
std::vector<MeanLedger> longest_of(const std::vector<MeanLedger>& ledgers) {
    if (ledgers.size() <= kMostRows) {
        return ledgers;
    }
    std::map<std::string_view, std::vector<std::size_t>> operations;
    for (std::size_t i = 0; i < ledgers.size(); ++i) {
        operations[ledgers[i].operation].push_back(i);
    }
    std::vector<std::size_t> places;
    for (const auto& [operation, all] : operations) {
        std::vector<std::uint64_t> totals;
        for (const std::size_t place : all) {
            totals.push_back(static_cast<std::uint64_t>(ledgers[place].mean_total.count()));
        }
        for (const std::size_t which : foremost(totals, kLedgersAbreast)) {
            places.push_back(all[which]);
        }
    }
    std::ranges::sort(places);
    std::vector<MeanLedger> longest;
    for (const std::size_t place : places) {
        longest.push_back(ledgers[place]);
    }
    return longest;
}

std::string table_text(std::span<const MeanLedger> ledgers, const Paint& paint) {
    std::vector<Align> alignment{Align::left};
    std::vector<std::string> names{""};
    std::vector<std::string> counts{""};
    std::vector<std::string> units{""};
    std::vector<std::string> totals{"total"};
    std::vector<Columns> all;
    for (const MeanLedger& ledger : ledgers) {
        alignment.insert(alignment.end(), {Align::right, Align::right});
        names.insert(names.end(), {ledger.host + " " + ledger.operation, ""});
        counts.insert(counts.end(), {fmt::format("mean of {}", ledger.requests), ""});
        units.insert(units.end(), {"ns", "%"});
        all.push_back(columns_of(ledger));
        totals.insert(totals.end(), {all.back().total, "100.0"});
    }
    Table table(alignment);
    table.heading(names);
    table.heading(counts);
    table.heading(units);
    for (const std::string_view account : account_names()) {
        std::vector<std::string> row{std::string(account)};
        bool any = false;
        for (const Columns& columns : all) {
            const auto found = columns.cells.find(account);
            any = any || found != columns.cells.end();
            row.insert(row.end(), {found == columns.cells.end() ? "" : found->second.first,
                                   found == columns.cells.end() ? "" : found->second.second});
        }
        if (any) {
            table.row(row);
        }
    }
    table.total(totals);
    return table.text(paint);
}

}  // namespace

std::string ledger_text(const std::vector<MeanLedger>& ledgers, const Paint& paint) {
    if (ledgers.empty()) {
        return {};
    }
    std::string text = "\n" + paint.strong("Ledger") + ": where the time of a request went\n";
    const std::vector<MeanLedger> longest = longest_of(ledgers);
    std::span<const MeanLedger> rest(longest);
    while (!rest.empty()) {
        const std::size_t count = std::min(rest.size(), kLedgersAbreast);
        text += table_text(rest.first(count), paint);
        rest = rest.subspan(count);
        text += rest.empty() ? "" : "\n";
    }
    return text + others_below(ledgers.size(), longest.size(), "of shorter requests");
}

}  // namespace ndsim::cli
