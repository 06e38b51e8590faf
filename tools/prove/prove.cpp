// SPDX-License-Identifier: Apache-2.0
#include "tools/prove/prove.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tools/cli/interrupt.hpp"
#include "tools/cli/loaded.hpp"
#include "tools/cli/progress_bar.hpp"
#include "tools/prove/baseline.hpp"
#include "tools/prove/candidates.hpp"
#include "tools/prove/gain.hpp"
#include "tools/prove/shared_part.hpp"
#include "tools/prove/variants.hpp"
#include "tools/prove/verdicts.hpp"

namespace ndsim::prove {

using Json = nlohmann::ordered_json;
using cli::LimitProof;
using cli::LimitVerdict;

namespace {

constexpr int kRounds = 3;  // of adding the next binding limits to those tried together

// Why a run cannot be compared with another one; empty if it can.
std::string flaw_in(const Results& results, const Generators& of) {
    const std::string_view flaw = flaw_of(results);
    return flaw.empty() ? doubt_of(results, of) : std::string(flaw);
}

// Prover: tries the limits of one scenario.
class Prover {
public:
    Prover(const cli::ScenarioArguments& arguments, const std::function<void(const Progress&)>& on_wait)
        : variants_(arguments, on_wait), before_(variants_) {}

    [[nodiscard]] cli::LimitProofs prove() {
        if (const std::string_view flaw = before_.flaw(); !flaw.empty()) {
            proofs_.why = fmt::format("the run {}", flaw);
            return std::move(proofs_);
        }
        proofs_.seeds = before_.seeds();
        proofs_.chance = before_.chance({});
        candidates_.propose_first();
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

    void try_new();
    void take(LimitProof& proof, const Results& results) const;
    void try_together();
    void drop_what_adds_nothing();
    [[nodiscard]] bool try_farther();
    void run_together_again();
    [[nodiscard]] std::vector<Results> run(const std::vector<Sets>& points) {
        return variants_.run(points, before_.seeds());
    }

    Variants variants_;
    const Baseline before_;
    cli::LimitProofs proofs_;
    Candidates candidates_{variants_, before_, proofs_};
    const Verdicts shown_{before_, proofs_};  // by the runs so far
};

// Tries each untried limit alone.
void Prover::try_new() {
    std::vector<LimitProof*> tried;
    std::vector<Sets> points;
    for (LimitProof& proof : proofs_.limits) {
        if (proof.why.empty() && !proof.change) {
            tried.push_back(&proof);
            points.push_back(Candidates::sets_of(proof));
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
        const Results results = run({candidates_.sets_of(together.parameters)}).at(0);
        if (!flaw_in(results, {}).empty()) {
            return;
        }
        if (together.parameters.size() > 1) {
            together.change = before_.change(results, {});
            proofs_.together = std::move(together);
        }
        if (shown_.is_proved_together() || !candidates_.propose_next(results.front().at("limits"))) {
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
        candidates_.raise(proof, before[i].value);
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
    const Results results = run({candidates_.sets_of(proofs_.together->parameters)}).at(0);
    if (flaw_in(results, {}).empty()) {
        proofs_.together->change = before_.change(results, {});
        drop_what_adds_nothing();
    }
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
            points.push_back(candidates_.sets_of(fewer.back().parameters));
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

cli::LimitProofs prove_limits(const cli::ScenarioArguments& scenario, bool quiet) {
    cli::catch_interrupts();
    cli::ProgressBar bar("limits", !quiet);
    return Prover(scenario, [&bar](const Progress& progress) { bar.show(progress); }).prove();
}

}  // namespace ndsim::prove
