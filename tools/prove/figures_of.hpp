// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/histogram.hpp"
#include "tools/cli/alike_hosts.hpp"

// Figures of `result.json`, as proofs of limits take them.
namespace ndsim::prove {

using Json = nlohmann::ordered_json;

// The results of one set of parameters, one for each seed.
using Results = std::vector<Json>;

// Generators as metrics name them: "traffic.t", "dma.d". None stands for all.
using Generators = std::vector<std::string>;

// Whether the parameter is a generator's own, and not the hardware's.
[[nodiscard]] inline bool is_of_generator(std::string_view parameter) {
    return parameter.starts_with("traffic.") || parameter.starts_with("dma.");
}

// Those that the limits with these parameters may hold up. A limit that holds up no payload, such as that of the lane
// of acknowledgements, adds none.
[[nodiscard]] Generators generators_of(const Json& limits, const std::vector<std::string>& parameters);
// The parameter of this limit, and those of limits like it: of alike things, with the same value.
[[nodiscard]] std::vector<std::string> parameters_like(const Json& limit, const Json& limits,
                                                       const cli::AlikeHosts& alike);

// Those of them that the result has.
[[nodiscard]] Generators generators_in(const Json& result, const Generators& of);

[[nodiscard]] bool has(const Json& result, const std::string& name);
// 0 if there is no such figure; for several results the sum over all seeds.
[[nodiscard]] WideSum figure(const Json& result, const std::string& name);
[[nodiscard]] WideSum figure(const Results& results, const std::string& name);

}  // namespace ndsim::prove
