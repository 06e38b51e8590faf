// SPDX-License-Identifier: Apache-2.0
#include "scenarios/world/world.hpp"

#include <algorithm>

#include "models/dma/dma_generator.hpp"
#include "models/pcie/pcie_link.hpp"
#include "ndapi/core/cm_router.hpp"
#include "ndapi/core/cq.hpp"
#include "ndapi/core/cq_depth.hpp"
#include "ndapi/core/node_device.hpp"
#include "scenarios/format/cq_rounding.hpp"

namespace ndsim {

namespace {

constexpr std::uint32_t kFirstAddress = 0x0A00'0001;  // 10.0.0.1

void collect(const std::vector<sc_core::sc_object*>& objects, std::vector<Unit*>& units) {
    for (sc_core::sc_object* const object : objects) {
        if (auto* const unit = dynamic_cast<Unit*>(object)) {
            units.push_back(unit);
        }
        collect(object->get_child_objects(), units);
    }
}

// Every CQ that a queue pair uses, declared or not.
std::set<std::string> cq_names(const Host& host) {
    std::set<std::string> names;
    for (const QueuePair& qp : host.qps) {
        names.insert({qp.send_cq, qp.receive_cq});
    }
    return names;
}

// A queue is counted up to its largest depth: completion queues change by ResizeOp, shared ones by ModifySrqOp.
template <class Change>
void grow_to_changes(const std::vector<Op>& ops, const std::string& queue, std::string Change::*named,
                     std::uint32_t& depth) {
    for_each_op_of<Change>(ops, [&](const Change& change) {
        if (change.*named == queue) {
            depth = std::max(depth, change.depth);
        }
    });
}

// The peer of each queue pair that set-up connects. One side of each pair names the other.
using Peers = std::map<Endpoint, const QueuePair*>;

Peers peers_in(const Scenario& scenario) {
    Peers named;
    for (const Host& host : scenario.hosts) {
        for (const QueuePair& qp : host.qps) {
            named[{host.name, qp.name}] = &qp;
        }
    }
    Peers peers;
    for (const Host& host : scenario.hosts) {
        for (const QueuePair& qp : host.qps) {
            const auto peer = named.find(qp.connect);
            if (peer != named.end() && !qp.by_programs && !peer->second->by_programs) {
                peers[{host.name, qp.name}] = peer->second;
                peers[peer->first] = &qp;
            }
        }
    }
    return peers;
}

// The provider sizes the queues of a socket, and no parameter does. A socket that connects again gets new ones, which
// the same watch counts.
QpWatch::Depths depths_of(const QueuePair& qp, const Host& host, const Peers& peers) {
    QpWatch::Depths depths{qp.sq.depth,       qp.rq.depth,      host.node.nic.transport.psn_window,
                           qp.outbound_reads, qp.inbound_reads, host.node.nic.wqe.rq_prefetch};
    if (host.api == Api::wsd) {
        depths.sq = depths.rq = depths.outbound_reads = depths.inbound_reads = Pool::kUnlimited;
        return depths;
    }
    if (const auto found = peers.find({host.name, qp.name}); found != peers.end()) {
        const QueuePair* const peer = found->second;
        depths.outbound_reads = std::min(qp.outbound_reads, peer->inbound_reads);
        depths.inbound_reads = std::min(qp.inbound_reads, peer->outbound_reads);
    }
    return depths;
}

SoftwareNames names_of(const Host& host, const Scenario& scenario, const Peers& peers, bool with_threads) {
    SoftwareNames names;
    names.cores = {std::string(kMainCore), std::string(kCallbackCore)};
    for (std::size_t i = 0; with_threads && i < kThreads; ++i) {
        names.cores.push_back(thread_core(i));
    }
    for (const Traffic& traffic : scenario.traffic) {
        if (traffic.from.host == host.name || traffic.to.host == host.name) {
            names.cores.push_back(traffic_core(traffic));
        }
    }
    for (const QueuePair& qp : host.qps) {
        names.qps.push_back({qp.name, depths_of(qp, host, peers)});
    }
    for (const SharedReceiveQueue& srq : host.srqs) {
        std::uint32_t depth = srq.depth;
        if (host.program) {
            grow_to_changes(host.program->ops, srq.name, &ModifySrqOp::srq, depth);
        }
        names.srqs.push_back({srq.name, {depth, host.node.nic.wqe.rq_prefetch}});
    }
    for (const std::string& cq : cq_names(host)) {
        if (host.api == Api::wsd) {
            names.cqs.push_back({cq, {}});
            continue;
        }
        std::uint32_t depth = cq_depth(host, cq);
        depth = rounds_cq_depths(host) ? core::field_cq_depth(depth) : depth;
        if (host.program) {
            grow_to_changes(host.program->ops, cq, &ResizeOp::cq, depth);
        }
        names.cqs.push_back({cq, {depth}});
    }
    return names;
}

std::string dma_unit(const std::string& load) {
    return "dma_" + load;
}

std::vector<DmaDevice> dma_devices_of(const Host& host, const Scenario& scenario) {
    std::vector<DmaDevice> devices;
    for (const DmaLoad& load : scenario.dma) {
        if (load.host == host.name) {
            devices.push_back({dma_unit(load.name), load.params, scenario.seed});
        }
    }
    return devices;
}

}  // namespace

std::string traffic_core(const Traffic& traffic) {
    return "cpu_" + traffic.name;
}

std::string thread_core(std::size_t thread) {
    return "cpu_t" + std::to_string(thread);
}

std::vector<Unit*> all_units() {
    std::vector<Unit*> units;
    collect(sc_core::sc_get_top_level_objects(), units);
    return units;
}

World::World(const Scenario& scenario, RunControl& control, const std::set<std::string>& with_threads)
    // No host can have a name with brackets.
    : scenario_(scenario),
      payloads_(scenario.payload),
      ledgers_(scenario.hosts.size()),
      timeline_("(timeline)", control),
      stalls_("(stalls)", timeline_) {
    const Peers peers = peers_in(scenario);
    for (std::size_t i = 0; i < scenario.hosts.size(); ++i) {
        const Host& host = scenario.hosts[i];
        indices_.emplace(host.name, i);
        nodes_.push_back(std::make_unique<Node>(
            host.name.c_str(), timeline_, HostId{static_cast<std::uint16_t>(i)}, host.node, ledgers_, payloads_,
            names_of(host, scenario, peers, with_threads.contains(host.name)), dma_devices_of(host, scenario)));
        Node& node = *nodes_.back();
        drivers_.push_back(std::make_unique<core::Driver>(
            std::make_unique<core::NodeDevice>(node), node.running, node.core(kCallbackCore), ledgers_.of(node.host),
            scenario.profile, kFirstAddress + static_cast<std::uint32_t>(i),
            core::QueueWatches{&node.qps.others, &node.cqs.others, &node.srqs.others}));
    }
    for (const std::string& host : with_threads) {
        for (std::size_t i = 0; i < kThreads; ++i) {
            node(host).core(thread_core(i)).run_threads_later();
        }
    }
    for (const Host& host : scenario.hosts) {
        driver(host.name).seed(scenario.seed, host.name);
        for (const auto& core : node(host.name).cores) {
            if (core->basename() != kCallbackCore) {  // callbacks are neither preempted nor do they spin
                core->set_jitter(HostJitter(host.node.cpu, scenario.seed, core->name()));
            }
        }
    }
    add_outages();
    network_ = std::make_unique<Network>(scenario, timeline_, nodes_, ledgers_, payloads_);
    add_neighbours();
}

// SystemC finds the ports and processes of a module quickest if the last module made goes first.
World::~World() {
    network_.reset();
    drivers_.clear();
    while (!nodes_.empty()) {
        nodes_.pop_back();
    }
}

void World::add_neighbours() {
    const Routes routes(scenario_);
    for (const Host& host : scenario_.hosts) {
        core::CmRouter& connections = driver(host.name).connections();
        for (const Host& other : scenario_.hosts) {
            if (routes.joined(host.name, other.name)) {
                connections.add_neighbour(ip_address(other.name), node(other.name).host);
            }
        }
    }
}

void World::add_outages() {
    for (const Fault& fault : scenario_.faults) {
        const Interval span{fault.outage.from, fault.outage.until};
        if (fault.kind == FaultKind::freeze) {
            for (const auto& core : node(fault.target).cores) {
                core->freeze(span);
            }
        } else if (fault.kind == FaultKind::stall) {
            stalls_.add(span, *node(fault.target).pcie);
        }
    }
}

std::size_t World::index_of(std::string_view host) const {
    const auto found = indices_.find(host);
    return found == indices_.end() ? nodes_.size() : found->second;
}

DmaGenerator& World::dma_generator(std::string_view host, const std::string& name) {
    const auto& generators = node(host).dma_generators;
    return **std::ranges::find_if(
        generators, [unit = dma_unit(name)](const auto& generator) { return generator->basename() == unit; });
}
std::uint32_t World::ip_address(std::string_view host) const {
    const std::size_t index = index_of(host);
    return index < nodes_.size() ? kFirstAddress + static_cast<std::uint32_t>(index) : 0;
}

}  // namespace ndsim
