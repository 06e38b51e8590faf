// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "tests/support/catch.hpp"
#include "tests/support/child.hpp"

// What tests of the limits of whole runs have in common.
namespace ndsim::test {

using SeenLimit = ChildResult::SeenLimit;

inline ChildResult run_bound(const std::string& traffic, const std::vector<std::string>& overrides = {}) {
    return finish_text(R"({"hosts": {"A": {}, "B": {}}, "traffic": {"t": {"from": "A", "to": "B", )" + traffic + "}}}",
                       overrides);
}

inline void shows(const ChildResult& run) {
    for (const SeenLimit& limit : run.limits) {
        UNSCOPED_INFO(limit.kind << " " << limit.what << " " << limit.share_ppm << " " << limit.parameter << " = "
                                 << limit.value << ", " << limit.basis);
    }
}

inline bool has(const ChildResult& run, const std::string& what) {
    return std::ranges::any_of(run.limits, [&](const SeenLimit& limit) { return limit.what == what; });
}

inline const std::string kWrites = R"("operation": "write", "size": "64 B", "count": 2000, )";

}  // namespace ndsim::test
