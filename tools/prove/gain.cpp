// SPDX-License-Identifier: Apache-2.0
#include "tools/prove/gain.hpp"

#include <fmt/format.h>

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

bool has(const Json& result, const std::string& name) {
    return result.at("metrics").contains(name);
}

WideSum figure(const Json& result, const std::string& name) {
    return has(result, name) ? result.at("metrics").at(name).at("value").get<std::uint64_t>() : 0;
}

// The sum over all seeds.
WideSum figure(const Results& results, const std::string& name) {
    WideSum sum = 0;
    for (const Json& result : results) {
        sum += figure(result, name);
    }
    return sum;
}

// The goodput of generators, while all were measured, if that is known; or their messages.
WideSum brought(const Results& results, const std::vector<std::string>& generators, bool in_bits) {
    WideSum sum = 0;
    for (const std::string& name : generators) {
        const std::string shared = name + ".shared_goodput";
        const std::string goodput = has(results.front(), shared) ? shared : name + ".goodput";
        sum += in_bits ? figure(results, goodput) + figure(results, name + ".rate")
                       : figure(results, name + ".message_rate");
    }
    return sum;
}

// Whether the generator moved data while all were measured. That is not counted for the only one, and says nothing of
// one with empty messages.
template <class Figures>
bool takes_part(const Figures& figures, bool is_counted, const std::string& generator) {
    return !is_counted || figure(figures, generator + ".shared_goodput") > 0 ||
           figure(figures, generator + ".bytes") == 0;
}

bool takes_part(const Json& result, const std::string& generator) {
    return takes_part(result, has(result, generator + ".shared_goodput"), generator);
}

bool takes_part(const Results& results, const std::string& generator) {
    return takes_part(results, has(results.front(), generator + ".shared_goodput"), generator);
}

// How many of a generator's messages were moved while all were measured, in thousandths.
WideSum shared_messages(const Json& result, const std::string& generator) {
    constexpr std::uint64_t kThousandthsOfBits = 8 * 1'000'000'000ULL;  // picoseconds
    const WideSum bits = figure(result, generator + ".shared_goodput") * figure(result, "run.measured");
    const WideSum bytes = figure(result, generator + ".bytes");
    return bytes == 0 ? 0 : bits * figure(result, generator + ".messages") / (bytes * kThousandthsOfBits);
}

// Whether all were measured for so short a time that their total goodput in it may be anything: its spread is larger
// than itself, or it is that of a few messages. Goodputs weigh the spreads of the generators, which are its upper
// bound.
bool is_too_short(const Json& result, const std::vector<std::string>& generators) {
    constexpr std::uint64_t kFewest = 20'000;
    bool is_known = true;
    WideSum goodput = 0;
    WideSum spread = 0;
    WideSum messages = 0;
    for (const std::string& name : generators) {
        const WideSum shared = figure(result, name + ".shared_goodput");
        if (shared > 0) {
            is_known = is_known && has(result, name + ".shared_interval");
            goodput += shared;
            spread += shared * figure(result, name + ".shared_interval");
            messages += shared_messages(result, name);
        }
    }
    return is_known ? spread > goodput * static_cast<std::uint64_t>(kWhole) : messages < kFewest;
}

std::string doubt_in_one(const Json& result, std::string_view parameter) {
    std::vector<std::string> generators = generators_in(result, parameter);
    if (generators.empty()) {
        return "";
    }
    const std::string first = generators.front();
    std::erase_if(generators, [&](const std::string& name) { return !takes_part(result, name); });
    if (generators.empty()) {
        return fmt::format("moves no data of {} while all generators are measured (raise their count)", first);
    }
    return is_too_short(result, generators)
               ? "measures its generators side by side for too short a time (raise their count)"
               : "";
}

}  // namespace

std::string doubt_of(const Results& results, std::string_view parameter) {
    for (const Json& result : results) {
        for (const std::string_view scope : {std::string_view{}, parameter}) {
            if (std::string doubt = doubt_in_one(result, scope); !doubt.empty()) {
                return doubt;
            }
        }
    }
    return "";
}

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
