// SPDX-License-Identifier: Apache-2.0
#include "tools/prove/baseline.hpp"

#include <algorithm>
#include <string>

namespace ndsim::prove {

namespace {

constexpr std::size_t kLook = 3;   // seeds that show whether chance moves the figures
constexpr std::size_t kSeeds = 5;  // if it does: means of five differ by less than single runs

}  // namespace

Baseline::Baseline(Variants& variants) : variants_(variants), results_(variants.run({{}}, kLook).at(0)) {
    if (!flaw().empty()) {
        return;
    }
    if (is_by_chance()) {
        results_ = variants.run({{}}, kSeeds).at(0);
    } else {
        results_.resize(1);
    }
}

// For all generators together, or for one of them.
bool Baseline::is_by_chance() const {
    const auto moves = [this](const Generators& of) { return chance(of) >= kMoved / 2; };
    return moves({}) || std::ranges::any_of(variants_.scenario().traffic,
                                            [&](const Traffic& traffic) { return moves({"traffic." + traffic.name}); });
}

std::int64_t Baseline::least(const Generators& of) const {
    return seeds() == 1 ? kMoved : std::max(kMoved, chance(of));
}

bool Baseline::is_open(const Generators& of) const {
    const Scenario& scenario = variants_.scenario();
    const auto counts = [&of](const std::string& name) {
        return of.empty() || std::ranges::find(of, name) != of.end();
    };
    return std::ranges::none_of(scenario.dma, [&](const DmaLoad& load) { return counts("dma." + load.name); }) &&
           std::ranges::none_of(scenario.traffic, [&](const Traffic& traffic) {
               return traffic.arrivals == ArrivalKind::closed && counts("traffic." + traffic.name);
           });
}

}  // namespace ndsim::prove
