// SPDX-License-Identifier: Apache-2.0
#include "tools/cli/recovery_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "tools/cli/foremost.hpp"
#include "tools/cli/table.hpp"

namespace ndsim::cli {

std::string recovery_text(const Recovery& recovery, const Paint& paint) {
    if (recovery.empty()) {
        return {};
    }
    std::string text = "\n" + paint.strong("Recovery") + ": in the whole run\n";
    if (!recovery.rows.empty()) {
        Table table({Align::left, Align::right, Align::right, Align::right, Align::right});
        std::vector<std::string> headings{""};
        for (const RecoveryCounter& counter : kRecoveryCounters) {
            headings.emplace_back(counter.heading);
        }
        table.heading(std::move(headings));
        std::vector<std::uint64_t> sums;
        for (const Recovery::Row& row : recovery.rows) {
            sums.push_back(std::accumulate(row.counts.begin(), row.counts.end(), std::uint64_t{0}));
        }
        const std::vector<std::size_t> most = foremost(sums, kMostRows);
        for (const std::size_t place : most) {
            const Recovery::Row& row = recovery.rows[place];
            std::vector<std::string> cells{row.hosts};
            for (const std::uint64_t count : row.counts) {
                cells.push_back(std::to_string(count));
            }
            table.row(std::move(cells));
        }
        text += table.text(paint) + others_below(recovery.rows.size(), most.size(), "hosts with less");
    }
    std::vector<std::uint64_t> lost;
    std::ranges::transform(recovery.losses, std::back_inserter(lost), &Metric::value);
    const std::vector<std::size_t> most = foremost(lost, kMostRows);
    for (const std::size_t place : most) {  // "  s0.R.drops: 3026 packets for this port that were dropped ..."
        const Metric& loss = recovery.losses[place];
        text += fmt::format("  {}: {} {}\n", loss.name, loss.value, loss.sentence);
    }
    return text + others_below(lost.size(), most.size(), "smaller losses");
}

}  // namespace ndsim::cli
