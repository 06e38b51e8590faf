// SPDX-License-Identifier: Apache-2.0
#include "scenarios/record/status_log.hpp"

#include <algorithm>

namespace ndsim {

// Cores run ahead of each other, so the order in which their statuses were added is not that of their times.
std::vector<GivenStatus> StatusLog::kept() const {
    std::vector<GivenStatus> sorted = kept_;
    if (!is_whole()) {
        std::erase_if(sorted, [](const GivenStatus& given) { return given.status == STATUS_SUCCESS; });
    }
    std::ranges::stable_sort(sorted, {}, [](const GivenStatus& given) { return given.when.end; });
    return sorted;
}

}  // namespace ndsim
