// SPDX-License-Identifier: Apache-2.0
#include "tools/cli/engines_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "sim/base/histogram.hpp"
#include "tools/cli/figures.hpp"
#include "tools/cli/foremost.hpp"
#include "tools/cli/table.hpp"

namespace ndsim::cli {

namespace {

constexpr std::uint64_t kAll = 1'000'000;  // parts of the time
constexpr std::uint64_t kTenth = 1000;     // of a per cent

constexpr std::size_t kMostEngines = 2 * kMostRows;
constexpr std::size_t kMostOfKind = 3;

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

// "nic.wqe" of A.nic.wqe, "cpu" of A.cpu_t1, "lane" of a name without a host.
std::string_view kind_of(std::string_view engine) {
    const std::size_t dot = engine.find('.');
    if (dot == std::string_view::npos) {
        return "lane";
    }
    const std::string_view unit = engine.substr(dot + 1);
    return unit.starts_with("cpu") ? "cpu" : unit;
}

// Engines that did anything, all or those of each kind with the smallest share of idle time.
std::vector<const EngineUse*> busiest_of(const std::vector<const EngineUse*>& used) {
    if (used.size() <= kMostEngines) {
        return used;
    }
    std::map<std::string_view, std::vector<std::size_t>> kinds;
    for (std::size_t i = 0; i < used.size(); ++i) {
        kinds[kind_of(used[i]->engine)].push_back(i);
    }
    std::vector<std::size_t> places;
    for (const auto& [kind, all] : kinds) {
        std::vector<std::uint64_t> shares;
        for (const std::size_t place : all) {
            shares.push_back(kAll - shares_of(*used[place]).front() * kTenth);
        }
        for (const std::size_t which : foremost(shares, kMostOfKind)) {
            places.push_back(all[which]);
        }
    }
    std::ranges::sort(places);
    std::vector<const EngineUse*> busiest;
    for (const std::size_t place : places) {
        busiest.push_back(used[place]);
    }
    return busiest;
}

}  // namespace

std::string engines_text(const std::vector<EngineUse>& engines, const Paint& paint) {
    std::vector<const EngineUse*> used;
    for (const EngineUse& use : engines) {
        if (use.busy + use.blocked_in_all() > Picoseconds{}) {
            used.push_back(&use);
        }
    }
    if (used.empty()) {
        return {};
    }
    Table table({Align::left, Align::right, Align::right, Align::right, Align::left});
    table.heading({"", "% idle", "% busy", "% blocked", "by"});
    const std::vector<const EngineUse*> busiest = busiest_of(used);
    for (const EngineUse* const use : busiest) {
        const std::vector<std::uint64_t> shares = shares_of(*use);
        std::uint64_t waited = 0;
        for (std::size_t i = 2; i < shares.size(); ++i) {
            waited += shares[i];
        }
        table.row(
            {use->engine, decimal(shares[0], 1), decimal(shares[1], 1), decimal(waited, 1), waits_of(*use, shares)});
    }
    return "\n" + paint.strong("Engines") + ": what they waited for\n" + table.text(paint) +
           others_below(used.size(), busiest.size(), "of these kinds that rested longer");
}

}  // namespace ndsim::cli
