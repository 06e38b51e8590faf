// SPDX-License-Identifier: Apache-2.0
#include "scenarios/run/generators.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>

#include "scenarios/result/side_by_side.hpp"

namespace ndsim {

Generators::Generators(World& world, const Scenario& scenario, std::span<const std::unique_ptr<HostSide>> sides)
    : world_(world),
      scenario_(scenario),
      warming_(scenario.traffic.size() + scenario.dma.size()),
      measuring_(warming_) {
    const auto side_of = [sides](const std::string& host) -> HostSide& {
        return **std::ranges::find(sides, host, [](const auto& side) { return side->host().name; });
    };
    const auto follow = [this](auto& generator) {
        generator.on_warm([this] { is_warm(); });
        generator.on_complete([this] { has_measured(); });
    };
    for (const Traffic& traffic : scenario.traffic) {
        TrafficRunner& generator = *traffic_.emplace_back(std::make_unique<TrafficRunner>(
            world, side_of(traffic.from.host), side_of(traffic.to.host), traffic, scenario.measure));
        follow(generator);
        if (warming_ > 1) {  // a single one has its own window
            generator.on_message([this] { note_bytes(); });
        }
    }
    for (const DmaLoad& load : scenario.dma) {
        follow(*dma_.emplace_back(
            std::make_unique<DmaRunner>(world.dma_generator(load.host, load.name), load, scenario.measure)));
    }
}

void Generators::is_warm() {
    if (--warming_ > 0) {
        return;
    }
    // The window may be as short as the last one's warm-up, or much longer.
    constexpr std::int64_t kNotes = 512;  // in such a time
    const Picoseconds grain = std::max((world_.now() - started_) / kNotes, Picoseconds{std::chrono::nanoseconds{100}});
    shared_.begin(world_.now(), bytes_moved(), grain);
    on_warm_();
}

// A generator measured before the last one is warm has no part in the common window.
void Generators::has_measured() {
    --measuring_;
    if (shared_.is_open()) {
        shared_.end(world_.now(), bytes_moved());
    }
    on_measured_();
}

void Generators::note_bytes() {
    if (shared_.wants_note(world_.now())) {
        shared_.note(world_.now(), bytes_moved());
    }
}

std::vector<std::uint64_t> Generators::bytes_moved() const {
    std::vector<std::uint64_t> bytes;
    std::ranges::transform(traffic_, std::back_inserter(bytes),
                           [](const auto& generator) { return generator->moved().bytes; });
    std::ranges::transform(dma_, std::back_inserter(bytes), [](const auto& generator) { return generator->bytes(); });
    return bytes;
}

void Generators::set_up(const HostSide& side) {
    for (std::size_t i = 0; i < traffic_.size(); ++i) {
        if (scenario_.traffic[i].to.host == side.host().name) {
            traffic_[i]->prepare_receiver();
        }
        if (scenario_.traffic[i].from.host == side.host().name) {
            traffic_[i]->prepare_sender();
        }
    }
}

void Generators::start(Picoseconds at) {
    started_ = at;
    for (const auto& traffic : traffic_) {
        traffic->start(at);
    }
    for (const auto& dma : dma_) {
        dma->start(at);
    }
}

bool Generators::finished() const {
    return std::ranges::all_of(traffic_, [](const auto& traffic) { return traffic->finished(); }) &&
           std::ranges::all_of(dma_, [](const auto& dma) { return dma->finished(); });
}

std::vector<std::string> Generators::waiting() const {
    std::vector<std::string> waiting;
    for (const auto& traffic : traffic_) {
        if (!traffic->finished()) {
            waiting.push_back(traffic->where());
        }
    }
    for (const auto& dma : dma_) {
        if (!dma->finished()) {
            waiting.push_back(dma->where());
        }
    }
    return waiting;
}

Picoseconds Generators::next_begins() const {
    const auto earlier = [](Picoseconds a, const auto& traffic) { return std::min(a, traffic->next_begins()); };
    return std::accumulate(traffic_.begin(), traffic_.end(), Picoseconds::max(), earlier);
}

std::uint64_t Generators::messages() const {
    std::uint64_t sum = 0;
    for (const auto& traffic : traffic_) {
        sum += traffic->completed();
    }
    for (const auto& dma : dma_) {
        sum += dma->completed();
    }
    return sum;
}

void Generators::report(Metrics& metrics) const {
    for (const auto& traffic : traffic_) {
        traffic->report(metrics);
    }
    add_side_by_side(scenario_, shared_, metrics);
    for (const auto& dma : dma_) {
        dma->report(metrics);
    }
}

}  // namespace ndsim
