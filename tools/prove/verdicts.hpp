// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "tools/cli/limit_proofs.hpp"
#include "tools/prove/baseline.hpp"

namespace ndsim::prove {

// Verdicts: what the runs so far show about the limits, alone and together. Gains are in parts per million.
class Verdicts {
public:
    // Both must outlive it.
    Verdicts(const Baseline& before, const cli::LimitProofs& proofs) : before_(before), proofs_(proofs) {}

    // The gain of a limit that was tried.
    [[nodiscard]] std::int64_t gain(const cli::LimitProof& proof) const {
        return gain_of(*proof.change, proof.binds && before_.is_open(proof.generators));
    }
    [[nodiscard]] std::int64_t gain_together() const;
    // The best gain of one limit of those that are raised together.
    [[nodiscard]] std::int64_t best_alone() const;
    [[nodiscard]] bool is_proved_together() const { return gain_together() >= best_alone() + before_.least({}); }
    // Whether any hardware limit in the way of the same generators gains without being named as binding.
    [[nodiscard]] bool is_shared(const cli::LimitProof& proof) const;
    // Whether it belongs to the limits that are to be raised together, and whether it was.
    [[nodiscard]] bool is_member(const cli::LimitProof& proof) const;
    [[nodiscard]] bool is_raised(const cli::LimitProof& proof) const;

    [[nodiscard]] cli::LimitVerdict verdict_of(const cli::LimitProof& proof) const;
    // Sets the verdict, and the limits that have a part in it.
    void judge(cli::LimitProof& proof) const;

private:
    [[nodiscard]] bool gains(const cli::LimitProof& proof) const;
    [[nodiscard]] bool gains_as_hardware(const cli::LimitProof& proof) const;
    [[nodiscard]] bool has_a_part_in(const cli::LimitProof& other, const cli::LimitProof& proof) const;

    const Baseline& before_;
    const cli::LimitProofs& proofs_;
};

}  // namespace ndsim::prove
