// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tools/cli/alike_hosts.hpp"
#include "tools/cli/limit_proofs.hpp"
#include "tools/prove/baseline.hpp"
#include "tools/prove/variants.hpp"

namespace ndsim::prove {

// Candidates: the limits that are tried. Each is a parameter, together with those of alike things, and the value that
// it is raised to.
class Candidates {
public:
    using Json = nlohmann::ordered_json;
    using Sets = Variants::Sets;

    // All must outlive it.
    Candidates(const Variants& variants, const Baseline& before, cli::LimitProofs& proofs)
        : variants_(variants), before_(before), proofs_(proofs), alike_(variants.scenario()) {}

    // Adds the limits of the scenario as it is that bind, or hold it up for long enough.
    void propose_first();
    // Adds the binding limits of a run with more of the earlier ones. True if any are new.
    [[nodiscard]] bool propose_next(const Json& limits);
    // Sets half as much more than `value`.
    void raise(cli::LimitProof& proof, const std::string& value) const;

    [[nodiscard]] static Sets sets_of(const cli::LimitProof& proof);
    [[nodiscard]] Sets sets_of(const std::vector<std::string>& parameters) const;

private:
    cli::LimitProof& propose(const Json& limit, const Json& limits);

    const Variants& variants_;
    const Baseline& before_;
    cli::LimitProofs& proofs_;
    const cli::AlikeHosts alike_;
};

// If the generators of a limit of the hardware were measured for too short a time, all together count.
void widen(cli::LimitProof& proof, const Results& results);

}  // namespace ndsim::prove
