// SPDX-License-Identifier: Apache-2.0
#include "tools/prove/gain.hpp"

#include <algorithm>
#include <string>

#include "tools/prove/figures_of.hpp"
#include "tools/prove/shared_part.hpp"

namespace ndsim::prove {

namespace {

constexpr std::int64_t kWhole = 1'000'000;

std::int64_t moved(WideSum before, WideSum after) {
    if (before == 0) {
        return 0;
    }
    const WideSum distance = (before < after ? after - before : before - after) * static_cast<std::uint64_t>(kWhole);
    const auto ppm = static_cast<std::int64_t>(distance / before);
    return before < after ? ppm : -ppm;
}

// The figure of the time in which all were measured, if that is known.
std::string side_by_side(const Results& results, const std::string& name, const std::string& figure) {
    const std::string shared = name + ".shared_" + figure;
    return has(results.front(), shared) ? shared : name + "." + figure;
}

// The payload of generators per second, or their messages.
WideSum brought(const Results& results, const Generators& generators, bool in_bits) {
    WideSum sum = 0;
    for (const std::string& name : generators) {
        sum += in_bits ? figure(results, side_by_side(results, name, "goodput")) +
                             figure(results, side_by_side(results, name, "rate"))
                       : figure(results, name + ".message_rate");
    }
    return sum;
}

}  // namespace

cli::Change change_of(const Results& before, const Results& after, const Generators& of) {
    Generators generators = generators_in(before.front(), of);
    if (std::ranges::any_of(generators, [&](const std::string& name) { return takes_part(before, name); })) {
        std::erase_if(generators, [&](const std::string& name) { return !takes_part(before, name); });
    }
    const bool in_bits =
        std::ranges::any_of(generators, [&](const std::string& name) { return figure(before, name + ".bytes") > 0; });
    cli::Change change{moved(brought(before, generators, in_bits), brought(after, generators, in_bits)), 0};
    for (const std::string& name : generators) {
        const std::string latency = name + ".latency.mean";
        change.latency += moved(figure(before, latency), figure(after, latency));
    }
    change.latency /= std::max<std::int64_t>(1, static_cast<std::int64_t>(generators.size()));
    return change;
}

std::int64_t gain_of(const cli::Change& change, bool goodput_is_given) {
    const bool faster = goodput_is_given && change.goodput > -kMoved && change.latency < 0;
    const std::int64_t by = faster ? -change.latency * kWhole / std::max<std::int64_t>(1, kWhole + change.latency) : 0;
    return std::max({change.goodput, by, std::int64_t{0}});
}

std::int64_t spread_of(const Results& results, const Generators& of, bool goodput_is_given) {
    std::int64_t spread = 0;
    for (const Json& one : results) {
        for (const Json& other : results) {
            spread = std::max(spread, gain_of(change_of({one}, {other}, of), goodput_is_given));
        }
    }
    return spread;
}

}  // namespace ndsim::prove
