// SPDX-License-Identifier: Apache-2.0
#include "models/switch/switch.hpp"

#include <algorithm>
#include <utility>

#include "models/parts/ranks.hpp"
#include "sim/base/invariant_error.hpp"
#include "sim/base/slots.hpp"

namespace ndsim {

Switch::Switch(const sc_core::sc_module_name& name, Timeline& timeline, const SwitchParams& params,
               std::span<const std::string> ports, Ledgers& ledgers, PayloadPool& payloads)
    : Unit(name, timeline),
      ledgers_(ledgers),
      payloads_(payloads),
      buffer_(*this, kBufferPool, params.buffer.count),
      outs_(*this, timeline, kRankIngress) {
    const std::optional<Bytes> part =
        params.pause ? std::optional(Bytes{params.buffer.count / ports.size()}) : std::nullopt;
    for (const std::string& port : ports) {
        ports_.push_back(std::make_unique<SwitchPort>(port.c_str(), timeline, *this, ports_.size(), params, part));
    }
}

void Switch::add_way(HostId to, std::size_t port) {
    grown(ways_, raw(to)) = ports_.at(port).get();
}

SwitchPort& Switch::way_to(HostId to) {
    if (raw(to) >= ways_.size() || ways_[raw(to)] == nullptr) {
        throw InvariantError(name(), now(), "no port leads to host " + std::to_string(raw(to)));
    }
    return *ways_[raw(to)];
}

// Sorted in from the end: packets arrive nearly in the order of their times.
void Switch::forward(const Packet& packet, SwitchPort& from, Picoseconds due) {
    pipeline_.push({due, packet, &from, &way_to(packet.to)});
    for (std::size_t place = pipeline_.size() - 1; place > 0 && pipeline_[place - 1].due > due; --place) {
        std::swap(pipeline_[place - 1], pipeline_[place]);
    }
    outs_.push(due, 0);
}

// The number of ports before this one in the order of turns, which begins behind the port that had the last turn.
std::size_t Switch::turn(const Passage& passage) const {
    return (passage.from->index() + ports_.size() - passage.to->took_from() - 1) % ports_.size();
}

void Switch::come_out(const int&) {
    at_once_.clear();
    while (!pipeline_.empty() && pipeline_.front().due <= now()) {
        const Passage passage = pipeline_.pop();
        const auto place =
            std::upper_bound(at_once_.begin(), at_once_.end(), turn(passage),
                             [this](std::size_t its_turn, const Passage& other) { return its_turn < turn(other); });
        at_once_.insert(place, passage);
    }
    for (const Passage& passage : at_once_) {
        passage.to->enqueue(passage.packet, *passage.from);
    }
}

void Switch::check_idle() const {
    if (!pipeline_.empty()) {
        throw InvariantError(name(), now(), "packets are still on their way through at the end");
    }
}

}  // namespace ndsim
