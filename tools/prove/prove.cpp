// SPDX-License-Identifier: Apache-2.0
#include "tools/prove/prove.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/config/problems.hpp"
#include "tools/cli/alike_hosts.hpp"
#include "tools/cli/interrupt.hpp"
#include "tools/cli/loaded.hpp"
#include "tools/prove/baseline.hpp"
#include "tools/prove/gain.hpp"
#include "tools/prove/raised_limit.hpp"
#include "tools/prove/shared_part.hpp"
#include "tools/prove/variants.hpp"
#include "tools/prove/verdicts.hpp"

namespace ndsim::prove {

using Json = nlohmann::ordered_json;
using cli::LimitProof;
using cli::LimitVerdict;

namespace {

// Limits for less of the time, in ppm, are not tried. What the hardware explains is taken off the waits of generators.
constexpr std::uint64_t kCandidate = 100'000;
constexpr std::uint64_t kCandidateOfWaits = 50'000;
constexpr int kRounds = 3;  // of adding the next binding limits to those tried together

std::uint64_t least_share(const Json& limit) {
    const std::string kind = limit.at("kind");
    return kind == "window" || kind == "ring" || kind == "signalling" ? kCandidateOfWaits : kCandidate;
}

// Why a run cannot be compared with another one; empty if it can.
std::string flaw_in(const Results& results, const Generators& of) {
    const std::string_view flaw = flaw_of(results);
    return flaw.empty() ? doubt_of(results, of) : std::string(flaw);
}

// Prover: tries the limits of one scenario.
class Prover {
public:
    explicit Prover(const cli::ScenarioArguments& arguments)
        : variants_(arguments), alike_(variants_.scenario()), before_(variants_) {}

    [[nodiscard]] cli::LimitProofs prove() {
        if (const std::string_view flaw = before_.flaw(); !flaw.empty()) {
            proofs_.why = fmt::format("the run {}", flaw);
            return std::move(proofs_);
        }
        proofs_.seeds = before_.seeds();
        proofs_.chance = before_.chance({});
        const Json& limits = before_.results().front().at("limits");
        for (const Json& limit : limits) {
            const bool binds = limit.at("binds");
            if (binds || limit.at("share_ppm").get<std::uint64_t>() >= least_share(limit)) {
                LimitProof& proof = propose(limit, limits);
                proof.binds = proof.binds || binds;
            }
        }
        try_new();
        try_together();
        drop_what_adds_nothing();
        if (try_farther()) {
            run_together_again();
        }
        std::ranges::for_each(proofs_.limits, [this](LimitProof& proof) { shown_.judge(proof); });
        return std::move(proofs_);
    }

private:
    using Sets = Variants::Sets;

    LimitProof& propose(const Json& limit, const Json& limits);
    void raise(LimitProof& proof, const std::string& value) const;
    static void widen(LimitProof& proof, const Results& results);
    [[nodiscard]] bool propose_next(const Json& limits);
    void try_new();
    void take(LimitProof& proof, const Results& results) const;
    void try_together();
    void drop_what_adds_nothing();
    [[nodiscard]] bool try_farther();
    void run_together_again();
    [[nodiscard]] static Sets sets_of(const LimitProof& proof);
    [[nodiscard]] Sets sets_of(const std::vector<std::string>& parameters) const;
    [[nodiscard]] std::vector<Results> run(const std::vector<Sets>& points) const {
        return variants_.run(points, before_.seeds());
    }

    const Variants variants_;
    const cli::AlikeHosts alike_;
    const Baseline before_;
    cli::LimitProofs proofs_;
    const Verdicts shown_{before_, proofs_};  // by the runs so far
};

// Several limits may have one parameter, such as both directions of a link: it may hold up the generators of all. The
// parameters of alike things are raised together.
LimitProof& Prover::propose(const Json& limit, const Json& limits) {
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

void Prover::raise(LimitProof& proof, const std::string& value) const {
    proof.value = raised_limit(proof.parameter, value);
    try {
        static_cast<void>(variants_.load(sets_of(proof)));
    } catch (const ConfigError& error) {
        proof.why = error.problems().front().message;
    }
}

// If the generators of a limit of the hardware were measured for too short a time, all together count.
void Prover::widen(LimitProof& proof, const Results& results) {
    if (!is_of_generator(proof.parameter) && !doubt_of(results, proof.generators).empty()) {
        proof.generators.clear();
    }
}

// Proposes the binding limits of a run with more of the earlier ones. True if any are new.
bool Prover::propose_next(const Json& limits) {
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

// Tries each untried limit alone.
void Prover::try_new() {
    std::vector<LimitProof*> tried;
    std::vector<Sets> points;
    for (LimitProof& proof : proofs_.limits) {
        if (proof.why.empty() && !proof.change) {
            tried.push_back(&proof);
            points.push_back(sets_of(proof));
        }
    }
    const std::vector<Results> results = run(points);
    for (std::size_t i = 0; i < tried.size(); ++i) {
        widen(*tried[i], results[i]);
        const std::string flaw = flaw_in(results[i], tried[i]->generators);
        if (flaw.empty()) {
            take(*tried[i], results[i]);
        } else {
            tried[i]->why = fmt::format("the run with it {}", flaw);
        }
    }
}

void Prover::take(LimitProof& proof, const Results& results) const {
    proof.change = before_.change(results, proof.generators);
    const cli::Change of_all = before_.change(results, {});
    proof.gain_of_all = gain_of(of_all, proof.binds && before_.is_open({}));
    const Json& first = results.front();
    if (generators_in(first, proof.generators).size() < generators_in(first, {}).size()) {
        proof.goodput_of_all = of_all.goodput;
    }
    if (shown_.gain(proof) < before_.least(proof.generators) && !have_same_part(before_.results(), results)) {
        proof.change.reset();
        proof.why = "with it other generators are measured side by side (raise their count)";
    }
}

// Limits in a row give nothing alone: the first hides the second, which may not even have been used.
void Prover::try_together() {
    const auto is_missing = [this](const LimitProof& proof) {
        return proof.binds && proof.change && shown_.gain(proof) < before_.least(proof.generators);
    };
    const auto is_shared = [this](const LimitProof& proof) { return proof.binds && shown_.is_shared(proof); };
    if (std::ranges::none_of(proofs_.limits, is_shared) && std::ranges::none_of(proofs_.limits, is_missing)) {
        return;
    }
    for (int round = 0; round < kRounds; ++round) {
        cli::Together together;
        for (const LimitProof& proof : proofs_.limits) {
            if (shown_.is_raised(proof)) {
                together.parameters.push_back(proof.parameter);
            }
        }
        const Results results = run({sets_of(together.parameters)}).at(0);
        if (!flaw_in(results, {}).empty()) {
            return;
        }
        if (together.parameters.size() > 1) {
            together.change = before_.change(results, {});
            proofs_.together = std::move(together);
        }
        if (shown_.is_proved_together() || !propose_next(results.front().at("limits"))) {
            return;
        }
        try_new();
    }
}

// More of what works in steps brings nothing before the next step, so what is not proved is raised once more. True if
// any of the limits that were raised together then gains.
bool Prover::try_farther() {
    const std::vector<LimitProof> before = proofs_.limits;
    std::vector<std::size_t> raised;
    for (std::size_t i = 0; i < before.size(); ++i) {
        if (shown_.verdict_of(before[i]) == LimitVerdict::not_proved) {
            raised.push_back(i);
        }
    }
    for (const std::size_t i : raised) {
        LimitProof& proof = proofs_.limits[i];
        proof.change.reset();
        proof.is_farther = true;
        raise(proof, before[i].value);
    }
    try_new();
    bool any_gains = false;
    for (const std::size_t i : raised) {
        const LimitProof& proof = proofs_.limits[i];
        if (!proof.change || shown_.gain(proof) < before_.least(proof.generators)) {
            proofs_.limits[i] = before[i];
        } else {
            any_gains = any_gains || shown_.is_member(proof);
        }
    }
    return any_gains;
}

// With the values that gain.
void Prover::run_together_again() {
    const Results results = run({sets_of(proofs_.together->parameters)}).at(0);
    if (flaw_in(results, {}).empty()) {
        proofs_.together->change = before_.change(results, {});
        drop_what_adds_nothing();
    }
}

Prover::Sets Prover::sets_of(const LimitProof& proof) {
    Sets sets;
    for (const std::string& parameter : proof.all_parameters()) {
        sets.push_back(parameter + "=" + proof.value);
    }
    return sets;
}

Prover::Sets Prover::sets_of(const std::vector<std::string>& parameters) const {
    Sets sets;
    for (const LimitProof& proof : proofs_.limits) {
        if (std::ranges::find(parameters, proof.parameter) != parameters.end()) {
            const Sets more = sets_of(proof);
            sets.insert(sets.end(), more.begin(), more.end());
        }
    }
    return sets;
}

// Leaves out each in turn. The one without which the run gains most is dropped if less than a gain is lost altogether.
void Prover::drop_what_adds_nothing() {
    const std::int64_t all = shown_.gain_together();
    const std::int64_t least_gain = before_.least({});
    while (shown_.is_proved_together() && proofs_.together->parameters.size() > 1) {
        std::vector<cli::Together> fewer;
        std::vector<Sets> points;
        for (const std::string& left_out : proofs_.together->parameters) {
            fewer.push_back(*proofs_.together);
            std::erase(fewer.back().parameters, left_out);
            points.push_back(sets_of(fewer.back().parameters));
        }
        const std::vector<Results> results = run(points);
        for (std::size_t i = 0; i < fewer.size(); ++i) {
            fewer[i].change = flaw_in(results[i], {}).empty() ? before_.change(results[i], {}) : cli::Change{};
        }
        const auto gain_with = [this](const cli::Together& each) { return gain_of(each.change, before_.is_open({})); };
        const cli::Together& best = *std::ranges::max_element(fewer, {}, gain_with);
        if (gain_with(best) <= std::max(all, shown_.best_alone() + 2 * least_gain) - least_gain) {
            return;
        }
        proofs_.together = best;
    }
}

}  // namespace

cli::LimitProofs prove_limits(const cli::ScenarioArguments& scenario) {
    cli::catch_interrupts();
    return Prover(scenario).prove();
}

}  // namespace ndsim::prove
