// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/units.hpp"
#include "tools/inspect/parting.hpp"
#include "tools/inspect/recorded_run.hpp"

namespace ndsim::inspect {

// A value in both runs; nullptr in a run that lacks it.
template <class T>
struct Pair {
    const T* first = nullptr;
    const T* second = nullptr;
    [[nodiscard]] const T& any() const { return first != nullptr ? *first : *second; }
};

// A setting in both runs.
struct SettingPair : Pair<RecordedSetting> {
    std::string path;
    [[nodiscard]] bool is_of_value() const {
        return first == nullptr || second == nullptr || first->value != second->value;
    }
};

// Another value in result.json, as JSON.
struct OtherPair {
    std::string path;
    std::string first;
    std::string second;
};

// The differences between two runs. The runs must outlive it.
struct Comparison {
    bool same = false;                  // within the tolerance, if there is one
    bool identical = false;             // except for the version and the files written
    std::vector<Pair<Metric>> metrics;  // most important first; those of one run only come last
    std::vector<SettingPair> settings;
    std::vector<OtherPair> others;
    std::vector<Pair<Verdict>> verdicts;      // met, or judged, in one run only
    std::vector<Pair<MeanLedger>> ledgers;    // greatest difference first
    std::vector<Pair<RecordedLimit>> limits;  // all that bind in one run, even equal ones
    bool events_known = false;                // both have completions.csv
    std::optional<Parting> parting;
};

// Without a tolerance the runs are the same if all their results and settings are, except the version and what is
// recorded. With a tolerance, figures whose relative distance is at most that are the same, and settings and events do
// not count.
[[nodiscard]] Comparison compare_runs(const RecordedRun& first, const RecordedRun& second,
                                      std::optional<Fraction> tolerance);

[[nodiscard]] const std::string& name_of(const Pair<Metric>& pair);
// The distance of two figures relative to the larger one; a figure that one run lacks has the largest distance.
[[nodiscard]] std::uint64_t distance_ppm(std::uint64_t first, std::uint64_t second);

}  // namespace ndsim::inspect
