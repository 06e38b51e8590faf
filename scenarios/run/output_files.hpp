// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "scenarios/record/packet_capture.hpp"
#include "scenarios/record/recorder.hpp"
#include "scenarios/record/trace_recorder.hpp"
#include "scenarios/result/run_result.hpp"
#include "scenarios/run/software.hpp"
#include "scenarios/world/world.hpp"
#include "sim/files/waves.hpp"

namespace ndsim {

// OutputFiles: the files that the engine writes into a run's folder during the run: completions.csv, the waveform with
// its view, the packets, and the timeline. A file that cannot be written is noted in the run's result, and the run goes
// on.
class OutputFiles {
public:
    // Without a folder nothing is written. All watchable units must already exist.
    OutputFiles(const Scenario& scenario, const std::string& folder, Recorder& recorder, World& world,
                const Software& software, RunResult& result);

    // The run has ended: the files are complete. `is_cut_off`: work was under way, and nothing is told of its future.
    void close(bool is_cut_off);

private:
    void open_completions();
    void open_waves();
    void open_packets();
    void open_timeline(const Software& software);
    void close_waves(bool is_cut_off);
    void close_packets();
    void close_timeline(bool is_cut_off);
    [[nodiscard]] Interval shown() const;
    void write_view();

    const Scenario& scenario_;
    const std::string folder_;
    Recorder& recorder_;
    World& world_;
    RunResult& result_;
    std::unique_ptr<Waves> waves_;
    std::unique_ptr<PacketCapture> packets_;
    std::unique_ptr<TraceRecorder> timeline_;
};

}  // namespace ndsim
