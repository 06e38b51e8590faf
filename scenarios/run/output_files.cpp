// SPDX-License-Identifier: Apache-2.0
#include "scenarios/run/output_files.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "models/nic/nic.hpp"
#include "models/wire/cable.hpp"
#include "scenarios/record/wave_story.hpp"
#include "scenarios/run/first_view.hpp"
#include "sim/files/wave_view.hpp"

namespace ndsim {

OutputFiles::OutputFiles(const Scenario& scenario, const std::string& folder, Recorder& recorder, World& world,
                         const Software& software, RunResult& result)
    : scenario_(scenario), folder_(folder), recorder_(recorder), world_(world), result_(result) {
    if (folder_.empty()) {
        return;
    }
    if (scenario_.outputs.completions) {
        open_completions();
    }
    if (scenario_.outputs.waves.enabled) {
        open_waves();
    }
    if (scenario_.outputs.packets.enabled) {
        open_packets();
    }
    if (scenario_.outputs.timeline.enabled) {
        open_timeline(software);
    }
}

void OutputFiles::open_completions() {
    if (const auto problem = recorder_.completions_file().open(folder_ + "/completions.csv")) {
        result_.unwritten.push_back(*problem);
    } else {
        result_.files.push_back("completions.csv");
        world_.ledgers().keep_paths();
    }
}

void OutputFiles::open_waves() {
    const WaveOutput& wanted = scenario_.outputs.waves;
    WavesOptions options{folder_ + "/waves.vcd", wanted.start, wanted.stop, wanted.max_size, recorder_.hosts()};
    waves_ = std::make_unique<Waves>(std::move(options), [this] { return world_.now(); });
    waves_->watch_all();
    result_.files.push_back("waves.vcd");
}

void OutputFiles::open_packets() {
    constexpr std::uint8_t kPort = 1;  // a NIC has one
    const PacketOutput& wanted = scenario_.outputs.packets;
    std::vector<CaptureHost> hosts;
    for (std::size_t i = 0; i < scenario_.hosts.size(); ++i) {
        const std::string& host = scenario_.hosts[i].name;
        hosts.push_back({host, port_address(HostId{static_cast<std::uint16_t>(i)}, kPort, world_.ip_address(host))});
    }
    packets_ = std::make_unique<PacketCapture>(
        CaptureOptions{folder_ + "/packets.pcapng", wanted.start, wanted.stop, wanted.max_size}, std::move(hosts),
        world_.network().switch_ports(), world_.payloads());
    for (Network::Lane& lane : world_.network().lanes()) {
        LaneTap& tap = packets_->tap(lane.from, lane.to);
        lane.cable->taps.bind(tap);
        lane.taps.bind(tap);
    }
    if (packets_->is_open()) {
        result_.files.push_back("packets.pcapng");
    }
}

void OutputFiles::open_timeline(const Software& software) {
    const TimelineOutput& wanted = scenario_.outputs.timeline;
    TraceOptions options{folder_ + "/" + wanted.file(), wanted.start, wanted.stop, wanted.max_size, wanted.compressed};
    timeline_ =
        std::make_unique<TraceRecorder>(std::move(options), world_, [&software] { return software.next_begins(); });
    if (timeline_->is_open()) {
        result_.files.push_back(wanted.file());
    }
}

void OutputFiles::close(bool is_cut_off) {
    if (const auto problem = recorder_.completions_file().close()) {
        result_.unwritten.push_back(*problem);
    }
    if (waves_) {
        close_waves(is_cut_off);
    }
    if (packets_) {
        close_packets();
    }
    if (timeline_) {
        close_timeline(is_cut_off);
    }
}

// What hardware still does when everything is done belongs to the waveform. A run that is cut off has no such future.
void OutputFiles::close_waves(bool is_cut_off) {
    try {
        const Picoseconds last = std::max(result_.ended, shown().end + (shown().end - shown().start));
        waves_->close(is_cut_off ? result_.ended : last, last);
        write_view();
        result_.files.push_back("waves.gtkw");
    } catch (const WaveError& error) {
        result_.unwritten.push_back(error.what());
    }
    result_.waves_cut_at = waves_->file().cut_at();
}

void OutputFiles::close_packets() {
    if (const std::optional<std::string> problem = packets_->close(result_.ended)) {
        result_.unwritten.push_back(*problem);
    }
    result_.packets_cut_at = packets_->cut_at();
}

void OutputFiles::close_timeline(bool is_cut_off) {
    if (const std::optional<std::string> problem = timeline_->close(result_.ended, is_cut_off)) {
        result_.unwritten.push_back(*problem);
    }
    result_.timeline_cut_at = timeline_->cut_at();
}

// The part of the run that the view shows: that of its first view, with some room on either side, but little of the
// set-up. GTKWave goes back to time 0 if the trace ends within its window, which is wider on a large screen, so the
// trace is twice as long.
Interval OutputFiles::shown() const {
    const Interval point = first_view(scenario_, recorder_, {result_.started, result_.ended}).around;
    const Picoseconds room = (point.end - point.start) / 8;
    const Picoseconds set_up = std::min(point.start, result_.started) - room / 16;
    return {std::max({point.start - room, set_up, scenario_.outputs.waves.start}),
            std::min(point.end + room, scenario_.outputs.waves.stop)};
}

void OutputFiles::write_view() {
    WaveViewOptions view;
    view.vcd = folder_ + "/waves.vcd";
    view.hosts = recorder_.hosts();
    view.start = shown().start;
    view.end = shown().end;
    const FirstView first = first_view(scenario_, recorder_, {result_.started, result_.ended});
    view.marks = first.marks;
    const WaveWriter& waves = waves_->file();
    std::vector<WaveSignal> signals(waves.signals().begin(), waves.signals().end());
    for (std::size_t i = 0; i < signals.size(); ++i) {
        signals[i].still = !waves.may_change(i, shown());
        signals[i].largest = waves.largest(i);
    }
    if (first.request) {
        view.first = first.request->title;
        view.rows = request_rows(signals, first.request->hosts);
        set_aside(signals, view.hosts, first.request->hosts);
    }
    write_wave_view(view, wave_story(signals, view.hosts));
}

}  // namespace ndsim
