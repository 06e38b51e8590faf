// SPDX-License-Identifier: Apache-2.0
#include "tools/prove/verdicts.hpp"

#include <algorithm>

namespace ndsim::prove {

using cli::LimitProof;
using cli::LimitVerdict;

namespace {

constexpr std::int64_t kPart = 3;  // a limit that does not bind brings less than this part of the binding one's gain

// Whether both may hold up the same generator.
bool are_in_one_way(const LimitProof& one, const LimitProof& other) {
    return one.generators.empty() || other.generators.empty() ||
           std::ranges::find_first_of(one.generators, other.generators) != one.generators.end();
}

}  // namespace

std::int64_t Verdicts::best_alone() const {
    std::int64_t best = 0;
    for (const LimitProof& proof : proofs_.limits) {
        if (is_raised(proof)) {
            best = std::max(best, proof.gain_of_all);
        }
    }
    return best;
}

std::int64_t Verdicts::gain_together() const {
    return proofs_.together ? gain_of(proofs_.together->change, before_.is_open({})) : 0;
}

// Whether more of a limit that does not bind brings a notable gain, compared with the binding ones in its way.
bool Verdicts::gains(const LimitProof& proof) const {
    std::int64_t best = 0;
    for (const LimitProof& other : proofs_.limits) {
        best = other.binds && other.change && are_in_one_way(proof, other) ? std::max(best, gain(other)) : best;
    }
    return !proof.binds && proof.change && gain(proof) >= std::max(before_.least(proof.generators), best / kPart);
}

bool Verdicts::gains_as_hardware(const LimitProof& proof) const {
    return gains(proof) && !is_of_generator(proof.parameter);
}

bool Verdicts::is_raised(const LimitProof& proof) const {
    return proof.change && (proof.binds || proof.binds_next || gains_as_hardware(proof));
}

bool Verdicts::has_a_part_in(const LimitProof& other, const LimitProof& proof) const {
    return gains_as_hardware(other) && are_in_one_way(proof, other);
}

bool Verdicts::is_shared(const LimitProof& proof) const {
    return std::ranges::any_of(proofs_.limits, [&](const LimitProof& other) { return has_a_part_in(other, proof); });
}

bool Verdicts::is_member(const LimitProof& proof) const {
    return proofs_.together && std::ranges::count(proofs_.together->parameters, proof.parameter) > 0;
}

LimitVerdict Verdicts::verdict_of(const LimitProof& proof) const {
    if (!proof.change) {
        return LimitVerdict::not_tried;
    }
    if (proof.binds && gain(proof) >= before_.least(proof.generators)) {
        return is_shared(proof) ? LimitVerdict::shared : LimitVerdict::proved;
    }
    if (gains(proof)) {
        return LimitVerdict::gains;
    }
    if (is_proved_together() && is_member(proof)) {
        return LimitVerdict::proved_together;
    }
    return proof.binds ? LimitVerdict::not_proved : LimitVerdict::no_gain;
}

void Verdicts::judge(LimitProof& proof) const {
    proof.verdict = verdict_of(proof);
    const bool is_together = proof.verdict == LimitVerdict::proved_together;
    if (!is_together && proof.verdict != LimitVerdict::shared) {
        return;
    }
    for (const LimitProof& other : proofs_.limits) {
        if (&other != &proof && (is_together ? is_member(other) : has_a_part_in(other, proof))) {
            proof.with.push_back(other.parameter);
        }
    }
}

}  // namespace ndsim::prove
