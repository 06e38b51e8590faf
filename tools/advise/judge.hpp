// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "scenarios/format/scenario.hpp"
#include "tools/advise/lane_shares.hpp"

namespace ndsim::advise {

// Whether a run meets its targets. A figure whose 95 % interval contains the bound leaves that open, and so does what
// grows in a run.
enum class Verdict : std::uint8_t { met, missed, open };
// Whether a longer run may decide what a run leaves open.
enum class Longer : std::uint8_t { possible, impossible };

// The judgement of a run.
struct Judgement {
    Verdict verdict = Verdict::met;
    // The smallest share reached, of the targets that can be missed by a little; more than a million where all are met,
    // so that the worst of several such runs is known.
    std::uint64_t worst_ppm = 0;
    std::vector<std::string> found;  // for each target, in words: "97.1 % of line rate"
    std::string why;                 // the missed, or open, target; empty if all are met
    // Of the figure that decides, or of the one nearest to its bound: "traffic t". Empty: it is of no generator.
    std::vector<std::string> generators{};
    // Generators that had ended before all others were measured, or for long enough: "t". With more messages of theirs
    // an open run may decide.
    std::set<std::string> early{};
    bool is_behind = false;  // open, as messages wait to be polled, which only a run of many receive queues ends
};

// Judges the result of a point (tools/sweep/point.hpp).
class Judge {
public:
    Judge(const Scenario& scenario, std::vector<Target> targets);

    [[nodiscard]] Judgement judge(const nlohmann::ordered_json& result, Longer longer = Longer::impossible) const;
    [[nodiscard]] const std::vector<Target>& targets() const { return targets_; }
    // Whether all targets are rates: then the application should offer as much as it can.
    [[nodiscard]] bool only_rates() const;

private:
    [[nodiscard]] std::string loss_in(const nlohmann::ordered_json& result) const;
    // What a target forbids, and what happened all the same; empty: nothing.
    [[nodiscard]] std::string forbidden_in(const nlohmann::ordered_json& metrics) const;
    [[nodiscard]] std::vector<Figure> figures_of(const Target& target, const nlohmann::ordered_json& metrics) const;

    const Scenario& scenario_;
    std::vector<Target> targets_;
    LaneShares lanes_;
};

}  // namespace ndsim::advise
