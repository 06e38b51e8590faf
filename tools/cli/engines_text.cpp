// SPDX-License-Identifier: Apache-2.0
#include "tools/cli/engines_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/histogram.hpp"
#include "tools/cli/figures.hpp"
#include "tools/cli/table.hpp"

namespace ndsim::cli {

namespace {

constexpr std::uint64_t kAll = 1'000'000;  // parts of the time
constexpr std::uint64_t kTenth = 1000;     // of a per cent

// The shares of the time: idle, busy, and each wait; in tenths of a per cent.
std::vector<std::uint64_t> shares_of(const EngineUse& use) {
    const auto count = [](Picoseconds time) { return static_cast<std::uint64_t>(time.count()); };
    const std::uint64_t all = count(use.idle + use.busy + use.blocked_in_all());
    std::vector<std::uint64_t> shares;
    const auto add = [&](Picoseconds time) {
        shares.push_back(static_cast<std::uint64_t>(WideSum{count(time)} * kAll / all));
    };
    add(use.idle);
    add(use.busy);
    for (const auto& [what, time] : use.blocked) {
        add(time);
    }
    return rounded_to_sum(shares, kTenth);
}

// The waits in words, the longest first.
std::string waits_of(const EngineUse& use, const std::vector<std::uint64_t>& shares) {
    // A wait and its time.
    struct Wait {
        std::string_view what;
        Picoseconds time;
        std::uint64_t share;
    };
    std::vector<Wait> waits;
    for (std::size_t i = 0; i < use.blocked.size(); ++i) {
        if (const auto& [what, time] = use.blocked[i]; time > Picoseconds{}) {
            waits.push_back({what, time, shares[i + 2]});
        }
    }
    std::ranges::stable_sort(waits, std::ranges::greater{}, &Wait::time);
    std::vector<std::string> words;
    words.reserve(waits.size());
    for (const Wait& wait : waits) {
        words.push_back(fmt::format("{} {}", wait.what, decimal(wait.share, 1)));
    }
    return fmt::format("{}", fmt::join(words, ", "));
}

}  // namespace

std::string engines_text(const std::vector<EngineUse>& engines, const Paint& paint) {
    Table table({Align::left, Align::right, Align::right, Align::right, Align::left});
    table.heading({"", "% idle", "% busy", "% blocked", "by"});
    bool any = false;
    for (const EngineUse& use : engines) {
        const Picoseconds blocked = use.blocked_in_all();
        if (use.busy + blocked == Picoseconds{}) {
            continue;
        }
        any = true;
        const std::vector<std::uint64_t> shares = shares_of(use);
        std::uint64_t waited = 0;
        for (std::size_t i = 2; i < shares.size(); ++i) {
            waited += shares[i];
        }
        table.row(
            {use.engine, decimal(shares[0], 1), decimal(shares[1], 1), decimal(waited, 1), waits_of(use, shares)});
    }
    return any ? "\n" + paint.strong("Engines") + ": what they waited for\n" + table.text(paint) : "";
}

}  // namespace ndsim::cli
