// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "scenarios/format/scenario.hpp"

namespace ndsim::format {

// DrivenQueues: the queues of a host that traffic uses.
class DrivenQueues {
public:
    DrivenQueues(const Scenario& scenario, const Host& host);

    // The traffic that drives a queue pair or a completion queue, that polls a completion queue, or that posts to a
    // shared receive queue; empty: none.
    [[nodiscard]] std::string driver_of_qp(const std::string& qp) const { return find(driven_qps_, qp); }
    [[nodiscard]] std::string driver_of_cq(const std::string& cq) const { return find(driven_cqs_, cq); }
    [[nodiscard]] std::string poller_of(const std::string& cq) const { return find(polled_, cq); }
    [[nodiscard]] std::string poster_to(const std::string& srq) const { return find(filled_srqs_, srq); }

private:
    using ByQueue = std::map<std::string, std::string>;

    void add(const QueuePair& qp, const std::string& traffic);
    [[nodiscard]] static std::string find(const ByQueue& queues, const std::string& name);

    ByQueue driven_qps_;
    ByQueue driven_cqs_;
    ByQueue polled_;
    ByQueue filled_srqs_;
};

}  // namespace ndsim::format
