// SPDX-License-Identifier: Apache-2.0
#include "scenarios/format/checks.hpp"
#include "scenarios/format/driven_queues.hpp"
#include "scenarios/format/read.hpp"
#include "scenarios/format/shared_receives.hpp"

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

void check_share(const SharedReceives& shared, const Traffic& traffic, const std::string& queue, Checker& check) {
    const std::string path = "traffic." + traffic.name;
    const std::string depth =
        "hosts." + traffic.to.host + ".srqs." + queue + ".depth, " + std::to_string(shared.depth());
    if (traffic.credits && check.is_said(path + ".credits") && check.is_sound(path + ".credits")) {
        check.wrong(path + ".credits", "the receives of " + traffic.to.text() + " come from shared receive queue " +
                                           queue + ", where another message may take them");
    }
    if (shared.asked() <= shared.depth() && shared.share_of(traffic) == 0 && check.is_sound(path + ".to")) {
        check.wrong(path + ".to", "no receive is left for this generator: " +
                                      std::to_string(shared.generators().size()) + " generators share " + depth);
    }
    const bool is_last = shared.generators().back() == &traffic;
    if (is_last && shared.asked() > shared.depth() && check.is_sound(path + ".receives")) {
        check.wrong(path + ".receives", "with those of the other generators " + std::to_string(shared.asked()) +
                                            " receives are posted ahead, more than " + depth);
    }
}

void check_generators(const Scenario& scenario, const Host& host, const SharedReceiveQueue& srq, Checker& check) {
    const SharedReceives shared(scenario, host, srq.name);
    if (shared.generators().empty()) {
        return;
    }
    for (const Traffic* const traffic : shared.generators()) {
        check_share(shared, *traffic, srq.name, check);
    }
    const DrivenQueues driven(scenario, host);
    for (const QueuePair& qp : host.qps) {
        if (qp.srq == srq.name && driven.driver_of_qp(qp.name).empty()) {
            check.wrong("hosts." + host.name + ".qps." + qp.name + ".srq",
                        "traffic " + shared.generators().back()->name + " posts receives to " + srq.name +
                            ", so all queue pairs with it need traffic");
        }
    }
}

}  // namespace

void check_shared_receive_queues(const Scenario& scenario, Checker& check) {
    for (const Host& host : scenario.hosts) {
        for (const SharedReceiveQueue& srq : host.srqs) {
            check_queue(host, srq, check);
            check_generators(scenario, host, srq, check);
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
