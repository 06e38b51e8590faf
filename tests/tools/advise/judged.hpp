// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "tools/advise/judge.hpp"

// Judgements of results that have only these metrics.
namespace ndsim::test {

using Json = nlohmann::ordered_json;

inline Json result(const Json& metrics) {
    return {{"exit", 0}, {"outcome", "finished"}, {"why", ""}, {"metrics", metrics}};
}
inline Json metric(std::uint64_t value, const std::string& unit) {
    return {{"value", value}, {"unit", unit}};
}

inline advise::Judgement judge(const Scenario& of, const std::string& target, const Json& metrics) {
    return advise::Judge(of, parse_targets(target).value.value()).judge(result(metrics));
}

}  // namespace ndsim::test
