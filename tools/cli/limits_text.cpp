// SPDX-License-Identifier: Apache-2.0
#include "tools/cli/limits_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "sim/base/text.hpp"
#include "sim/config/params.hpp"
#include "tools/cli/figures.hpp"
#include "tools/cli/table.hpp"

namespace ndsim::cli {

namespace {

constexpr std::size_t kPools = 6;
constexpr std::size_t kBounds = 4;

// A pool with its metrics.
struct Pool {
    std::string name;
    std::uint64_t high_water = 0;
    std::uint64_t capacity = 0;
    std::uint64_t mean_milli = 0;
    std::uint64_t full_ppm = 0;
    std::string_view sentence;
};

std::uint64_t metric_value(const Metrics& metrics, const std::string& name) {
    const Metric* const metric = metrics.find(name);
    return metric == nullptr ? 0 : metric->value;
}

// Pools in use, without those that limit nothing, or that their owner keeps full.
std::vector<Pool> pools_of(const RunResult& result) {
    std::vector<Pool> pools;
    for (const PoolUse& use : result.pools) {
        const auto figure = [&](std::string_view name) {
            return metric_value(result.metrics, fmt::format("{}.{}", use.pool, name));
        };
        const std::uint64_t most = figure("high_water");
        if (most > 0 && result.metrics.find(use.pool + ".capacity") != nullptr &&
            use.facts->when_full != WhenFull::kept) {
            pools.push_back(
                {use.pool, most, figure("capacity"), figure("mean_milli"), figure("full"), use.facts->sentence});
        }
    }
    return pools;
}

// Whether pool `a` is busier than pool `b`.
bool is_busier(const Pool& a, const Pool& b) {
    if (a.full_ppm != b.full_ppm) {
        return a.full_ppm > b.full_ppm;
    }
    return a.high_water * b.capacity > b.high_water * a.capacity;
}

// The kind of a switch's pool, "queue"; empty for any other pool.
std::string_view pool_of_switch(std::string_view name, const Scenario& scenario) {
    const bool is_switch = std::ranges::any_of(
        scenario.switches, [&](const NetworkSwitch& each) { return name.starts_with(each.name + "."); });
    return is_switch ? name.substr(name.rfind('.') + 1) : "";
}

// The first pools that are not alike, and the first of each kind of a switch.
std::vector<Pool> shown_of(const std::vector<Pool>& pools, const Scenario& scenario, const AlikeHosts& alike) {
    std::set<std::string> keys;
    std::set<std::string_view> of_switches;
    std::vector<Pool> shown;
    for (const Pool& pool : pools) {
        const std::string_view kind = pool_of_switch(pool.name, scenario);
        const bool is_first = !kind.empty() && of_switches.insert(kind).second;
        if (keys.insert(alike.key(pool.name)).second && (keys.size() <= kPools || is_first)) {
            shown.push_back(pool);
        }
    }
    return shown;
}

// The sign of a limit.
std::string_view sign_of(LimitKind kind) {
    constexpr std::array<std::string_view, kLimitKindNames.size()> kSigns{
        "full", "full for lack of a completion", "full", "full or waited for", "waited for", "busy", "busy", "busy"};
    return kSigns.at(static_cast<std::size_t>(kind));
}

// Why the limit is not the only one; empty if it is, or was not tried.
std::string others_text(const LimitProof* proof) {
    if (proof == nullptr || proof->with.empty()) {
        return {};
    }
    return (proof->verdict == LimitVerdict::shared ? "shared with " : "only together with ") + join(proof->with, ", ");
}

std::string basis_text(const LimitParameter& parameter) {
    const std::string basis(kLimitBasisNames.at(static_cast<std::size_t>(parameter.basis)));
    return parameter.basis == LimitBasis::chosen ? basis : fmt::format("{} ({})", basis, word(parameter.source));
}

// Limits of alike things, with one value: a row of the table.
struct BoundRow {
    std::vector<const Limit*> limits;
    std::string others;
};

// The limits that bind, in their order, without those that were tried and not proved.
std::vector<BoundRow> bound_rows(const std::vector<Limit>& limits, const LimitProofs* proofs, const AlikeHosts& alike) {
    std::map<std::string, std::size_t> places;
    std::vector<BoundRow> rows;
    for (const Limit& limit : limits) {
        if (!limit.binds) {
            break;  // no later limit is ahead of one that does not bind
        }
        const LimitProof* const proof = proofs == nullptr ? nullptr : proofs->find(limit.parameter.path);
        if (proof != nullptr && proof->verdict == LimitVerdict::not_proved) {
            continue;
        }
        const std::string others = others_text(proof);
        const auto [place, is_new] =
            places.try_emplace(fmt::format("{} {} {} {} {}", static_cast<int>(limit.kind), alike.key(limit.what),
                                           limit.parameter.value, basis_text(limit.parameter), others),
                               rows.size());
        if (is_new) {
            rows.push_back({{}, others});
        }
        rows[place->second].limits.push_back(&limit);
    }
    return rows;
}

std::vector<std::string> cells_of(const BoundRow& row) {
    const Limit& first = *row.limits.front();
    const auto [least, most] = std::ranges::minmax_element(row.limits, {}, &Limit::share_ppm);
    std::vector<std::string> whats;
    std::vector<std::string> paths;
    for (const Limit* const limit : row.limits) {
        whats.push_back(limit->what);
        paths.push_back(limit->parameter.path);
    }
    const std::string low = percent((*least)->share_ppm, 1'000'000);
    const std::string high = percent((*most)->share_ppm, 1'000'000);
    return {fmt::format("{}: {}{}", kLimitKindNames.at(static_cast<std::size_t>(first.kind)), least_and_greatest(whats),
                        row.limits.size() > 1 ? fmt::format(" ({} alike)", row.limits.size()) : ""),
            std::string(sign_of(first.kind)),
            (low == high ? low : low + " .. " + high) + " %",
            fmt::format("{} = {}", least_and_greatest(paths), first.parameter.value),
            basis_text(first.parameter),
            row.others};
}

}  // namespace

std::string bound_text(const std::vector<Limit>& limits, const AlikeHosts& alike, const LimitProofs* proofs,
                       const Paint& paint) {
    Table table({Align::left, Align::left, Align::right, Align::left, Align::left, Align::left});
    std::size_t lines = 0;
    for (const BoundRow& row : bound_rows(limits, proofs, alike)) {
        if (lines < kBounds) {
            table.row(cells_of(row));
            ++lines;
        }
    }
    const bool any_binds = !limits.empty() && limits.front().binds;
    return "\n" + paint.strong("Bound by") +
           (lines > 0   ? "\n"
            : any_binds ? ": no limit is proved\n"
                        : ": nothing that was full or busy for long\n") +
           table.text(paint);
}

std::string pools_text(const RunResult& result, const Scenario& scenario, const AlikeHosts& alike, const Paint& paint) {
    std::vector<Pool> pools = pools_of(result);
    std::stable_sort(pools.begin(), pools.end(), is_busier);
    pools = shown_of(pools, scenario, alike);
    const bool any_alike =
        std::ranges::any_of(pools, [&alike](const Pool& pool) { return alike.key(pool.name) != pool.name; });
    Table table({Align::left, Align::right, Align::right, Align::right, Align::right, Align::right, Align::left});
    table.heading({"", "at most", "of", "mean", "% used", "% of time full", ""});
    for (const Pool& pool : pools) {
        table.row({pool.name, std::to_string(pool.high_water), std::to_string(pool.capacity),
                   decimal((pool.mean_milli + 50) / 100, 1), percent(pool.mean_milli, 1000 * pool.capacity),
                   percent(pool.full_ppm, 1'000'000), std::string(pool.sentence)});
    }
    if (pools.empty()) {
        return {};
    }
    return "\n" + paint.strong("Busiest pools") + (any_alike ? "; of alike pools, the fullest\n" : "\n") +
           table.text(paint);
}

}  // namespace ndsim::cli
