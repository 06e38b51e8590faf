// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include "tests/reference/program.hpp"

// Steps as operations of a scenario's program.
namespace ndsim::reference {

using Json = nlohmann::ordered_json;

[[nodiscard]] std::string bytes(std::uint64_t count);
[[nodiscard]] std::string qp_name(std::size_t connection);

// A request, under a label.
[[nodiscard]] Json post_json(const Program& program, const Step& step, const std::string& label);
// A poll or a setting.
[[nodiscard]] Json step_json(const Program& program, const Step& step);

}  // namespace ndsim::reference
