// SPDX-License-Identifier: Apache-2.0
#include "tools/cli/limit_proofs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <set>

#include "sim/base/text.hpp"
#include "tools/cli/alike_hosts.hpp"
#include "tools/cli/figures.hpp"
#include "tools/cli/table.hpp"

namespace ndsim::cli {

namespace {

std::string_view verdict_word(LimitVerdict verdict) {
    return kLimitVerdictNames.at(static_cast<std::size_t>(verdict));
}

// "+12.5 %", or the factor.
std::string moved_by(std::int64_t ppm) {
    constexpr std::int64_t kTenfold = 9'000'000;
    if (ppm >= kTenfold) {
        return fmt::format("x {}", ppm / 1'000'000 + 1);
    }
    return signed_decimal((ppm + (ppm < 0 ? -500 : 500)) / 1000, 1) + " %";
}

nlohmann::ordered_json change_json(const Change& change) {
    return {{"goodput_ppm", change.goodput}, {"latency_ppm", change.latency}};
}

// "shared with hosts.A.pcie.generation"
std::string said_of(const LimitProof& proof) {
    std::string said(verdict_word(proof.verdict));
    said += proof.with.empty() ? "" : " with " + join(proof.with, ", ");
    said += proof.is_farther ? "; half as much more brings nothing" : "";
    constexpr std::int64_t kNotable = 10'000;  // ppm
    if (proof.change && proof.goodput_of_all && std::abs(*proof.goodput_of_all - proof.change->goodput) >= kNotable) {
        said += fmt::format("; all generators together {}", moved_by(*proof.goodput_of_all));
    }
    return proof.why.empty() ? said : said + ": " + proof.why;
}

}  // namespace

bool LimitProof::is_of(std::string_view path) const {
    return parameter == path || std::ranges::find(alike, path) != alike.end();
}

std::vector<std::string> LimitProof::all_parameters() const {
    std::vector<std::string> all{parameter};
    all.insert(all.end(), alike.begin(), alike.end());
    return all;
}

const LimitProof* LimitProofs::find(std::string_view parameter) const {
    const auto found = std::ranges::find_if(limits, [&](const LimitProof& proof) { return proof.is_of(parameter); });
    return found == limits.end() ? nullptr : &*found;
}

std::string proofs_text(const LimitProofs& proofs, const Paint& paint) {
    std::string text = "\n" + paint.strong("Limits tried, each with half as much more in a run of its own") + "\n";
    if (!proofs.why.empty()) {
        return text + "  none: " + proofs.why + "\n";
    }
    if (proofs.seeds > 1) {
        text += fmt::format("  means of {} seeds; chance alone brings up to {}, and less than that is no gain\n",
                            proofs.seeds, moved_by(proofs.chance));
    }
    Table table({Align::left, Align::left, Align::right, Align::right, Align::left});
    table.heading({"", "", "goodput", "mean latency", ""});
    for (const LimitProof& proof : proofs.limits) {
        const std::vector<std::string> all = proof.all_parameters();
        const std::string paths =
            least_and_greatest(all) + (all.size() == 1 ? "" : fmt::format(" ({} alike)", all.size()));
        const std::string tried = proof.value.empty() ? paths : fmt::format("{} = {}", paths, proof.value);
        table.row({proof.binds        ? "binds"
                   : proof.binds_next ? "next"
                                      : "",
                   tried, proof.change ? moved_by(proof.change->goodput) : "",
                   proof.change ? moved_by(proof.change->latency) : "", said_of(proof)});
    }
    if (proofs.together) {
        const Change& change = proofs.together->change;
        table.row({"", "together: " + join(proofs.together->parameters, ", "), moved_by(change.goodput),
                   moved_by(change.latency), ""});
    }
    return text + (table.empty() ? "" : table.text(paint));
}

// Proofs go to the first limit with each of their parameters.
void add_proofs(nlohmann::ordered_json& result, const LimitProofs& proofs) {
    std::set<std::string> told;
    for (nlohmann::ordered_json& limit : result.at("limits")) {
        const std::string parameter = limit.at("parameter");
        const LimitProof* const found = proofs.find(parameter);
        if (found == nullptr || !told.insert(parameter).second) {
            continue;
        }
        const LimitProof& proof = *found;
        nlohmann::ordered_json said{{"verdict", verdict_word(proof.verdict)}, {"value", proof.value}};
        if (proof.change) {
            said.update(change_json(*proof.change));
            if (proof.goodput_of_all) {
                said["goodput_of_all_ppm"] = *proof.goodput_of_all;
            }
        }
        if (!proof.why.empty()) {
            said["why"] = proof.why;
        }
        if (!proof.with.empty()) {
            said["with"] = proof.with;
        }
        if (!proof.alike.empty()) {
            said["parameters"] = proof.alike.size() + 1;
        }
        limit["proof"] = std::move(said);
    }
    if (proofs.seeds > 1) {
        result["limits_chance"] = {{"seeds", proofs.seeds}, {"gain_ppm", proofs.chance}};
    }
    if (proofs.together) {
        result["limits_together"] = change_json(proofs.together->change);
        std::vector<std::string> all;
        for (const std::string& parameter : proofs.together->parameters) {
            const std::vector<std::string> raised = proofs.find(parameter)->all_parameters();
            all.insert(all.end(), raised.begin(), raised.end());
        }
        result["limits_together"]["parameters"] = all;
    }
}

}  // namespace ndsim::cli
