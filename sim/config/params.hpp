// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/config/field_lister.hpp"
#include "sim/config/json.hpp"
#include "sim/config/param.hpp"
#include "sim/config/problems.hpp"

namespace ndsim {

// Sets these parameters from the JSON object at `path`, whose keys `own_keys` the caller reads. Everything wrong is
// added to `problems`; valid parameters are set all the same.
void read_params(std::span<Param> params, const JsonNode& object, const std::string& path, Problems& problems,
                 std::span<const std::string_view> own_keys = {});
template <HasFields S>
void read_params(S& s, const JsonNode& object, const std::string& path, Problems& problems,
                 std::span<const std::string_view> own_keys = {}) {
    std::vector<Param> params = params_of(s, path);
    read_params(params, object, path, problems, own_keys);
}

}  // namespace ndsim
