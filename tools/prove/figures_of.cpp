// SPDX-License-Identifier: Apache-2.0
#include "tools/prove/figures_of.hpp"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

namespace ndsim::prove {

Generators generators_of(const Json& limits, const std::vector<std::string>& parameters) {
    const std::set<std::string> wanted(parameters.begin(), parameters.end());
    std::set<std::string> names;
    for (const Json& limit : limits) {
        if (wanted.contains(limit.at("parameter").get<std::string>())) {
            for (std::string name : limit.at("generators")) {
                names.insert(name.replace(name.find(' '), 1, "."));  // "traffic t"
            }
        }
    }
    return {names.begin(), names.end()};
}

std::vector<std::string> parameters_like(const Json& limit, const Json& limits, const cli::AlikeHosts& alike) {
    const auto kind_of = [&alike](const Json& each) {
        return std::tuple(each.at("kind").get<std::string>(), alike.key(each.at("what").get<std::string>()),
                          each.at("value").get<std::string>());
    };
    const auto kind = kind_of(limit);
    std::vector<std::string> parameters{limit.at("parameter")};
    std::set<std::string> known{parameters.front()};
    for (const Json& other : limits) {
        if (kind_of(other) == kind && known.insert(other.at("parameter")).second) {
            parameters.push_back(other.at("parameter"));
        }
    }
    return parameters;
}

Generators generators_in(const Json& result, const Generators& of) {
    const std::set<std::string_view> wanted(of.begin(), of.end());
    Generators names;
    for (const auto& [name, metric] : result.at("metrics").items()) {
        for (const auto& [kind, figure] : {std::pair{"traffic.", ".message_rate"}, {"dma.", ".transfer_rate"}}) {
            const std::string generator = name.substr(0, name.rfind('.'));
            if (name.starts_with(kind) && name.ends_with(figure) && (of.empty() || wanted.contains(generator))) {
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
