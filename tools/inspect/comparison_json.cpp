// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "tools/inspect/beside.hpp"
#include "tools/inspect/comparison_text.hpp"
#include "tools/inspect/parting_text.hpp"

namespace ndsim::inspect {

namespace {

using Json = nlohmann::ordered_json;

// "first" and "second", of which one may be null.
template <class T, class Show>
void add_pair(Json& json, const Pair<T>& pair, Show show) {
    json["first"] = pair.first == nullptr ? Json() : Json(show(*pair.first));
    json["second"] = pair.second == nullptr ? Json() : Json(show(*pair.second));
}

Json run_json(const RecordedRun& run) {
    return {{"folder", run.folder},
            {"ndsim", run.version},
            {"file", run.file},
            {"overrides", run.overrides},
            {"outcome", run.whole.at("outcome").get<std::string>()},
            {"started_ps", run.started.count()}};
}

Json metric_json(const Pair<Metric>& pair) {
    Json json{{"name", name_of(pair)}};
    add_pair(json, pair, [](const Metric& metric) { return metric.value; });
    if (pair.first != nullptr && pair.second != nullptr) {
        json["difference"] = static_cast<std::int64_t>(pair.second->value - pair.first->value);
        json["distance_ppm"] = distance_ppm(pair.first->value, pair.second->value);
    }
    return json;
}

Json setting_json(const SettingPair& pair) {
    Json json{{"path", pair.path}};
    add_pair(json, pair, [](const RecordedSetting& setting) {
        return Json{{"value", setting.value}, {"origin", setting.origin}};
    });
    return json;
}

Json verdict_json(const Pair<Verdict>& pair) {
    Json json{{"path", pair.any().path}, {"what", pair.any().what}};
    add_pair(json, pair, [](const Verdict& verdict) { return Json{{"met", verdict.met}, {"found", verdict.found}}; });
    return json;
}

Json ledger_json(const Pair<MeanLedger>& pair) {
    Json json{{"host", pair.any().host}, {"operation", pair.any().operation}};
    add_pair(json, pair, [](const MeanLedger& ledger) {
        Json accounts = Json::object();
        for (const auto& [account, time] : ledger.accounts) {
            accounts[account] = time.count();
        }
        return Json{{"requests", ledger.requests},
                    {"mean_total_ps", ledger.mean_total.count()},
                    {"mean_accounts_ps", std::move(accounts)}};
    });
    return json;
}

Json limit_json(const Pair<RecordedLimit>& pair) {
    Json json{{"kind", pair.any().kind}, {"what", pair.any().what}};
    add_pair(json, pair, [](const RecordedLimit& limit) {
        return Json{{"share_ppm", limit.share_ppm},
                    {"binds", limit.binds},
                    {"parameter", limit.parameter},
                    {"value", limit.value}};
    });
    return json;
}

template <class List, class Show>
Json list_json(const List& list, Show show) {
    Json json = Json::array();
    for (const auto& each : list) {
        json.push_back(show(each));
    }
    return json;
}

}  // namespace

Json comparison_json(const RecordedRun& first, const RecordedRun& second, const Comparison& comparison) {
    const auto other_json = [](const OtherPair& other) {
        return Json{{"path", other.path},
                    {"first", other.first.empty() ? Json() : Json::parse(other.first)},
                    {"second", other.second.empty() ? Json() : Json::parse(other.second)}};
    };
    return {{"same", comparison.same},
            {"first", run_json(first)},
            {"second", run_json(second)},
            {"settings", list_json(comparison.settings, setting_json)},
            {"others", list_json(comparison.others, other_json)},
            {"expectations", list_json(comparison.verdicts, verdict_json)},
            {"metrics", list_json(comparison.metrics, metric_json)},
            {"limits", list_json(comparison.limits, limit_json)},
            {"ledgers", list_json(comparison.ledgers, ledger_json)},
            {"events_known", comparison.events_known},
            {"first_event", comparison.parting ? parting_json(*comparison.parting) : Json()}};
}

}  // namespace ndsim::inspect
