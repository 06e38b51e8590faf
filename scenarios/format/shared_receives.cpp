// SPDX-License-Identifier: Apache-2.0
#include "scenarios/format/shared_receives.hpp"

#include <algorithm>

#include "scenarios/format/by_name.hpp"

namespace ndsim {

SharedReceives::SharedReceives(const Scenario& scenario, const Host& host, const std::string& srq) {
    const auto queue = std::ranges::find(host.srqs, srq, &SharedReceiveQueue::name);
    depth_ = queue == host.srqs.end() ? 0 : queue->depth;
    const ByName<QueuePair> qps(host.qps);
    for (const Traffic& traffic : scenario.traffic) {
        const QueuePair* const to = traffic.to.host == host.name ? qps.find(traffic.to.name) : nullptr;
        if (traffic.operation == TrafficOperation::send && to != nullptr && to->srq == srq) {
            generators_.push_back(&traffic);
        }
    }
}

Bytes SharedReceives::largest() const {
    Bytes largest;
    for (const Traffic* const traffic : generators_) {
        largest = std::max(largest, traffic->largest());
    }
    return largest;
}

std::uint64_t SharedReceives::asked() const {
    std::uint64_t sum = 0;
    for (const Traffic* const traffic : generators_) {
        sum += traffic->receives;
    }
    return sum;
}

std::uint64_t SharedReceives::ahead() const {
    std::uint64_t sum = 0;
    for (const Traffic* const traffic : generators_) {
        sum += share_of(*traffic);
    }
    return sum;
}

std::uint64_t SharedReceives::share_of(const Traffic& traffic) const {
    if (traffic.receives != 0) {
        return traffic.receives;
    }
    const auto open = static_cast<std::uint64_t>(std::ranges::count(generators_, 0U, &Traffic::receives));
    return depth_ > asked() ? (depth_ - asked()) / open : 0;
}

}  // namespace ndsim
