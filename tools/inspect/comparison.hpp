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

// What both runs have, and what one of them lacks.
template <class T>
struct Pair {
    const T* first = nullptr;
    const T* second = nullptr;
    [[nodiscard]] const T& any() const { return first != nullptr ? *first : *second; }
};

struct SettingPair : Pair<RecordedSetting> {
    std::string path;
    [[nodiscard]] bool is_of_value() const {
        return first == nullptr || second == nullptr || first->value != second->value;
    }
};

// Something else in result.json, as JSON.
struct OtherPair {
    std::string path;
    std::string first;
    std::string second;
};

// What differs between two runs. They outlive it.
struct Comparison {
    bool same = false;                  // as far as it was asked for
    bool identical = false;             // apart from the version
    std::vector<Pair<Metric>> metrics;  // most important first; then those that only one has
    std::vector<SettingPair> settings;
    std::vector<OtherPair> others;
    std::vector<Pair<Verdict>> verdicts;      // met in one only, or looked at in one only
    std::vector<Pair<MeanLedger>> ledgers;    // the greatest difference first
    std::vector<Pair<RecordedLimit>> limits;  // all that bind in one of them, whether they differ or not
    bool events_known = false;                // both have completions.csv
    std::optional<Parting> parting;
};

// Without a tolerance the runs are the same if all of their results are, apart from the version. With one, figures that
// are no farther apart than that, as a part of the larger one, are the same, and settings and events do not count.
[[nodiscard]] Comparison compare_runs(const RecordedRun& first, const RecordedRun& second,
                                      std::optional<Fraction> tolerance);

[[nodiscard]] const std::string& name_of(const Pair<Metric>& pair);
// How far apart two figures are, as a part of the larger one; what one run lacks is as far away as can be.
[[nodiscard]] std::uint64_t distance_ppm(std::uint64_t first, std::uint64_t second);

}  // namespace ndsim::inspect
