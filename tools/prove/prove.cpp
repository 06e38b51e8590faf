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
#include "tools/cli/interrupt.hpp"
#include "tools/cli/loaded.hpp"
#include "tools/prove/baseline.hpp"
#include "tools/prove/gain.hpp"
#include "tools/prove/raised_limit.hpp"
#include "tools/prove/variants.hpp"

namespace ndsim::prove {

using Json = nlohmann::ordered_json;
using cli::LimitProof;
using cli::LimitVerdict;

namespace {

constexpr std::uint64_t kCandidate = 100'000;  // limits for less of the time, in ppm, are not tried
constexpr std::int64_t kPart = 3;  // a limit that does not bind brings less than this part of the binding one's gain
constexpr int kRounds = 3;         // of adding the next binding limits to those tried together

// Prover: tries the limits of one scenario.
class Prover {
public:
    explicit Prover(const cli::ScenarioArguments& arguments) : variants_(arguments), before_(variants_) {}

    [[nodiscard]] cli::LimitProofs prove() {
        if (const std::string_view flaw = before_.flaw(); !flaw.empty()) {
            proofs_.why = fmt::format("the run {}", flaw);
            return std::move(proofs_);
        }
        proofs_.seeds = before_.seeds();
        proofs_.chance = before_.chance({});
        for (const Json& limit : before_.results().front().at("limits")) {
            propose(limit);
        }
        try_new();
        try_together();
        drop_what_adds_nothing();
        std::ranges::for_each(proofs_.limits, [this](LimitProof& proof) { judge(proof); });
        return std::move(proofs_);
    }

private:
    using Sets = Variants::Sets;

    void propose(const Json& limit);
    void propose(LimitProof proof, const std::string& value);
    [[nodiscard]] bool propose_next(const Json& limits);
    void try_new();
    void take(LimitProof& proof, const Results& results) const;
    void try_together();
    void drop_what_adds_nothing();
    void judge(LimitProof& proof) const;
    [[nodiscard]] LimitProof* known(std::string_view parameter);
    [[nodiscard]] std::int64_t best_alone() const;
    [[nodiscard]] std::int64_t gain_together() const;
    [[nodiscard]] bool is_proved_together() const { return gain_together() >= best_alone() + before_.least({}); }
    [[nodiscard]] bool is_member(const LimitProof& proof) const;
    [[nodiscard]] Sets sets_of(const std::vector<std::string>& parameters) const;
    [[nodiscard]] bool is_of_generator(const LimitProof& proof) const;
    [[nodiscard]] bool gains(const LimitProof& proof) const;
    [[nodiscard]] bool is_shared() const;
    [[nodiscard]] bool is_raised(const LimitProof& proof) const {
        return proof.change && (proof.binds || proof.binds_next || (gains(proof) && !is_of_generator(proof)));
    }
    [[nodiscard]] std::int64_t gain(const LimitProof& proof) const {
        return gain_of(*proof.change, proof.binds && before_.is_open(proof.parameter));
    }
    [[nodiscard]] std::vector<Results> run(const std::vector<Sets>& points) const {
        return variants_.run(points, before_.seeds());
    }

    const Variants variants_;
    const Baseline before_;
    cli::LimitProofs proofs_;
};

LimitProof* Prover::known(std::string_view parameter) {
    const auto found = std::ranges::find(proofs_.limits, parameter, &LimitProof::parameter);
    return found == proofs_.limits.end() ? nullptr : &*found;
}

// Several limits may have one parameter: both directions of a link.
void Prover::propose(const Json& limit) {
    const std::string parameter = limit.at("parameter");
    const bool binds = limit.at("binds");
    if (known(parameter) == nullptr && (binds || limit.at("share_ppm").get<std::uint64_t>() >= kCandidate)) {
        propose({parameter, "", binds}, limit.at("value"));
    }
}

void Prover::propose(LimitProof proof, const std::string& value) {
    proof.value = raised_limit(proof.parameter, value);
    try {
        static_cast<void>(variants_.load({proof.parameter + "=" + proof.value}));
    } catch (const ConfigError& error) {
        proof.why = error.problems().front().message;
    }
    proofs_.limits.push_back(std::move(proof));
}

// Proposes the binding limits of a run with more of the earlier ones. True if any are new.
bool Prover::propose_next(const Json& limits) {
    bool is_new = false;
    for (const Json& limit : limits) {
        const std::string parameter = limit.at("parameter");
        if (!limit.at("binds").get<bool>()) {
            continue;
        }
        if (known(parameter) == nullptr) {
            propose({parameter}, limit.at("value"));
        }
        LimitProof& proof = *known(parameter);
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
            points.push_back({proof.parameter + "=" + proof.value});
        }
    }
    const std::vector<Results> results = run(points);
    for (std::size_t i = 0; i < tried.size(); ++i) {
        const std::string_view flaw = flaw_of(results[i]);
        if (flaw.empty()) {
            take(*tried[i], results[i]);
        } else {
            tried[i]->why = fmt::format("the run with it {}", flaw);
        }
    }
}

void Prover::take(LimitProof& proof, const Results& results) const {
    proof.change = before_.change(results, proof.parameter);
    proof.gain_of_all = gain_of(before_.change(results, {}), proof.binds && before_.is_open({}));
    if (gain(proof) < before_.least(proof.parameter) && !have_same_part(before_.results(), results)) {
        proof.change.reset();
        proof.why = "with it other generators are measured side by side (raise their count)";
    }
}

// Limits in a row give nothing alone: the first hides the second, which may not even have been used.
void Prover::try_together() {
    const auto is_missing = [this](const LimitProof& proof) {
        return proof.binds && proof.change && gain(proof) < before_.least(proof.parameter);
    };
    if (!is_shared() && std::ranges::none_of(proofs_.limits, is_missing)) {
        return;
    }
    for (int round = 0; round < kRounds; ++round) {
        cli::Together together;
        for (const LimitProof& proof : proofs_.limits) {
            if (is_raised(proof)) {
                together.parameters.push_back(proof.parameter);
            }
        }
        const Results results = run({sets_of(together.parameters)}).at(0);
        if (!flaw_of(results).empty()) {
            return;
        }
        if (together.parameters.size() > 1) {
            together.change = before_.change(results, {});
            proofs_.together = std::move(together);
        }
        if (is_proved_together() || !propose_next(results.front().at("limits"))) {
            return;
        }
        try_new();
    }
}

Prover::Sets Prover::sets_of(const std::vector<std::string>& parameters) const {
    Sets sets;
    for (const LimitProof& proof : proofs_.limits) {
        if (std::ranges::find(parameters, proof.parameter) != parameters.end()) {
            sets.push_back(proof.parameter + "=" + proof.value);
        }
    }
    return sets;
}

// Leaves out each in turn. The one without which the run gains most is dropped if less than a gain is lost altogether.
void Prover::drop_what_adds_nothing() {
    const std::int64_t all = gain_together();
    const std::int64_t least_gain = before_.least({});
    while (is_proved_together() && proofs_.together->parameters.size() > 1) {
        std::vector<cli::Together> fewer;
        std::vector<Sets> points;
        for (const std::string& left_out : proofs_.together->parameters) {
            fewer.push_back(*proofs_.together);
            std::erase(fewer.back().parameters, left_out);
            points.push_back(sets_of(fewer.back().parameters));
        }
        const std::vector<Results> results = run(points);
        for (std::size_t i = 0; i < fewer.size(); ++i) {
            fewer[i].change = flaw_of(results[i]).empty() ? before_.change(results[i], {}) : cli::Change{};
        }
        const auto gain_with = [this](const cli::Together& each) { return gain_of(each.change, before_.is_open({})); };
        const cli::Together& best = *std::ranges::max_element(fewer, {}, gain_with);
        if (gain_with(best) <= std::max(all, best_alone() + 2 * least_gain) - least_gain) {
            return;
        }
        proofs_.together = best;
    }
}

bool Prover::is_of_generator(const LimitProof& proof) const {
    return proof.parameter.starts_with("traffic.") || proof.parameter.starts_with("dma.");
}

std::int64_t Prover::best_alone() const {
    std::int64_t best = 0;
    for (const LimitProof& proof : proofs_.limits) {
        if (is_raised(proof)) {
            best = std::max(best, proof.gain_of_all);
        }
    }
    return best;
}

std::int64_t Prover::gain_together() const {
    return proofs_.together ? gain_of(proofs_.together->change, before_.is_open({})) : 0;
}

// Whether more of a limit that does not bind brings a notable gain, compared with the binding ones.
bool Prover::gains(const LimitProof& proof) const {
    std::int64_t best = 0;
    for (const LimitProof& other : proofs_.limits) {
        best = other.binds && other.change ? std::max(best, other.gain_of_all) : best;
    }
    return !proof.binds && proof.change && gain(proof) >= std::max(before_.least(proof.parameter), best / kPart);
}

// Whether any hardware limit gains without being named as binding.
bool Prover::is_shared() const {
    return std::ranges::any_of(proofs_.limits,
                               [this](const LimitProof& proof) { return gains(proof) && !is_of_generator(proof); });
}

bool Prover::is_member(const LimitProof& proof) const {
    return proofs_.together && std::ranges::count(proofs_.together->parameters, proof.parameter) > 0;
}

void Prover::judge(LimitProof& proof) const {
    const auto add_others = [&](const auto& counts) {
        for (const LimitProof& other : proofs_.limits) {
            if (&other != &proof && counts(other)) {
                proof.with.push_back(other.parameter);
            }
        }
    };
    if (!proof.change) {
        proof.verdict = LimitVerdict::not_tried;
    } else if (proof.binds && gain(proof) >= before_.least(proof.parameter)) {
        proof.verdict = is_shared() ? LimitVerdict::shared : LimitVerdict::proved;
        add_others([this](const LimitProof& other) { return gains(other) && !is_of_generator(other); });
    } else if (gains(proof)) {
        proof.verdict = LimitVerdict::gains;
    } else if (is_proved_together() && is_member(proof)) {
        proof.verdict = LimitVerdict::proved_together;
        add_others([this](const LimitProof& other) { return is_member(other); });
    } else {
        proof.verdict = proof.binds ? LimitVerdict::not_proved : LimitVerdict::no_gain;
    }
}

}  // namespace

cli::LimitProofs prove_limits(const cli::ScenarioArguments& scenario) {
    cli::catch_interrupts();
    return Prover(scenario).prove();
}

}  // namespace ndsim::prove
