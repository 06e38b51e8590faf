// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

namespace ndsim {

// An object with room for this many members: growing copies all of them, as their keys are constant.
[[nodiscard]] inline nlohmann::ordered_json object_for(std::size_t members) {
    auto object = nlohmann::ordered_json::object();
    object.get_ref<nlohmann::ordered_json::object_t&>().reserve(members);
    return object;
}

// Adds a member that the object does not have yet. `object[key]` first searches all members: with thousands of metrics
// or parameters that would cost the square of their number.
inline void append(nlohmann::ordered_json& object, const std::string& key, nlohmann::ordered_json value) {
    object.get_ref<nlohmann::ordered_json::object_t&>().emplace_back(key, std::move(value));
}

}  // namespace ndsim
