// SPDX-License-Identifier: Apache-2.0
#include "tools/cli/recovery_text.hpp"

#include <fmt/format.h>

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
        for (const Recovery::Row& row : recovery.rows) {
            std::vector<std::string> cells{row.hosts};
            for (const std::uint64_t count : row.counts) {
                cells.push_back(std::to_string(count));
            }
            table.row(std::move(cells));
        }
        text += table.text(paint);
    }
    for (const Metric& loss : recovery.losses) {  // "  s0.R.drops: 3026 packets for this port that were dropped ..."
        text += fmt::format("  {}: {} {}\n", loss.name, loss.value, loss.sentence);
    }
    return text;
}

}  // namespace ndsim::cli
