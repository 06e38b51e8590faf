// SPDX-License-Identifier: Apache-2.0
#include "tools/prove/figures_of.hpp"

#include <algorithm>
#include <utility>

namespace ndsim::prove {

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

}  // namespace ndsim::prove
