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
#include "tools/prove/change.hpp"
#include "tools/prove/more_of.hpp"
#include "tools/sweep/children.hpp"
#include "tools/sweep/point.hpp"

namespace ndsim::prove {

using Json = nlohmann::ordered_json;
using cli::LimitProof;
using cli::LimitVerdict;

namespace {

constexpr std::uint64_t kCandidate = 100'000;  // what bound for less of the time, in ppm, is not tried
constexpr std::int64_t kPart = 3;  // what does not bind brings less than this part of what that does which binds

// Why the figures of a run are none to compare with; empty if they are.
std::string_view flaw_of(const Json& result) {
    if (result.value("outcome", "") != "finished") {
        return "does not come to its end";
    }
    const Json& dead = result.at("dead_connections");
    return std::ranges::all_of(dead, [](const Json& each) { return each.at("expected").get<bool>(); })
               ? ""
               : "loses a connection";
}

// Prover: tries the limits of one scenario.
class Prover {
public:
    explicit Prover(const cli::ScenarioArguments& arguments) : arguments_(arguments), scenario_(load({}).scenario) {}

    [[nodiscard]] cli::LimitProofs prove() {
        const Json whole = run({{}}).at(0);
        if (const std::string_view flaw = flaw_of(whole); !flaw.empty()) {
            proofs_.why = fmt::format("the run {}", flaw);
            return std::move(proofs_);
        }
        before_ = whole.at("metrics");
        for (const Json& limit : whole.at("limits")) {
            propose(limit);
        }
        try_each();
        try_together();
        for (LimitProof& proof : proofs_.limits) {
            judge(proof);
        }
        return std::move(proofs_);
    }

private:
    using Sets = std::vector<std::string>;

    [[nodiscard]] std::vector<Json> run(const std::vector<Sets>& points) const;
    [[nodiscard]] cli::Loaded load(const Sets& sets) const;
    void propose(const Json& limit);
    void try_each();
    void try_together();
    void judge(LimitProof& proof) const;
    [[nodiscard]] std::int64_t best_alone() const;
    [[nodiscard]] bool is_open(std::string_view parameter) const;
    [[nodiscard]] std::int64_t gain(const LimitProof& proof) const {
        return gain_of(*proof.change, proof.binds && is_open(proof.parameter));
    }

    const cli::ScenarioArguments& arguments_;
    const Scenario scenario_;
    Json before_;
    cli::LimitProofs proofs_;
};

cli::Loaded Prover::load(const Sets& sets) const {
    cli::ScenarioArguments arguments = arguments_;
    arguments.overrides.insert(arguments.overrides.end(), sets.begin(), sets.end());
    return cli::load(arguments);
}

std::vector<Json> Prover::run(const std::vector<Sets>& points) const {
    std::vector<Json> results(points.size(), Json::object());
    sweep::ChildWork work;
    work.jobs = points.size();
    work.at_once = sweep::cores();
    work.run = [&](std::size_t job) { return sweep::run_point(load(points[job])).dump(); };
    work.on_end = [&](const sweep::ChildEnd& end) {
        if (end.died.empty()) {
            results[end.job] = Json::parse(end.text);
        }
    };
    work.stop = [] { return cli::interrupted(); };
    sweep::run_in_children(work);
    return results;
}

// Several limits may have one parameter: both directions of a link.
void Prover::propose(const Json& limit) {
    const std::string parameter = limit.at("parameter");
    const bool binds = limit.at("binds");
    const bool known = std::ranges::find(proofs_.limits, parameter, &LimitProof::parameter) != proofs_.limits.end();
    if (known || (!binds && limit.at("share_ppm").get<std::uint64_t>() < kCandidate)) {
        return;
    }
    LimitProof proof{parameter, more_of(parameter, limit.at("value").get<std::string>()), binds, {}, {}, {}};
    try {
        static_cast<void>(load({parameter + "=" + proof.value}));
    } catch (const ConfigError& error) {
        proof.why = error.problems().front().message;
    }
    proofs_.limits.push_back(std::move(proof));
}

void Prover::try_each() {
    std::vector<LimitProof*> tried;
    std::vector<Sets> points;
    for (LimitProof& proof : proofs_.limits) {
        if (proof.why.empty()) {
            tried.push_back(&proof);
            points.push_back({proof.parameter + "=" + proof.value});
        }
    }
    const std::vector<Json> results = run(points);
    for (std::size_t i = 0; i < tried.size(); ++i) {
        const std::string_view flaw = flaw_of(results[i]);
        if (flaw.empty()) {
            tried[i]->change = change_of(before_, results[i].at("metrics"), tried[i]->parameter);
        } else {
            tried[i]->why = fmt::format("the run with it {}", flaw);
        }
    }
}

// What limits in a row does nothing alone.
void Prover::try_together() {
    Sets sets;
    bool alone = true;
    for (const LimitProof& proof : proofs_.limits) {
        if (proof.binds && proof.change) {
            sets.push_back(proof.parameter + "=" + proof.value);
            alone = alone && gain(proof) >= kMoved;
        }
    }
    if (alone || sets.size() < 2) {
        return;
    }
    const Json result = run({sets}).at(0);
    if (flaw_of(result).empty()) {
        proofs_.together = change_of(before_, result.at("metrics"), {});
    }
}

// Whether all messages that the parameter counts for come by themselves.
bool Prover::is_open(std::string_view parameter) const {
    const auto is_closed = [](const Traffic& traffic) { return traffic.arrivals == ArrivalKind::closed; };
    const auto owner = std::ranges::find_if(scenario_.traffic, [&](const Traffic& traffic) {
        return parameter.starts_with("traffic." + traffic.name + ".");
    });
    return owner != scenario_.traffic.end()
               ? !is_closed(*owner)
               : scenario_.dma.empty() && std::ranges::none_of(scenario_.traffic, is_closed);
}

std::int64_t Prover::best_alone() const {
    std::int64_t best = 0;
    for (const LimitProof& proof : proofs_.limits) {
        if (proof.binds && proof.change) {
            best = std::max(best, gain(proof));
        }
    }
    return best;
}

void Prover::judge(LimitProof& proof) const {
    const std::int64_t alone = best_alone();
    const std::int64_t together = proofs_.together ? gain_of(*proofs_.together, is_open({})) : 0;
    if (!proof.change) {
        proof.verdict = LimitVerdict::not_tried;
    } else if (!proof.binds) {
        const std::int64_t least = std::max(kMoved, std::max(alone, together) / kPart);
        proof.verdict = gain(proof) >= least ? LimitVerdict::gains : LimitVerdict::no_gain;
    } else if (gain(proof) >= kMoved) {
        proof.verdict = LimitVerdict::proved;
    } else {
        proof.verdict = together >= alone + kMoved ? LimitVerdict::proved_together : LimitVerdict::not_proved;
    }
}

}  // namespace

cli::LimitProofs prove_limits(const cli::ScenarioArguments& scenario) {
    cli::catch_interrupts();
    return Prover(scenario).prove();
}

}  // namespace ndsim::prove
