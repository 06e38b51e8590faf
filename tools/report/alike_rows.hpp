// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tools/inspect/recorded_run.hpp"

namespace ndsim::report {

// AlikeRow: generators, or series of theirs, that are alike, in one row of a table: the least and the most of each
// figure. One that no other is like has a row for itself.
class AlikeRow {
public:
    AlikeRow(const inspect::RecordedRun& run, std::vector<std::string> names) : run_(run), names_(std::move(names)) {}

    [[nodiscard]] std::string title() const;                          // "traffic.t1 .. traffic.t8 (8 alike)"
    [[nodiscard]] std::string figure(std::string_view name) const;    // a dash if one has none
    [[nodiscard]] std::string interval(std::string_view name) const;  // the widest, or nothing
    [[nodiscard]] std::string steadiness() const;                     // how many are not steady, or nothing

private:
    const inspect::RecordedRun& run_;
    std::vector<std::string> names_;
};

// One for each group of those that are alike, those with shorter names first in it: t9 before t10.
[[nodiscard]] std::vector<AlikeRow> alike_rows(const inspect::RecordedRun& run, std::vector<std::string> names);
// The first and the last of several that are alike, and how many there are.
[[nodiscard]] std::string name_together(const std::vector<std::string>& names);

}  // namespace ndsim::report
