// SPDX-License-Identifier: Apache-2.0
#include "tools/report/run_page.hpp"

#include <array>
#include <filesystem>

#include "tools/cli/failure.hpp"
#include "tools/report/engine_bars.hpp"
#include "tools/report/html.hpp"
#include "tools/report/latency_curves.hpp"
#include "tools/report/ledger_bars.hpp"
#include "tools/report/occupancy.hpp"
#include "tools/report/page.hpp"
#include "tools/report/run_tables.hpp"

namespace ndsim::report {

namespace {

// Both come from one pass over the timeline.
struct FromTimeline {
    std::string occupancy;
    std::string ladder;
};

FromTimeline read_timeline_of(const inspect::RecordedRun& run, const LadderChoice& choice) {
    std::string path = run.folder + "/timeline.json";
    std::error_code error;
    if (!std::filesystem::exists(path, error)) {
        path += ".gz";
    }
    if (!std::filesystem::exists(path, error)) {
        const std::string missing = note(
            "The run has no timeline.json and no timeline.json.gz: run it again with --timeline, or with \"timeline\": "
            "true in the "
            "scenario's \"outputs\".");
        return {missing, missing};
    }
    Occupancy occupancy;
    Ladder ladder(run.started);
    read_timeline(path, [&](const TimelineEvent& event) {
        if (event.kind == TimelineKind::value) {
            occupancy.take(event);
        } else {
            ladder.take(event);
        }
    });
    std::string cut;
    if (const auto at = run.whole.find("timeline_cut_at_ps"); at != run.whole.end()) {
        cut = note("The timeline came to its largest size (outputs.timeline.max_size); what came later is not in it.");
    }
    return {occupancy.html(run) + cut, ladder_html(ladder, run, choice) + cut};
}

}  // namespace

std::string run_page(const inspect::RecordedRun& run, const LadderChoice& ladder) try {
    const FromTimeline timeline = read_timeline_of(run, ladder);
    const std::array<NamedRun, 1> only{NamedRun{run}};
    return page_of(run.file, run_head(run),
                   {{"Summary", run_summary(run)},
                    {"Latency", latency_chapter(only)},
                    {"Ledger", ledger_chapter(run)},
                    {"Occupancy", pools_table(run) + timeline.occupancy},
                    {"Stalls", stall_chapter(run)},
                    {"Messages", timeline.ladder}});
} catch (const nlohmann::json::exception&) {
    throw cli::UsageError(run.folder +
                          "/result.json: is not what this version of ndsim writes; run the scenario again");
}

}  // namespace ndsim::report
