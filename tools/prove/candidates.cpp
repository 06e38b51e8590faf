// SPDX-License-Identifier: Apache-2.0
#include "tools/prove/candidates.hpp"

#include <algorithm>
#include <cstdint>

#include "sim/config/problems.hpp"
#include "tools/prove/raised_limit.hpp"
#include "tools/prove/shared_part.hpp"

namespace ndsim::prove {

using cli::LimitProof;

namespace {

// Limits for less of the time, in ppm, are not tried. What the hardware explains is taken off the waits of generators.
constexpr std::uint64_t kCandidate = 100'000;
constexpr std::uint64_t kCandidateOfWaits = 50'000;

std::uint64_t least_share(const nlohmann::ordered_json& limit) {
    const std::string kind = limit.at("kind");
    return kind == "window" || kind == "ring" || kind == "signalling" ? kCandidateOfWaits : kCandidate;
}

}  // namespace

void Candidates::propose_first() {
    const Json& limits = before_.results().front().at("limits");
    for (const Json& limit : limits) {
        const bool binds = limit.at("binds");
        if (binds || limit.at("share_ppm").get<std::uint64_t>() >= least_share(limit)) {
            LimitProof& proof = propose(limit, limits);
            proof.binds = proof.binds || binds;
        }
    }
}

bool Candidates::propose_next(const Json& limits) {
    bool is_new = false;
    for (const Json& limit : limits) {
        if (!limit.at("binds").get<bool>()) {
            continue;
        }
        LimitProof& proof = propose(limit, limits);
        if (!proof.binds && !proof.binds_next && proof.why.empty()) {
            proof.binds_next = true;
            is_new = true;
        }
    }
    return is_new;
}

// Several limits may have one parameter, such as both directions of a link: it may hold up the generators of all. The
// parameters of alike things are raised together.
LimitProof& Candidates::propose(const Json& limit, const Json& limits) {
    const std::string parameter = limit.at("parameter");
    const auto known =
        std::ranges::find_if(proofs_.limits, [&](const LimitProof& proof) { return proof.is_of(parameter); });
    if (known != proofs_.limits.end()) {
        return *known;
    }
    std::vector<std::string> parameters = parameters_like(limit, limits, alike_);
    std::erase_if(parameters, [this](const std::string& each) { return proofs_.find(each) != nullptr; });
    LimitProof& proof = proofs_.limits.emplace_back();
    proof.parameter = parameter;
    proof.alike.assign(parameters.begin() + 1, parameters.end());
    proof.generators = generators_of(limits, parameters);
    raise(proof, limit.at("value"));
    widen(proof, before_.results());
    if (const std::string doubt = doubt_of(before_.results(), proof.generators); !doubt.empty()) {
        proof.why = "the run " + doubt;
    }
    return proof;
}

void Candidates::raise(LimitProof& proof, const std::string& value) const {
    proof.value = raised_limit(proof.parameter, value);
    try {
        static_cast<void>(variants_.load(sets_of(proof)));
    } catch (const ConfigError& error) {
        proof.why = error.problems().front().message;
    }
}

Candidates::Sets Candidates::sets_of(const LimitProof& proof) {
    Sets sets;
    for (const std::string& parameter : proof.all_parameters()) {
        sets.push_back(parameter + "=" + proof.value);
    }
    return sets;
}

Candidates::Sets Candidates::sets_of(const std::vector<std::string>& parameters) const {
    Sets sets;
    for (const LimitProof& proof : proofs_.limits) {
        if (std::ranges::find(parameters, proof.parameter) != parameters.end()) {
            const Sets more = sets_of(proof);
            sets.insert(sets.end(), more.begin(), more.end());
        }
    }
    return sets;
}

void widen(LimitProof& proof, const Results& results) {
    if (!is_of_generator(proof.parameter) && !doubt_of(results, proof.generators).empty()) {
        proof.generators.clear();
    }
}

}  // namespace ndsim::prove
