// SPDX-License-Identifier: Apache-2.0
#include "tools/prove/baseline.hpp"

#include <algorithm>
#include <string>

namespace ndsim::prove {

namespace {

constexpr std::size_t kLook = 3;   // seeds that show whether chance moves the figures
constexpr std::size_t kSeeds = 5;  // if it does: means of five differ by less than single runs

}  // namespace

Baseline::Baseline(const Variants& variants) : variants_(variants), results_(variants.run({{}}, kLook).at(0)) {
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
    const auto moves = [this](const std::string& parameter) { return chance(parameter) >= kMoved / 2; };
    return moves("") || std::ranges::any_of(variants_.scenario().traffic, [&](const Traffic& traffic) {
               return moves("traffic." + traffic.name + ".window");
           });
}

std::int64_t Baseline::least(std::string_view parameter) const {
    return seeds() == 1 ? kMoved : std::max(kMoved, chance(parameter));
}

bool Baseline::is_open(std::string_view parameter) const {
    const Scenario& scenario = variants_.scenario();
    const auto is_closed = [](const Traffic& traffic) { return traffic.arrivals == ArrivalKind::closed; };
    const auto owner = std::ranges::find_if(scenario.traffic, [&](const Traffic& traffic) {
        return parameter.starts_with("traffic." + traffic.name + ".");
    });
    return owner != scenario.traffic.end() ? !is_closed(*owner)
                                           : scenario.dma.empty() && std::ranges::none_of(scenario.traffic, is_closed);
}

}  // namespace ndsim::prove
