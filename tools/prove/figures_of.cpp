// SPDX-License-Identifier: Apache-2.0
#include "tools/prove/figures_of.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace ndsim::prove {

Generators generators_of(const Json& limits, std::string_view parameter) {
    std::set<std::string> names;
    for (const Json& limit : limits) {
        if (limit.at("parameter") == parameter) {
            for (std::string name : limit.at("generators")) {
                names.insert(name.replace(name.find(' '), 1, "."));  // "traffic t"
            }
        }
    }
    return {names.begin(), names.end()};
}

Generators generators_in(const Json& result, const Generators& of) {
    Generators names;
    for (const auto& [name, metric] : result.at("metrics").items()) {
        for (const auto& [kind, figure] : {std::pair{"traffic.", ".message_rate"}, {"dma.", ".transfer_rate"}}) {
            const std::string generator = name.substr(0, name.rfind('.'));
            if (name.starts_with(kind) && name.ends_with(figure) &&
                (of.empty() || std::ranges::find(of, generator) != of.end())) {
                names.push_back(generator);
            }
        }
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

}  // namespace ndsim::prove
