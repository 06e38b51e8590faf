// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scenarios/format/scenario.hpp"

namespace ndsim {

// Whether a host's completion queues hold as much as their rings, and not only the depth asked for (B4). NDKPI's never
// do.
[[nodiscard]] inline bool rounds_cq_depths(const Host& host) {
    const Rounding choice = host.node.adapter.rounding;
    const Rounding made = choice != Rounding::by_interface ? choice
                          : host.api == Api::ndspi2        ? Rounding::field
                                                           : Rounding::exact;
    return made == Rounding::field && (host.api == Api::ndspi1 || host.api == Api::ndspi2);
}

}  // namespace ndsim
