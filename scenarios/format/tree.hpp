// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/nearest_name.hpp"
#include "sim/config/json.hpp"

namespace ndsim::format {

// Paths through a file's tree, such as programs.A[2].sgl[0].size.

[[nodiscard]] std::string below(const std::string& path, std::string_view key);
[[nodiscard]] std::string element(const std::string& path, std::size_t index);

// One step down: a key, otherwise an index.
struct Step {
    std::string key;
    std::optional<std::size_t> index;
};
[[nodiscard]] std::vector<Step> steps_of(std::string_view path);

[[nodiscard]] const JsonNode* find_path(const JsonNode& root, std::string_view path);
// The position of the value at the path; if it is not there, that of the innermost one around it.
[[nodiscard]] Position place_of(const JsonNode& root, std::string_view path);

// The value of a key, which is added if missing.
[[nodiscard]] JsonNode& member_of(JsonNode& object, std::string_view key, Position at);

// The probable meaning. Something is always near a name of one or two characters, so that case alone may differ there.
template <class Names>
[[nodiscard]] std::optional<std::string> suggestion(std::string_view name, const Names& known) {
    const auto meant = nearest(name, known);
    return name.size() < 3 && meant && lower_case(*meant) != lower_case(name) ? std::nullopt : meant;
}

// A message such as: there is no buffer "xt" on host A; did you mean "tx"?
struct Absence {
    std::string message;
    std::string hint;
};
[[nodiscard]] Absence no_such(std::string_view kind, std::string_view name, const std::vector<std::string>& known,
                              const std::string& where = {});

}  // namespace ndsim::format
