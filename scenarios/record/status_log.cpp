// SPDX-License-Identifier: Apache-2.0
#include "scenarios/record/status_log.hpp"

#include <algorithm>

namespace ndsim {

void StatusLog::name_queues(const std::function<std::string(HostId, QpNum)>& name_of) {
    for (GivenStatus& given : kept_) {
        if (given.queue.empty()) {
            given.queue = name_of(given.host, given.qp);
        }
    }
}

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
