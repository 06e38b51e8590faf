// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "scenarios/record/packet_capture.hpp"
#include "scenarios/record/recorder.hpp"
#include "scenarios/record/trace_recorder.hpp"
#include "scenarios/run/run.hpp"
#include "scenarios/run/software.hpp"
#include "scenarios/world/world.hpp"
#include "sim/files/waves.hpp"

namespace ndsim {

// OutputFiles: what the engine writes into a run's folder while it goes on: completions.csv, the waveform with
// the view of it, the packets, and the timeline. What cannot be written is noted in the run's result, and the run goes
// on.
class OutputFiles {
public:
    // Without a folder nothing is written. Everything that can be watched has been made before.
    OutputFiles(const Scenario& scenario, const std::string& folder, Recorder& recorder, World& world,
                const Software& software, RunResult& result);

    // The run has ended: the files are whole.
    void close();

private:
    void open_completions();
    void open_waves();
    void open_packets();
    void open_timeline(const Software& software);
    void close_waves();
    void close_packets();
    void close_timeline();
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
