// SPDX-License-Identifier: Apache-2.0
#include "tools/cli/further_runs.hpp"

#include <nlohmann/json.hpp>

namespace ndsim::cli {

using Json = nlohmann::ordered_json;

namespace {

Json pack(const std::optional<std::uint64_t>& number) {
    return number ? Json(*number) : Json();
}

Json pack(const Change& change) {
    return Json::array({change.goodput, change.latency});
}

Json pack(const LimitProofs& proofs) {
    Json limits = Json::array();
    for (const LimitProof& proof : proofs.limits) {
        limits.push_back({{"parameter", proof.parameter},
                          {"value", proof.value},
                          {"binds", proof.binds},
                          {"binds_next", proof.binds_next},
                          {"verdict", static_cast<int>(proof.verdict)},
                          {"change", proof.change ? pack(*proof.change) : Json()},
                          {"gain_of_all", proof.gain_of_all},
                          {"why", proof.why},
                          {"with", proof.with}});
    }
    Json together;
    if (proofs.together) {
        together = {{"parameters", proofs.together->parameters}, {"change", pack(proofs.together->change)}};
    }
    return {{"limits", std::move(limits)},
            {"together", std::move(together)},
            {"why", proofs.why},
            {"seeds", proofs.seeds},
            {"chance", proofs.chance}};
}

Json pack(const ErrorBars& found) {
    Json bars = Json::array();
    for (const ErrorBar& bar : found.bars) {
        bars.push_back({{"metric", bar.metric},
                        {"unit", bar.unit},
                        {"value", bar.value},
                        {"low", pack(bar.low)},
                        {"high", pack(bar.high)},
                        {"estimates", bar.estimates}});
    }
    return {{"bars", std::move(bars)}, {"why", found.why}, {"interrupted", found.interrupted}};
}

std::optional<std::uint64_t> number_of(const Json& json) {
    return json.is_null() ? std::nullopt : std::optional(json.get<std::uint64_t>());
}

Change change_of(const Json& json) {
    return {json.at(0), json.at(1)};
}

LimitProofs proofs_of(const Json& json) {
    LimitProofs proofs;
    for (const Json& each : json.at("limits")) {
        LimitProof& proof = proofs.limits.emplace_back();
        proof.parameter = each.at("parameter");
        proof.value = each.at("value");
        proof.binds = each.at("binds");
        proof.binds_next = each.at("binds_next");
        proof.verdict = static_cast<LimitVerdict>(each.at("verdict").get<int>());
        if (const Json& change = each.at("change"); !change.is_null()) {
            proof.change = change_of(change);
        }
        proof.gain_of_all = each.at("gain_of_all");
        proof.why = each.at("why");
        proof.with = each.at("with").get<std::vector<std::string>>();
    }
    if (const Json& together = json.at("together"); !together.is_null()) {
        proofs.together = {together.at("parameters").get<std::vector<std::string>>(), change_of(together.at("change"))};
    }
    proofs.why = json.at("why");
    proofs.seeds = json.at("seeds");
    proofs.chance = json.at("chance");
    return proofs;
}

ErrorBars bars_of(const Json& json) {
    ErrorBars found;
    for (const Json& each : json.at("bars")) {
        found.bars.push_back({each.at("metric"), each.at("unit"), each.at("value"), number_of(each.at("low")),
                              number_of(each.at("high")), each.at("estimates")});
    }
    found.why = json.at("why");
    found.interrupted = json.at("interrupted");
    return found;
}

}  // namespace

std::string packed(const FurtherRuns& shown) {
    Json json = Json::object();
    if (shown.proofs) {
        json["proofs"] = pack(*shown.proofs);
    }
    if (shown.bars) {
        json["bars"] = pack(*shown.bars);
    }
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

FurtherRuns unpacked(const std::string& text) {
    const Json json = Json::parse(text);
    FurtherRuns shown;
    if (const auto proofs = json.find("proofs"); proofs != json.end()) {
        shown.proofs = proofs_of(*proofs);
    }
    if (const auto bars = json.find("bars"); bars != json.end()) {
        shown.bars = bars_of(*bars);
    }
    return shown;
}

}  // namespace ndsim::cli
