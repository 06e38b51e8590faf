// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "tools/advise/points.hpp"

namespace ndsim::advise {

// The range in which each dimension is searched; completion queues stay roomy.
[[nodiscard]] inline std::vector<Span> spans_of(const std::vector<Dimension>& dimensions) {
    std::vector<Span> spans;
    spans.reserve(dimensions.size());
    for (const Dimension& each : dimensions) {
        spans.push_back(each.breaks == Break::overrun ? Span{kRoomy, kRoomy} : Span{each.low, each.generous});
    }
    return spans;
}

}  // namespace ndsim::advise
