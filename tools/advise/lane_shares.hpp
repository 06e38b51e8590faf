// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/format/scenario.hpp"
#include "scenarios/result/side_by_side.hpp"
#include "tools/advise/wire_share.hpp"

namespace ndsim::advise {

// A figure of a run, and how far it is known.
struct Figure {
    std::string text;
    std::uint64_t value = 0;
    std::uint64_t interval_ppm = 0;
    bool known = true;
    std::vector<std::string> generators{};
    bool is_open = false;  // not measured, or for too short a time
};

inline constexpr std::uint64_t kMillion = 1'000'000;  // ppm of a whole
// A part in ppm of a whole; 0 if there is none.
[[nodiscard]] std::uint64_t ppm(std::uint64_t part, std::uint64_t whole);

// The metric of a generator that may be added to that of others: its rate while all are measured.
[[nodiscard]] std::string_view goodput_figure(const Scenario& scenario);

// LaneShares: how far generators fill the lanes that count for them (wire_share.hpp). Generators that share a lane fill
// it together, each at its own payload rate; so the rates that they reach side by side count.
class LaneShares {
public:
    explicit LaneShares(const Scenario& scenario);

    // For each lane: the share of its payload rate in ppm, with the interval of the sum.
    [[nodiscard]] std::vector<Figure> figures(const nlohmann::ordered_json& metrics) const;
    // The generators whose messages were too few to measure all side by side. The first one whose window is complete
    // ends that time. So those are early that had ended before it; if none had, those that take less than four
    // fifths of the time of the slowest, which is faster once it is alone. A window that is given ends with the same
    // message, whatever the count.
    [[nodiscard]] std::set<std::string> early(const nlohmann::ordered_json& metrics) const;

private:
    [[nodiscard]] const nlohmann::ordered_json* interval_on(const SharedLane& lane,
                                                            const nlohmann::ordered_json& metrics) const;

    const Scenario& scenario_;
    std::vector<SharedLane> lanes_;
    std::vector<Together> together_;
};

}  // namespace ndsim::advise
