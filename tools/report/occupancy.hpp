// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tools/inspect/recorded_run.hpp"
#include "tools/report/line_plot.hpp"
#include "tools/report/timeline_file.hpp"

namespace ndsim::report {

// Occupancy: how full pools were, over time. Takes the counters of a timeline and makes a figure of each that was in
// use.
class Occupancy {
public:
    struct Watched {
        Picoseconds from{};
        Picoseconds until{};
    };

    void take(const TimelineEvent& event);
    [[nodiscard]] std::string html(const inspect::RecordedRun& run) const;

private:
    struct Sample {
        Picoseconds at{};
        std::uint64_t value = 0;
    };
    [[nodiscard]] LinePlot plot_of(const std::string& pool, const std::string& counted, const Watched& watched) const;

    std::map<std::string, std::vector<Sample>> samples_;  // by pool
};

// Of pools that are alike the fullest is shown: what pools were at most, in the mean, and at the 99th percentile of the
// time. HTML.
[[nodiscard]] std::string pools_table(const inspect::RecordedRun& run);

}  // namespace ndsim::report
