// SPDX-License-Identifier: Apache-2.0
#include "tools/prove/gain.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

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
std::vector<std::string> generators_in(const Json& metrics, std::string_view parameter) {
    std::vector<std::string> names;
    for (const auto& [name, metric] : metrics.items()) {
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

std::uint64_t figure(const Json& metrics, const std::string& name) {
    const auto metric = metrics.find(name);
    return metric == metrics.end() ? 0 : metric->at("value").get<std::uint64_t>();
}

// The goodput of generators, while all were measured, if that is known; messages, if they are empty.
WideSum brought(const Json& metrics, const std::vector<std::string>& generators) {
    WideSum bits = 0;
    WideSum messages = 0;
    for (const std::string& name : generators) {
        const std::string shared = name + ".shared_goodput";
        bits +=
            figure(metrics, metrics.contains(shared) ? shared : name + ".goodput") + figure(metrics, name + ".rate");
        messages += figure(metrics, name + ".message_rate");
    }
    return bits == 0 ? messages : bits;
}

}  // namespace

cli::Change change_of(const Json& before, const Json& after, std::string_view parameter) {
    const std::vector<std::string> generators = generators_in(before, parameter);
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

}  // namespace ndsim::prove
