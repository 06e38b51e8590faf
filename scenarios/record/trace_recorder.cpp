// SPDX-License-Identifier: Apache-2.0
#include "scenarios/record/trace_recorder.hpp"

#include <algorithm>
#include <utility>

#include "models/nic/nic.hpp"
#include "models/nic/send_steps.hpp"
#include "models/wire/cable.hpp"
#include "models/wire/lane_faults.hpp"

namespace ndsim {

namespace {

// A track has its unit's name, and that of its contents if the unit has several tracks.
std::string track_name(const std::string& path, const SendStep& step) {
    const auto is_beside = [&](const SendStep& other) { return other.is_track() && other.unit == step.unit; };
    return std::ranges::count_if(send_steps(), is_beside) == 1 ? path : path + "." + std::string(step.name);
}

// Links come behind the first of their hosts.
constexpr std::uint32_t kPlaces = 1U << 12U;

template <class Probe>
Probe* find(std::span<Probe* const> probes, std::string_view name) {
    const auto found = std::ranges::find_if(probes, [name](const Probe* probe) { return probe->name() == name; });
    return found == probes.end() ? nullptr : *found;
}

std::vector<std::string> host_names(World& world) {
    std::vector<std::string> names;
    for (const Host& host : world.scenario().hosts) {
        names.push_back(host.name);
    }
    return names;
}

}  // namespace

TraceRecorder::TraceRecorder(TraceOptions options, World& world, std::function<Picoseconds()> next_begins)
    : world_(world),
      stream_(std::move(options), [&world] { return world.now(); }),
      requests_(stream_, host_names(world)),
      units_(stream_, host_names(world)) {
    if (!stream_.is_open()) {
        return;
    }
    stream_.wait_for(std::move(next_begins));
    std::map<std::string, std::vector<const Unit*>> of_hosts;
    for (Unit* const unit : all_units()) {
        const std::string name = unit->name();
        by_name_[name] = unit;
        of_hosts[name.substr(0, name.find('.'))].push_back(unit);
    }
    for (std::size_t host = 0; host < world_.nodes().size(); ++host) {
        add_host(host, of_hosts[world_.nodes()[host]->basename()]);
    }
    add_switches();
    packets_.emplace(stream_, ports_);
    add_links();
    world_.ledgers().watch(requests_);
    world_.ledgers().keep_paths();
    for (const Host& host : world_.scenario().hosts) {
        world_.driver(host.name).requests().observe(requests_);
    }
}

std::uint32_t TraceRecorder::add_track(std::uint32_t process, std::string name) {
    return stream_.add_track(process, std::move(name), ++last_place_);
}

void TraceRecorder::add_host(std::size_t host, std::span<const Unit* const> units) {
    Node& node = *world_.nodes()[host];
    const std::string name = node.basename();
    const std::uint32_t process = stream_.add_process(name, static_cast<std::uint32_t>(host) * kPlaces);
    for (const Unit* const unit : units) {
        add_queues(*unit, process);
    }
    for (const auto& core : node.cores) {
        units_.add_states(*find(core->probes(), "activity"), add_track(process, core->name()));
    }
    TracePackets::Port port{name, node.params.nic.port.rx_pipe};
    for (const SendStep& step : send_steps()) {
        if (!step.is_track()) {
            continue;
        }
        const std::string path = name + "." + std::string(step.unit);
        const std::uint32_t track = add_track(process, track_name(path, step));
        if (step.name.empty()) {
            (step.unit == "nic.tx" ? port.tx : port.rx) = track;
        } else {
            add_probe(host, *by_name_.at(path), step.name, track);
        }
    }
    ports_.push_back(std::move(port));
    const std::uint32_t counters = add_track(process, {});
    for (const SendStep& step : send_steps()) {
        if (step.is_counter()) {
            const std::string path = name + "." + std::string(step.unit);
            units_.add_pool(*find(by_name_.at(path)->pools(), step.name), path, counters);
        }
    }
}

// Adds the tracks of a queue pair, or of a shared receive queue.
void TraceRecorder::add_queues(const Unit& watch, std::uint32_t process) {
    const std::string name = watch.name();
    if (auto* const qp = dynamic_cast<const QpWatch*>(&watch)) {
        const std::uint32_t sends = add_track(process, name + ".sq");
        requests_.add_queue(watch, false, sends);
        units_.add_pool(*find(qp->pools(), "sq"), name, sends);
        const std::uint32_t receives = add_track(process, name + ".rq");
        requests_.add_queue(watch, true, receives);
        units_.add_pool(*find(qp->pools(), "rq"), name, receives);
    } else if (auto* const srq = dynamic_cast<const SrqWatch*>(&watch)) {
        const std::uint32_t receives = add_track(process, name + ".srq");
        requests_.add_queue(watch, true, receives);
        units_.add_pool(*find(srq->pools(), "srq"), name, receives);
    }
}

void TraceRecorder::add_probe(std::size_t host, const Unit& unit, std::string_view name, std::uint32_t track) {
    WorkProbe* const work = find(unit.work_probes(), name);
    if (work == nullptr) {
        units_.add_states(*find(unit.probes(), name), track);
        return;
    }
    const Nic& nic = *world_.nodes()[host]->nic;
    const bool responses = &unit == &nic.read_responder;
    if (&unit != &nic.requester && !responses) {
        units_.add_work(*work, track);
        return;
    }
    units_.add_work(*work, track, [this, host, track, responses](const Work& made, Interval span, std::uint64_t owner) {
        packets_->made(host, {*made.qp, *made.psn, {track, span.start, owner}, span.end, responses});
    });
}

// Adds each port's arrivals, and the queue of its departures.
void TraceRecorder::add_switches() {
    std::uint32_t number = static_cast<std::uint32_t>(world_.nodes().size());
    for (const NetworkSwitch& each : world_.scenario().switches) {
        const std::uint32_t process = stream_.add_process(each.name, number * kPlaces);
        for (const std::string& port : world_.network().switch_ports()) {
            if (port.starts_with(each.name + ".")) {
                const std::uint32_t in = add_track(process, port + ".in");
                const std::uint32_t queue = add_track(process, port + ".queue");
                ports_.push_back({port, each.params.latency, queue, in, number});
                units_.add_pool(*find(by_name_.at(port)->pools(), "queue"), port, queue);
            }
        }
        ++number;
    }
}

void TraceRecorder::add_links() {
    std::uint32_t number = 0;
    auto lane = world_.network().lanes().begin();
    for (const Link& link : world_.scenario().links) {
        const auto first = static_cast<std::uint32_t>(std::min(lane->from, lane->to));
        const std::uint32_t process = stream_.add_process(link.name, first * kPlaces + ++number);
        for (int way = 0; way < 2; ++way, ++lane) {
            const std::string name = lane->cable->name();
            const std::uint32_t on_lane = add_track(process, name);
            LaneTap& tap = packets_->tap(lane->from, lane->to, on_lane, add_track(process, name + ".flight"));
            lane->cable->taps.bind(tap);
            lane->taps.bind(tap);
            if (lane->faults) {
                lane->faults->taps.bind(tap);
            }
        }
    }
}

std::optional<std::string> TraceRecorder::close(Picoseconds end, bool is_cut_off) {
    if (is_cut_off) {
        stream_.cut_off(end);
    }
    requests_.close(end, world_.ledgers());
    units_.close(end);
    if (packets_) {
        packets_->close();
    }
    return stream_.close(end);
}

}  // namespace ndsim
