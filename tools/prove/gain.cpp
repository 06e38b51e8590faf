// SPDX-License-Identifier: Apache-2.0
#include "tools/prove/gain.hpp"

#include <algorithm>
#include <string>

#include "sim/base/histogram.hpp"

namespace ndsim::prove {

using Json = nlohmann::ordered_json;

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

// The generators that count for the parameter: "traffic.t" and "dma.d".
std::vector<std::string> generators_in(const Json& result, std::string_view parameter) {
    std::vector<std::string> names;
    for (const auto& [name, metric] : result.at("metrics").items()) {
        for (const auto& [kind, figure] : {std::pair{"traffic.", ".message_rate"}, {"dma.", ".transfer_rate"}}) {
            if (name.starts_with(kind) && name.ends_with(figure)) {
                names.push_back(name.substr(0, name.rfind('.')));
            }
        }
    }
    const auto is_of = [&](const std::string& name) { return parameter.starts_with(name + "."); };
    if (std::ranges::any_of(names, is_of)) {
        std::erase_if(names, [&](const std::string& name) { return !is_of(name); });
    }
    return names;
}

// The sum over all seeds.
WideSum figure(const Results& results, const std::string& name) {
    WideSum sum = 0;
    for (const Json& result : results) {
        const Json& metrics = result.at("metrics");
        const auto metric = metrics.find(name);
        sum += metric == metrics.end() ? 0 : metric->at("value").get<std::uint64_t>();
    }
    return sum;
}

// The goodput of generators, while all were measured, if that is known; messages, if they are empty.
WideSum brought(const Results& results, const std::vector<std::string>& generators) {
    WideSum bits = 0;
    WideSum messages = 0;
    for (const std::string& name : generators) {
        const std::string shared = name + ".shared_goodput";
        const bool is_shared = results.front().at("metrics").contains(shared);
        bits += figure(results, is_shared ? shared : name + ".goodput") + figure(results, name + ".rate");
        messages += figure(results, name + ".message_rate");
    }
    return bits == 0 ? messages : bits;
}

// Whether the generator moved data while all were measured, or is the only one.
bool takes_part(const Results& results, const std::string& generator) {
    const std::string shared = generator + ".shared_goodput";
    return !results.front().at("metrics").contains(shared) || figure(results, shared) > 0;
}

}  // namespace

bool have_same_part(const Results& before, const Results& after) {
    return std::ranges::all_of(generators_in(before.front(), {}), [&](const std::string& name) {
        return takes_part(before, name) == takes_part(after, name);
    });
}

cli::Change change_of(const Results& before, const Results& after, std::string_view parameter) {
    std::vector<std::string> generators = generators_in(before.front(), parameter);
    if (std::ranges::any_of(generators, [&](const std::string& name) { return takes_part(before, name); })) {
        std::erase_if(generators, [&](const std::string& name) { return !takes_part(before, name); });
    }
    cli::Change change{moved(brought(before, generators), brought(after, generators)), 0};
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

std::int64_t spread_of(const Results& results, std::string_view parameter, bool goodput_is_given) {
    std::int64_t spread = 0;
    for (const Json& one : results) {
        for (const Json& other : results) {
            spread = std::max(spread, gain_of(change_of({one}, {other}, parameter), goodput_is_given));
        }
    }
    return spread;
}

}  // namespace ndsim::prove
