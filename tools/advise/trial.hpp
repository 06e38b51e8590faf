// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "tools/advise/dimension.hpp"
#include "tools/advise/judge.hpp"
#include "tools/advise/search.hpp"

// A run's verdict on its depths.
namespace ndsim::advise {

struct Build;

// Whether the dimension sets this parameter.
[[nodiscard]] bool sets(const Dimension& dimension, const std::string& parameter);

// The dimension as the limit of a run.
[[nodiscard]] Limit limit_of(const Dimension& dimension, std::uint64_t depth);

// From a result.json, or the entry of a failed run.
[[nodiscard]] Trial trial_of(const Judge& judge, const nlohmann::ordered_json& result, const Scenario& scenario,
                             Longer longer = Longer::impossible);

// If more of a dimension gives more, the dimension was the limit, whatever else was nearly full.
void name_what_helps(Curve& curve, const Dimension& dimension);
// What misses the target and reaches it with more of one dimension alone is limited by that dimension: the steps below
// the smallest that holds, and one less than the least seen.
void name_what_is_too_little(Curve& curve, const Dimension& dimension);
void name_what_is_too_little(Build& build, const std::vector<Dimension>& dimensions);

}  // namespace ndsim::advise
