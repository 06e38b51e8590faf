// SPDX-License-Identifier: Apache-2.0
#include "scenarios/engine/output_files.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "scenarios/engine/wave_story.hpp"
#include "sim/kernel/wave_view.hpp"

namespace ndsim {

OutputFiles::OutputFiles(const Scenario& scenario, const std::string& folder, Recorder& recorder,
                         std::function<Picoseconds()> now, RunResult& result)
    : scenario_(scenario), folder_(folder), recorder_(recorder), result_(result) {
    if (folder_.empty()) {
        return;
    }
    if (scenario_.outputs.completions) {
        open_completions();
    }
    if (scenario_.outputs.waves.enabled) {
        open_waves(std::move(now));
    }
}

void OutputFiles::open_completions() {
    if (recorder_.open_csv(folder_ + "/completions.csv")) {
        result_.files.push_back("completions.csv");
    } else {
        result_.unwritten.push_back(folder_ + "/completions.csv: " + std::strerror(errno));
    }
}

void OutputFiles::open_waves(std::function<Picoseconds()> now) {
    const WaveOutput& wanted = scenario_.outputs.waves;
    waves_ = std::make_unique<Waves>(WavesOptions{folder_ + "/waves.vcd", wanted.start, wanted.stop, wanted.max_size},
                                     std::move(now));
    waves_->watch_all();
    result_.files.push_back("waves.vcd");
}

void OutputFiles::close() {
    if (!recorder_.close_csv()) {
        result_.unwritten.push_back(folder_ + "/completions.csv: " + std::strerror(errno));
    }
    if (waves_) {
        close_waves();
    }
}

void OutputFiles::close_waves() {
    try {
        waves_->close(std::max(result_.ended, shown().end + (shown().end - shown().start) / 8));
        write_view();
        result_.files.push_back("waves.gtkw");
    } catch (const WaveError& error) {
        result_.unwritten.push_back(error.what());
    }
    result_.waves_cut_at = waves_->cut_at();
}

// What of the run the view shows: the first Send, with a little room on either side; without one, everything since the
// programs began. GTKWave goes back to time 0 if the trace ends within the window, so it ends a little behind.
Interval OutputFiles::shown() const {
    const Interval send = recorder_.first_send().value_or(Interval{result_.started, result_.ended});
    const Picoseconds room = (send.end - send.start) / 8;
    return {std::max(send.start - room, scenario_.outputs.waves.start),
            std::min(send.end + room, scenario_.outputs.waves.stop)};
}

void OutputFiles::write_view() {
    WaveViewOptions view;
    view.vcd = folder_ + "/waves.vcd";
    view.hosts = recorder_.hosts();
    view.start = shown().start;
    view.end = shown().end;
    write_wave_view(view, wave_story(waves_->signals(), view.hosts));
}

}  // namespace ndsim
