// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tools/inspect/recorded_run.hpp"

namespace ndsim::report {

// AlikeRow: alike generators, or alike series of theirs, in one row of a table: the least and the largest value of each
// figure. One without others like it has its own row.
class AlikeRow {
public:
    AlikeRow(const inspect::RecordedRun& run, std::vector<std::string> names) : run_(run), names_(std::move(names)) {}

    [[nodiscard]] std::string title() const;                          // "traffic.t1 .. traffic.t8 (8 alike)"
    [[nodiscard]] std::string figure(std::string_view name) const;    // a dash if one of them has none
    [[nodiscard]] std::string interval(std::string_view name) const;  // the widest, or empty
    [[nodiscard]] std::string steadiness() const;                     // how many are not steady, or empty

private:
    const inspect::RecordedRun& run_;
    std::vector<std::string> names_;
};

// A row for each group of alike ones, shorter names first in it: t9 before t10.
[[nodiscard]] std::vector<AlikeRow> alike_rows(const inspect::RecordedRun& run, std::vector<std::string> names);
// The first and the last of several alike ones, and their number.
[[nodiscard]] std::string name_together(const std::vector<std::string>& names);

}  // namespace ndsim::report
