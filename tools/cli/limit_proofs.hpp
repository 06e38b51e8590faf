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

// A limit that binds is proved alone, shared with others that gain as well, proved together with others, not proved, or
// not tried. One that was merely used brings no gain, or gains.
enum class LimitVerdict : std::uint8_t { proved, shared, proved_together, not_proved, not_tried, no_gain, gains };
inline constexpr std::array<std::string_view, 7> kLimitVerdictNames{
    "proved", "shared", "proved together", "not proved", "not tried", "no gain", "gains"};

// What came of a run with more of what sets a limit.
struct LimitProof {
    std::string parameter;
    std::string value{};  // that was tried
    bool binds = false;
    bool binds_next = false;  // as soon as there is more of those that bind
    LimitVerdict verdict{};
    std::optional<Change> change{};
    std::string why{};                // there is no change to tell of
    std::vector<std::string> with{};  // parameters that it shares the run with, or is proved together with
};

// What came of a run with more of several.
struct Together {
    std::vector<std::string> parameters;
    Change change;
};

struct LimitProofs {
    std::vector<LimitProof> limits;    // each parameter once, in the order of the limits
    std::optional<Together> together;  // if one that binds alone did not do, or others gained, too
    std::string why;                   // nothing could be tried

    [[nodiscard]] const LimitProof* find(std::string_view parameter) const;
};

// Runs the scenario in processes of their own and tries its limits.
using ProveLimits = std::function<LimitProofs(const ScenarioArguments&)>;

[[nodiscard]] std::string proofs_text(const LimitProofs& proofs, const Paint& paint);
// Adds to each limit of a result its proof.
void add_proofs(nlohmann::ordered_json& result, const LimitProofs& proofs);

}  // namespace ndsim::cli
