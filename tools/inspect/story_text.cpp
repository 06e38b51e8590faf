// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "sim/config/quantity.hpp"
#include "tools/cli/figures.hpp"
#include "tools/cli/table.hpp"
#include "tools/inspect/beside.hpp"
#include "tools/inspect/story.hpp"

namespace ndsim::inspect {

namespace {

constexpr std::size_t kLeastBar = 10;
constexpr std::size_t kDifferencesTold = 3;

std::uint64_t count_of(Picoseconds time) {
    return static_cast<std::uint64_t>(time.count());
}

std::string headline(const Story& story, const cli::Paint& paint) {
    const Completion& row = story.chosen.row;
    std::string text = paint.strong(request_words(row, story.qp));
    text += story.peer.empty() ? "\n" : fmt::format(", to {}\n", story.peer);
    if (!story.chosen.how.empty()) {
        text += fmt::format("{}, in {}\n", story.chosen.how, story.folder);
    }
    text += row.status == "success" ? paint.good(row.status) : paint.bad(row.status);
    if (row.bytes > 0) {
        text += fmt::format(", {} bytes", row.bytes);
    }
    text += fmt::format("; began at {}, {} at {}, so it took {}\n", ndsim::to_text(row.begun),
                        row.silent ? "was acknowledged, without a completion," : "a poll returned it",
                        ndsim::to_text(row.ended), ndsim::to_text(row.total()));
    if (row.status != "success") {
        text +=
            "A request that fails or is flushed skips stages; what it waited for that is in the account it was at.\n";
    }
    return text;
}

// A line per stay, rounded so that each begins where the one before ends, and the last ends with the total.
std::string life_text(const Story& story, const cli::Paint& paint) {
    const Completion& row = story.chosen.row;
    std::vector<std::uint64_t> times;
    Picoseconds begun = row.begun;
    for (const Stay& stay : story.stays) {
        times.push_back(count_of(stay.until - begun));
        begun = stay.until;
    }
    const std::vector<std::uint64_t> steps = cli::rounded_to_sum(times, cli::kTimeStep);
    const std::vector<std::uint64_t> shares = cli::shares_to_sum(times);
    cli::Table table({cli::Align::right, cli::Align::right, cli::Align::right, cli::Align::right, cli::Align::left,
                      cli::Align::left});
    table.heading({"from ns", "to ns", "ns", "%", "account"});
    std::uint64_t from = 0;
    for (std::size_t i = 0; i < times.size(); ++i) {
        const Account account = story.stays[i].account;
        table.row({cli::decimal(from, 1), cli::decimal(from + steps[i], 1), cli::decimal(steps[i], 1),
                   cli::decimal(shares[i], 1), std::string(account_names()[static_cast<std::size_t>(account)]),
                   account_words(account, row.operation, story.places)});
        from += steps[i];
    }
    table.total({"", "", cli::decimal(from, 1), "100.0"});
    return "\n" + paint.strong("Life") + ": in time order, from its beginning\n" + table.text(paint);
}

std::vector<Beside> beside_mean(const Story& story) {
    return beside(story.chosen.row.accounts, story.mean == nullptr ? AccountTimes{} : times_of(*story.mean));
}

// "fence 22776.0 ns more, tx 3.0 ns less"
std::string differences_text(std::vector<Beside> rows) {
    std::ranges::stable_sort(rows, std::greater(), [](const Beside& row) { return std::abs(row.difference()); });
    std::vector<std::string> told;
    for (const Beside& row : rows) {
        if (row.difference() != 0 && told.size() < kDifferencesTold) {
            told.push_back(fmt::format("{} {} ns {}", row.account,
                                       cli::decimal(static_cast<std::uint64_t>(std::abs(row.difference())), 1),
                                       row.difference() > 0 ? "more" : "less"));
        }
    }
    return fmt::format("{}", fmt::join(told, ", "));
}

std::string compared(const Story& story, const std::vector<Beside>& rows) {
    const Picoseconds own = story.chosen.row.total();
    const Picoseconds mean = story.mean->mean_total;
    const std::string kind =
        fmt::format("the mean of {} ({} {})", story.mean->requests, story.mean->host, story.mean->operation);
    if (own == mean) {
        return fmt::format("as long as {}\n", kind);
    }
    return fmt::format("{} {} than {}, which is {}\n  {}\n", cli::figure(std::max(own, mean) - std::min(own, mean)),
                       own > mean ? "more" : "less", kind, cli::figure(mean), differences_text(rows));
}

// The total width of a table's columns, before the bars.
std::size_t width_of(const std::vector<std::vector<std::string>>& rows) {
    std::size_t width = 2;
    for (std::size_t column = 0; column < rows.front().size(); ++column) {
        const auto widest = std::ranges::max(rows, {}, [&](const auto& row) { return row[column].size(); });
        width += widest[column].size() + 2;
    }
    return width;
}

std::vector<std::string> cells_of(const Story& story, const Beside& row) {
    if (story.mean == nullptr) {
        return {row.account, cli::decimal(row.first, 1), "-", "-"};
    }
    return {row.account, cli::decimal(row.first, 1), cli::decimal(row.second, 1),
            cli::signed_decimal(row.difference(), 1)};
}

// Bars as long as the account's time; the longest takes all the room beside the table.
std::string accounts_text(const Story& story, std::size_t width, const cli::Paint& paint) {
    const std::vector<Beside> rows = beside_mean(story);
    const Beside total = sum_of(rows);
    std::uint64_t longest = 1;
    std::vector<std::vector<std::string>> cells{{"", "ns", "mean ns", "difference"}};
    for (const Beside& row : rows) {
        longest = std::max(longest, row.first);
        cells.push_back(cells_of(story, row));
    }
    cells.push_back(cells_of(story, total));
    const std::size_t used = width_of(cells);
    const std::size_t room = std::max(kLeastBar, width > used ? width - used : 0);
    cli::Table table({cli::Align::left, cli::Align::right, cli::Align::right, cli::Align::right, cli::Align::left});
    table.heading(cells.front());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        cells[i + 1].emplace_back((rows[i].first * room + longest / 2) / longest, '#');
        table.row(cells[i + 1]);
    }
    table.total(cells.back());
    return "\n" + paint.strong("Accounts") + ": " +
           (story.mean == nullptr ? "no request of its kind was measured\n" : compared(story, rows)) +
           table.text(paint);
}

}  // namespace

std::string story_text(const Story& story, std::size_t width, const cli::Paint& paint) {
    return headline(story, paint) + life_text(story, paint) + accounts_text(story, width, paint);
}

}  // namespace ndsim::inspect
