// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tools/inspect/recorded_run.hpp"
#include "tools/report/line_plot.hpp"
#include "tools/report/timeline_file.hpp"

namespace ndsim::report {

// Occupancy: the levels of pools over time. Takes the counters of a timeline and makes a figure for each used one.
class Occupancy {
public:
    // The time that is watched.
    struct Watched {
        Picoseconds from{};
        Picoseconds until{};
    };

    void take(const TimelineEvent& event);
    [[nodiscard]] std::string html(const inspect::RecordedRun& run) const;

private:
    // A level and its time.
    struct Sample {
        Picoseconds at{};
        std::uint64_t value = 0;
    };
    [[nodiscard]] static std::uint64_t most(const std::vector<Sample>& samples, const Watched& watched);
    [[nodiscard]] LinePlot plot_of(const std::string& pool, const Unit& level, const Watched& watched) const;

    std::map<std::string, std::vector<Sample>> samples_;  // by pool
};

// The largest, the mean and the 99th-percentile level of pools; the fullest one stands for alike pools. HTML.
[[nodiscard]] std::string pools_table(const inspect::RecordedRun& run);

}  // namespace ndsim::report
