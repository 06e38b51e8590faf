// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "scenarios/forecast/sighting.hpp"

namespace ndsim::forecast {

// The findings of several runs of a scenario. A thing that all have shown alike is certain. `room` is what completion
// queues need; `ends_at_limit`: limits.time ends every run before, so that nothing is certain but an endless wait.
[[nodiscard]] Forecast merged(const std::vector<Story>& stories, const std::map<std::string, std::uint64_t>& room,
                              bool ends_at_limit);

}  // namespace ndsim::forecast
