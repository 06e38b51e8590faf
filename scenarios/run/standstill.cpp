// SPDX-License-Identifier: Apache-2.0
#include "scenarios/run/standstill.hpp"

#include <algorithm>

#include "models/nic/nic.hpp"
#include "models/wire/lane_faults.hpp"

namespace ndsim {

std::vector<std::string> ports_held_by_pauses() {
    std::vector<std::string> held;
    for (const Unit* const unit : all_units()) {
        if (const auto* const port = dynamic_cast<const PausePort*>(unit); port != nullptr && port->holds_packets()) {
            held.emplace_back(unit->name());
        }
    }
    return held;
}

bool Standstill::is_for_ever(Picoseconds now) {
    const std::uint64_t progress = this->progress();
    if (!since_ || progress != progress_ || !links_are_sound()) {
        since_ = now;
        progress_ = progress;
        return false;
    }
    return std::ranges::all_of(world_.nodes(), [this](const auto& node) {
        return std::ranges::all_of(node->nic->completer.refused(), [this](const RefusedQueuePair& refused) {
            return refused.for_ever && refused.last > *since_;
        });
    });
}

bool Standstill::links_are_sound() const {
    return std::ranges::all_of(world_.network().lanes(), [](const Network::Lane& lane) {
        return lane.faults == nullptr || lane.faults->is_over();
    });
}

std::uint64_t Standstill::progress() const {
    std::uint64_t sum = 0;
    for (const auto& node : world_.nodes()) {
        sum += node->nic->completer.progress() + node->nic->responder.packets_executed();
        for (const auto& core : node->cores) {
            sum += core->resumed();
        }
    }
    return sum;
}

}  // namespace ndsim
