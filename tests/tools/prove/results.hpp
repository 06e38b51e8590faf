// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tools/prove/figures_of.hpp"

namespace ndsim::prove::test {

// A result with these metrics.
inline Json result(const std::vector<std::pair<std::string, std::uint64_t>>& values) {
    Json json{{"metrics", Json::object()}};
    for (const auto& [name, value] : values) {
        json["metrics"][name] = {{"value", value}};
    }
    return json;
}

// Generators with these shares while all were measured.
inline Results shares(std::uint64_t t, std::uint64_t u) {
    return {result({{"traffic.t.shared_goodput", t},
                    {"traffic.t.bytes", 1000},
                    {"traffic.t.message_rate", 1},
                    {"traffic.u.shared_goodput", u},
                    {"traffic.u.bytes", 1000},
                    {"traffic.u.message_rate", 1}})};
}

}  // namespace ndsim::prove::test
