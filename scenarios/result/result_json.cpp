// SPDX-License-Identifier: Apache-2.0
#include "scenarios/result/result_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <numeric>
#include <utility>

#include "scenarios/format/status_name.hpp"
#include "scenarios/result/json_append.hpp"
#include "scenarios/result/version.hpp"
#include "sim/config/params.hpp"

namespace ndsim {

namespace {

using Json = nlohmann::ordered_json;

Json scenario_json(const Scenario& scenario, const ScenarioSources& sources) {
    return {{"file", std::filesystem::path(scenario.file).filename().string()},
            {"about", scenario.about},
            {"seed", scenario.seed},
            {"overrides", sources.overrides},
            {"parameters", to_json(sources.settings)},
            {"written", to_json(sources.written)}};
}

Json metrics_json(const Metrics& metrics) {
    Json json = object_for(metrics.all().size());
    for (const Metric& metric : metrics.all()) {
        Json each = object_for(3);
        append(each, "value", metric.value);
        append(each, "unit", unit_of(metric));
        append(each, "text", metric.text());
        append(json, metric.name, std::move(each));
    }
    return json;
}

Json engines_json(const std::vector<EngineUse>& engines) {
    Json json = Json::array();
    for (const EngineUse& use : engines) {
        Json blocked = Json::object();
        for (const auto& [what, time] : use.blocked) {
            blocked[what] = time.count();
        }
        json.push_back({{"engine", use.engine},
                        {"idle_ps", use.idle.count()},
                        {"busy_ps", use.busy.count()},
                        {"blocked_ps", use.blocked_in_all().count()},
                        {"blocked_by_ps", blocked}});
    }
    return json;
}

Json pools_json(const std::vector<PoolUse>& pools) {
    Json json = object_for(pools.size());
    for (const PoolUse& use : pools) {
        append(json, use.pool,
               {{"unit", kPoolUnitNames.at(static_cast<std::size_t>(use.facts->unit))},
                {"parameter", use.parameter},
                {"kept_full", use.facts->when_full == WhenFull::kept}});
    }
    return json;
}

Json ledgers_json(const std::vector<MeanLedger>& ledgers) {
    Json json = Json::array();
    for (const MeanLedger& ledger : ledgers) {
        Json accounts = Json::object();
        for (const auto& [account, time] : ledger.accounts) {
            accounts[account] = time.count();
        }
        json.push_back({{"host", ledger.host},
                        {"operation", ledger.operation},
                        {"requests", ledger.requests},
                        {"mean_total_ps", ledger.mean_total.count()},
                        {"mean_accounts_ps", accounts}});
    }
    return json;
}

Json queue_pairs_json(const std::vector<NumberedQueuePair>& queue_pairs) {
    Json json = Json::array();
    for (const NumberedQueuePair& qp : queue_pairs) {
        json.push_back({{"name", qp.name}, {"number", fmt::format("{:#x}", raw(qp.number))}});
    }
    return json;
}

Json limits_json(const std::vector<Limit>& limits) {
    Json json = Json::array();
    for (const Limit& limit : limits) {
        json.push_back({{"kind", kLimitKindNames.at(static_cast<std::size_t>(limit.kind))},
                        {"what", limit.what},
                        {"share_ppm", limit.share_ppm},
                        {"binds", limit.binds},
                        {"parameter", limit.parameter.path},
                        {"value", limit.parameter.value},
                        {"source", word(limit.parameter.source)},
                        {"basis", kLimitBasisNames.at(static_cast<std::size_t>(limit.parameter.basis))},
                        {"generators", limit.generators}});
    }
    return json;
}

Json verdicts_json(const std::vector<Verdict>& verdicts) {
    Json json = Json::array();
    for (const Verdict& verdict : verdicts) {
        json.push_back({{"met", verdict.met},
                        {"what", verdict.what},
                        {"found", verdict.found},
                        {"path", verdict.path},
                        {"line", verdict.at.line},
                        {"column", verdict.at.column}});
    }
    return json;
}

Json fates_json(const std::vector<Fates>& hosts) {
    Json json = Json::array();
    for (const Fates& fates : hosts) {
        Json host{{"host", fates.host},
                  {"posted", std::accumulate(fates.requests.begin(), fates.requests.end(), std::uint64_t{0})}};
        for (std::size_t i = 0; i < kFateNames.size(); ++i) {
            host[std::string(kFateNames.at(i))] = fates.requests.at(i);
        }
        json.push_back(std::move(host));
    }
    return json;
}

Json dead_connections_json(const std::vector<DeadConnection>& dead) {
    Json json = Json::array();
    for (const DeadConnection& each : dead) {
        json.push_back({{"connection", each.ends},
                        {"at_ps", each.at.count()},
                        {"why", each.why},
                        {"expected", each.expected},
                        {"of_program", each.of_program}});
    }
    return json;
}

// Of a long run, those that are no successes.
Json statuses_json(const StatusLog& statuses) {
    Json rows = Json::array();
    for (const GivenStatus& given : statuses.kept()) {
        Json row{{"at_ps", given.when.end.count()}, {"took_ps", (given.when.end - given.when.start).count()},
                 {"request", given.request},        {"queue", given.queue},
                 {"operation", given.operation},    {"status", status_name(given.status)}};
        if (given.bytes) {
            row["bytes"] = *given.bytes;
        }
        rows.push_back(std::move(row));
    }
    return {{"all", statuses.all()}, {"failed", statuses.failed()}, {"shown", std::move(rows)}};
}

}  // namespace

std::string_view word(RunOutcome outcome) {
    constexpr std::array<std::string_view, 5> kWords{"finished", "time_limit", "item_limit", "stalled", "interrupted"};
    return kWords.at(static_cast<std::size_t>(outcome));
}

// Metrics count the smallest units of their quantity.
std::string_view unit_of(const Metric& metric) {
    return metric.quantity ? units_of(*metric.quantity).front().name : "count";
}

std::optional<Quantity> quantity_of(std::string_view unit) {
    const auto found =
        std::ranges::find_if(kQuantities, [unit](Quantity each) { return units_of(each).front().name == unit; });
    return found == kQuantities.end() ? std::nullopt : std::optional(*found);
}

Json result_json(const Scenario& scenario, const ScenarioSources& sources, const RunResult& result) {
    Json json = object_for(21);
    append(json, "ndsim", version());
    append(json, "scenario", scenario_json(scenario, sources));
    append(json, "outcome", word(result.outcome));
    append(json, "why", result.why);
    append(json, "started_ps", result.started.count());
    append(json, "ended_ps", result.ended.count());
    append(json, "completions", result.completions);
    append(json, "metrics", metrics_json(result.metrics));
    append(json, "engines", engines_json(result.engines));
    append(json, "pools", pools_json(result.pools));
    append(json, "ledgers", ledgers_json(result.ledgers));
    append(json, "limits", limits_json(result.limits));
    append(json, "expectations", verdicts_json(result.verdicts));
    append(json, "statuses", statuses_json(result.statuses));
    append(json, "requests", fates_json(result.fates));
    append(json, "queue_pairs", queue_pairs_json(result.queue_pairs));
    append(json, "dead_connections", dead_connections_json(result.dead_connections));
    if (result.waves_cut_at) {
        append(json, "waves_cut_at_ps", result.waves_cut_at->count());
    }
    if (result.packets_cut_at) {
        append(json, "packets_cut_at_ps", result.packets_cut_at->count());
    }
    if (result.timeline_cut_at) {
        append(json, "timeline_cut_at_ps", result.timeline_cut_at->count());
    }
    append(json, "files", result.files);
    return json;
}

}  // namespace ndsim
