// SPDX-License-Identifier: Apache-2.0
#include "tools/advise/safe_depth.hpp"

#include <algorithm>
#include <set>
#include <string>

#include "scenarios/format/connections.hpp"

namespace ndsim::advise {

namespace {

// Adds up the possible outstanding requests of the queue pairs of a completion queue.
class Outstanding {
public:
    Outstanding(const Host& host, std::string_view cq) : host_(host), cq_(cq) {}

    void add(const Traffic& traffic) {
        add_requests(traffic);
        for (std::uint32_t n = 0; n < traffic.queue_pairs; ++n) {
            const QueuePair* const qp = find(Traffic::queue_pair(traffic.to, n));
            if (qp != nullptr) {
                driven_.insert(qp->name);
                const bool receives = traffic.operation == TrafficOperation::send && qp->receive_cq == cq_;
                if (receives && !qp->srq.empty()) {
                    add_shared(qp->srq);
                } else if (receives) {
                    sum_ += traffic.receives != 0 ? traffic.receives : qp->rq.depth;
                }
            }
        }
    }

    // A program may fill its queues.
    void add_programs() {
        for (const QueuePair& qp : host_.qps) {
            if (driven_.contains(qp.name)) {
                continue;
            }
            sum_ += qp.send_cq == cq_ ? qp.sq.depth : 0;
            if (qp.receive_cq == cq_ && qp.srq.empty()) {
                sum_ += qp.rq.depth;
            } else if (qp.receive_cq == cq_) {
                add_shared(qp.srq);
            }
        }
    }

    [[nodiscard]] std::uint64_t sum() const { return sum_; }

private:
    [[nodiscard]] const QueuePair* find(const Endpoint& end) const {
        return end.host == host_.name ? find_queue_pair(host_, end.name) : nullptr;
    }

    // The window counts the generator's outstanding messages on all its queue pairs.
    void add_requests(const Traffic& traffic) {
        std::uint64_t slots = 0;
        for (std::uint32_t n = 0; n < traffic.queue_pairs; ++n) {
            if (const QueuePair* const qp = find(Traffic::queue_pair(traffic.from, n))) {
                driven_.insert(qp->name);
                slots += qp->send_cq == cq_ ? qp->sq.depth : 0;
            }
        }
        sum_ += std::min<std::uint64_t>(slots, traffic.window);
    }

    // Receives of a shared queue complete in the queue of the pair that took them.
    void add_shared(const std::string& srq) {
        if (shared_.insert(srq).second) {
            sum_ += std::ranges::find(host_.srqs, srq, &SharedReceiveQueue::name)->depth;
        }
    }

    const Host& host_;
    std::string_view cq_;
    std::set<std::string> driven_;
    std::set<std::string> shared_;  // queues that count already
    std::uint64_t sum_ = 0;
};

}  // namespace

std::uint64_t most_completions(const Scenario& scenario, const Host& host, std::string_view cq) {
    Outstanding outstanding(host, cq);
    for (const Traffic& traffic : scenario.traffic) {
        outstanding.add(traffic);
    }
    outstanding.add_programs();
    return outstanding.sum();
}

}  // namespace ndsim::advise
