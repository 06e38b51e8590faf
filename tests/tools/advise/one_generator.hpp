// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scenarios/format/load.hpp"
#include "tests/support/catch.hpp"
#include "tools/advise/dimensions.hpp"

namespace ndsim::test {

// Two hosts, and a generator t from A to B.
inline Scenario scenario(const std::string& traffic) {
    return load_scenario(
        "f", R"({"hosts": {"A": {}, "B": {}}, "traffic": {"t": {"from": "A", "to": "B", )" + traffic + "}}}");
}

// Those of a search for a rate, or for a latency.
inline std::vector<advise::Dimension> dimensions_of(const Scenario& of, bool fills) {
    return advise::dimensions_of(of, {fills, fills, true, false}).all;
}

inline const advise::Dimension& named(const std::vector<advise::Dimension>& dimensions, std::string_view name) {
    for (const advise::Dimension& each : dimensions) {
        if (each.name == name) {
            return each;
        }
    }
    FAIL("no " << name);
    return dimensions.front();
}

}  // namespace ndsim::test
