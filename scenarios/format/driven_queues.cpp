// SPDX-License-Identifier: Apache-2.0
#include "scenarios/format/driven_queues.hpp"

#include "scenarios/format/by_name.hpp"
#include "scenarios/format/tree.hpp"

namespace ndsim::format {

DrivenQueues::DrivenQueues(const Scenario& scenario, const Host& host) {
    const ByName<QueuePair> qps(host.qps);
    const auto find_qp = [&](const Endpoint& end, std::uint32_t n) -> const QueuePair* {
        return end.host == host.name ? qps.find(Traffic::queue_pair(end, n).name) : nullptr;
    };
    for (const Traffic& traffic : scenario.traffic) {
        const bool takes_messages = traffic.operation == TrafficOperation::send;
        for (std::uint32_t n = 0; n < traffic.queue_pairs; ++n) {
            if (const QueuePair* const qp = find_qp(traffic.from, n)) {
                add(*qp, traffic.name);
                polled_.emplace(qp->send_cq, traffic.name);
            }
            if (const QueuePair* const qp = find_qp(traffic.to, n)) {
                add(*qp, traffic.name);
                if (takes_messages) {
                    polled_.emplace(qp->receive_cq, traffic.name);
                    if (!qp->srq.empty()) {
                        filled_srqs_.emplace(qp->srq, traffic.name);
                    }
                }
            }
        }
    }
}

void DrivenQueues::add(const QueuePair& qp, const std::string& traffic) {
    driven_qps_.emplace(qp.name, traffic);
    driven_cqs_.emplace(qp.send_cq, traffic);
    driven_cqs_.emplace(qp.receive_cq, traffic);
}

std::string DrivenQueues::find(const ByQueue& queues, const std::string& name) {
    const auto found = queues.find(name);
    return found == queues.end() ? std::string() : found->second;
}

}  // namespace ndsim::format
