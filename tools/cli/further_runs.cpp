// SPDX-License-Identifier: Apache-2.0
#include "tools/cli/further_runs.hpp"

#include <nlohmann/json.hpp>
#include <tuple>

namespace ndsim::cli {

namespace {

using Json = nlohmann::ordered_json;

auto members(FurtherRuns& runs) {
    return std::tie(runs.proofs, runs.bars);
}
auto members(LimitProofs& proofs) {
    return std::tie(proofs.limits, proofs.together, proofs.why, proofs.seeds, proofs.chance);
}
auto members(LimitProof& proof) {
    return std::tie(proof.parameter, proof.alike, proof.value, proof.binds, proof.binds_next, proof.is_farther,
                    proof.verdict, proof.change, proof.gain_of_all, proof.goodput_of_all, proof.why, proof.with);
}
auto members(Together& together) {
    return std::tie(together.parameters, together.change);
}
auto members(Change& change) {
    return std::tie(change.goodput, change.latency);
}
auto members(ErrorBars& found) {
    return std::tie(found.bars, found.why, found.interrupted);
}
auto members(ErrorBar& bar) {
    return std::tie(bar.metric, bar.unit, bar.value, bar.low, bar.high, bar.estimates);
}

// A structure is an array of its members; an optional value is an array of at most one.
template <class T>
Json pack(T& value) {
    if constexpr (requires { members(value); }) {
        return std::apply([](auto&... each) { return Json::array({pack(each)...}); }, members(value));
    } else if constexpr (requires { value.reset(); }) {
        return value ? Json::array({pack(*value)}) : Json::array();
    } else if constexpr (requires { value.emplace_back(); }) {
        Json array = Json::array();
        for (auto& each : value) {
            array.push_back(pack(each));
        }
        return array;
    } else {
        return value;
    }
}

template <class T>
void unpack(const Json& json, T& value) {
    if constexpr (requires { members(value); }) {
        std::size_t next = 0;
        std::apply([&](auto&... each) { (unpack(json.at(next++), each), ...); }, members(value));
    } else if constexpr (requires { value.reset(); }) {
        if (!json.empty()) {
            unpack(json.at(0), value.emplace());
        }
    } else if constexpr (requires { value.emplace_back(); }) {
        for (const Json& each : json) {
            unpack(each, value.emplace_back());
        }
    } else {
        json.get_to(value);
    }
}

}  // namespace

std::string packed(FurtherRuns runs) {
    return pack(runs).dump(-1, ' ', false, Json::error_handler_t::replace);
}

FurtherRuns unpacked(const std::string& text) {
    FurtherRuns runs;
    unpack(Json::parse(text), runs);
    return runs;
}

}  // namespace ndsim::cli
