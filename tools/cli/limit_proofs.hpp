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

// The relative changes of a run's figures, in parts per million of the old values.
struct Change {
    std::int64_t goodput = 0;
    std::int64_t latency = 0;
};

// A binding limit is proved alone, shared with others that also gain, proved together with others, not proved, or not
// tried. A limit that was only used brings no gain, or gains.
enum class LimitVerdict : std::uint8_t { proved, shared, proved_together, not_proved, not_tried, no_gain, gains };
inline constexpr std::array<std::string_view, 7> kLimitVerdictNames{
    "proved", "shared", "proved together", "not proved", "not tried", "no gain", "gains"};

// The outcome of a run with more of a limit's parameter.
struct LimitProof {
    std::string parameter;
    std::vector<std::string> alike{};       // parameters of alike things, which are raised with it
    std::string value{};                    // the value tried
    std::vector<std::string> generators{};  // that it may hold up, by their names in the metrics; none: all
    bool binds = false;
    bool binds_next = false;  // once there is more of the binding ones
    bool is_farther = false;  // half as much more brings nothing, so the value tried is raised twice
    LimitVerdict verdict{};
    std::optional<Change> change{};
    std::int64_t gain_of_all = 0;                  // of all generators together, in ppm
    std::optional<std::int64_t> goodput_of_all{};  // its change in ppm, if `change` is that of some of several
    std::string why{};                             // reason for no change
    std::vector<std::string> with{};               // parameters that share the gain, or that it is proved with

    [[nodiscard]] bool is_of(std::string_view path) const;
    [[nodiscard]] std::vector<std::string> all_parameters() const;
};

// The outcome of a run with more of several parameters.
struct Together {
    std::vector<std::string> parameters;
    Change change;
};

// The proofs of a run's limits.
struct LimitProofs {
    std::vector<LimitProof> limits;    // each parameter once, in the order of the limits
    std::optional<Together> together;  // if a binding one gave nothing alone, or others also gained
    std::string why;                   // reason for trying nothing
    std::size_t seeds = 1;             // of each run; several where chance moves the figures
    std::int64_t chance = 0;           // the largest gain of one seed over another, in ppm; a smaller one is none

    [[nodiscard]] const LimitProof* find(std::string_view parameter) const;
};

// Runs the scenario in child processes and tries its limits.
using ProveLimits = std::function<LimitProofs(const ScenarioArguments& scenario, bool quiet)>;

[[nodiscard]] std::string proofs_text(const LimitProofs& proofs, const Paint& paint);
// Adds its proof to each limit of a result.
void add_proofs(nlohmann::ordered_json& result, const LimitProofs& proofs);

}  // namespace ndsim::cli
