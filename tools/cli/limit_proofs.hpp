// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/cli/command.hpp"
#include "tools/cli/output.hpp"

namespace ndsim::cli {

// How far a run's figures moved, in parts per million of what they were before.
struct Change {
    std::int64_t goodput = 0;
    std::int64_t latency = 0;
};

// Of a limit that binds the first four, of one that was merely used the others.
enum class LimitVerdict : std::uint8_t { proved, proved_together, not_proved, not_tried, no_gain, gains };
inline constexpr std::array<std::string_view, 6> kLimitVerdictNames{"proved",    "proved together", "not proved",
                                                                    "not tried", "no gain",         "gains"};

// What came of a run with more of what sets a limit.
struct LimitProof {
    std::string parameter;
    std::string value;  // that was tried
    bool binds = false;
    LimitVerdict verdict{};
    std::optional<Change> change;
    std::string why;  // there is no change to tell of
};

struct LimitProofs {
    std::vector<LimitProof> limits;  // each parameter once, in the order of the limits
    std::optional<Change> together;  // with more of all that bind, if one alone did not do
    std::string why;                 // nothing could be tried
};

// Runs the scenario in processes of their own and tries its limits.
using ProveLimits = std::function<LimitProofs(const ScenarioArguments&)>;

[[nodiscard]] std::string proofs_text(const LimitProofs& proofs, const Paint& paint);
// Adds to each limit of a result its proof.
void add_proofs(nlohmann::ordered_json& result, const LimitProofs& proofs);

}  // namespace ndsim::cli
