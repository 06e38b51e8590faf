// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "scenarios/format/scenario.hpp"
#include "scenarios/result/side_by_side.hpp"
#include "tools/advise/wire_share.hpp"

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
    // Generators that had ended before all others were measured: "t". Their run is open.
    std::vector<std::string> early{};
    bool is_behind = false;  // open, as messages wait to be polled, which only a run of many receive queues ends
};

// The metric of a generator that may be added to that of others: its rate while all are measured.
[[nodiscard]] std::string_view goodput_figure(const Scenario& scenario);

// Judges the result of a point (tools/sweep/point.hpp).
class Judge {
public:
    Judge(const Scenario& scenario, std::vector<Target> targets);

    [[nodiscard]] Judgement judge(const nlohmann::ordered_json& result, Longer longer = Longer::impossible) const;
    [[nodiscard]] const std::vector<Target>& targets() const { return targets_; }
    // Whether all targets are rates: then the application should offer as much as it can.
    [[nodiscard]] bool only_rates() const;

private:
    // A figure and its bound.
    struct Figure {
        std::string text;
        std::uint64_t value = 0;
        std::uint64_t interval_ppm = 0;
        bool known = true;
        std::vector<std::string> generators{};
        std::vector<std::string> early{};
        bool is_open = false;  // measured for too short a time
    };
    [[nodiscard]] std::string loss_in(const nlohmann::ordered_json& result) const;
    [[nodiscard]] std::vector<Figure> figures_of(const Target& target, const nlohmann::ordered_json& metrics) const;
    [[nodiscard]] const nlohmann::ordered_json* interval_on(const SharedLane& lane,
                                                            const nlohmann::ordered_json& metrics) const;
    [[nodiscard]] std::vector<Figure> shares_of_lanes(const nlohmann::ordered_json& metrics) const;

    const Scenario& scenario_;
    std::vector<Target> targets_;
    std::vector<Together> together_;
};

}  // namespace ndsim::advise
