// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/format/scenario.hpp"
#include "scenarios/format/values.hpp"

namespace ndsim::format {

// A "post" of a host's program: as many operations as its count.
[[nodiscard]] std::vector<Op> read_post(const Host& host, const Place& place);

// The queue pair of the host that a key names; the default is q0, if there is one.
[[nodiscard]] std::optional<std::string> read_qp(const Host& host, const Place& place, std::string_view key);
// The shared receive queue of the host that a key names.
[[nodiscard]] std::string read_srq(const Host& host, const Place& place, std::string_view key);

}  // namespace ndsim::format
