// SPDX-License-Identifier: Apache-2.0
#include "scenarios/format/checks.hpp"
#include "scenarios/format/read.hpp"

namespace ndsim::format {

namespace {

void check_queue(const Host& host, const SharedReceiveQueue& srq, Checker& check) {
    const QueueParams& limits = host.node.nic.queues;
    const std::string path = "hosts." + host.name + ".srqs." + srq.name;
    if (limits.srq.max_depth == 0) {
        check.wrong(path, "the NIC has no shared receive queues", "nic.srq.max_depth of the host is 0");
    } else if (srq.depth > limits.srq.max_depth) {
        check.wrong(path + ".depth", std::to_string(srq.depth) + " is more than nic.srq.max_depth of the host, " +
                                         std::to_string(limits.srq.max_depth));
    }
    if (srq.threshold > srq.depth) {
        check.wrong(path + ".threshold",
                    std::to_string(srq.threshold) + " is more than the depth, " + std::to_string(srq.depth));
    }
    if (srq.max_sge > limits.max_sge) {
        check.wrong(path + ".max_sge", std::to_string(srq.max_sge) + " is more than nic.max_sge of the host, " +
                                           std::to_string(limits.max_sge));
    }
    if (find_named(host.cqs, srq.name) != nullptr) {
        check.wrong(path, "a completion queue of the host has this name", "a wait could mean either");
    }
}

}  // namespace

void check_shared_receive_queues(const Scenario& scenario, Checker& check) {
    for (const Host& host : scenario.hosts) {
        for (const SharedReceiveQueue& srq : host.srqs) {
            check_queue(host, srq, check);
        }
        for (const QueuePair& qp : host.qps) {
            if (!qp.srq.empty() && find_named(host.srqs, qp.srq) == nullptr) {
                check.missing("hosts." + host.name + ".qps." + qp.name + ".srq", "shared receive queue", qp.srq,
                              names_of(host.srqs));
            }
        }
    }
}

}  // namespace ndsim::format
