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

    // The traffic that drives a queue pair or a completion queue, or that polls a completion queue; empty: none.
    [[nodiscard]] std::string driver_of(const std::string& queue) const { return find(driven_, queue); }
    [[nodiscard]] std::string poller_of(const std::string& cq) const { return find(polled_, cq); }

private:
    using ByQueue = std::map<std::string, std::string>;

    void add(const QueuePair& qp, const std::string& polled_cq, const std::string& traffic);
    [[nodiscard]] static std::string find(const ByQueue& queues, const std::string& name);

    ByQueue driven_;
    ByQueue polled_;
};

}  // namespace ndsim::format
