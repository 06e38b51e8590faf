// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "tools/cli/loaded.hpp"

namespace ndsim::sweep {

// Point: one run of a sweep. Its key covers everything that its result depends on: the scenario after all overrides,
// traces of arrivals, and the version of ndsim.
struct Point {
    std::vector<std::string> overrides;
    std::string key;
};
[[nodiscard]] std::string key_of(const cli::Loaded& loaded);
// A 128-bit hash of a text in hexadecimal digits.
[[nodiscard]] std::string hash_of(std::string_view text);

// Runs the scenario in this process, which can do so only once. Returns the result: exit code, outcome, metrics,
// ledgers, limits, expectations. A scenario that breaks off gives its exit code and the reason.
[[nodiscard]] nlohmann::ordered_json run_point(const cli::Loaded& loaded);

// The connections of a result whose end by an error nothing expects.
[[nodiscard]] std::uint64_t lost_connections(const nlohmann::ordered_json& result);

// Whether a result with this exit code is the scenario's, and not an accident of this attempt.
[[nodiscard]] bool is_final(int exit);

}  // namespace ndsim::sweep
