// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "tools/advise/dimension.hpp"
#include "tools/advise/judge.hpp"
#include "tools/advise/search.hpp"

// What a run says of the depths that it had.
namespace ndsim::advise {

// Whether that is one of the parameters that the dimension sets.
[[nodiscard]] bool sets(const Dimension& dimension, const std::string& parameter);

// The dimension as what bound a run.
[[nodiscard]] Limit limit_of(const Dimension& dimension, std::uint64_t depth);

// Of a result.json, or of what stands for one that failed.
[[nodiscard]] Trial trial_of(const Judge& judge, const nlohmann::ordered_json& result, const Scenario& scenario);

// Where more of a dimension gives more, it is what bound, whatever else was nearly full.
void name_what_helps(Curve& curve, const Dimension& dimension);

}  // namespace ndsim::advise
