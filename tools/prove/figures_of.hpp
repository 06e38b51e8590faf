// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/histogram.hpp"

// Figures of `result.json`, as proofs of limits take them.
namespace ndsim::prove {

using Json = nlohmann::ordered_json;

// The results of one set of parameters, one for each seed.
using Results = std::vector<Json>;

// The generators that count for the parameter: "traffic.t" and "dma.d". If it belongs to one of them, only that one.
[[nodiscard]] std::vector<std::string> generators_in(const Json& result, std::string_view parameter);

[[nodiscard]] bool has(const Json& result, const std::string& name);
// 0 if there is no such figure; for several results the sum over all seeds.
[[nodiscard]] WideSum figure(const Json& result, const std::string& name);
[[nodiscard]] WideSum figure(const Results& results, const std::string& name);

}  // namespace ndsim::prove
