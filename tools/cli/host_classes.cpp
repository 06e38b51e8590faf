// SPDX-License-Identifier: Apache-2.0
#include "tools/cli/host_classes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "scenarios/format/connections.hpp"
#include "scenarios/format/routes.hpp"
#include "sim/config/params.hpp"

namespace ndsim::cli {

namespace {

constexpr std::size_t kLeastReceivers = 3;  // in a class

template <class S>
std::string values_of(S s) {
    std::string text;
    for (const Param& param : params_of(s, "")) {
        text += param.path() + "=" + param.current() + ";";
    }
    return text;
}

// How many ends of queue pairs a completion queue has.
std::ptrdiff_t users_of(const Host& host, const std::string& cq) {
    return std::ranges::count(host.qps, cq, &QueuePair::send_cq) +
           std::ranges::count(host.qps, cq, &QueuePair::receive_cq);
}

// The properties of a queue pair and its completion and receive queues, without their names.
std::string values_of_end(const Scenario& scenario, const Endpoint& end) {
    const Host& host = host_at(scenario, end);
    const QueuePair* const qp = find_queue_pair(host, end.name);
    if (qp == nullptr) {
        return {};
    }
    std::string text = values_of(*qp);
    for (const std::string& name : {qp->send_cq, qp->receive_cq}) {
        const auto cq = std::ranges::find(host.cqs, name, &CompletionQueue::name);
        text += fmt::format("{} users of {}", users_of(host, name), cq == host.cqs.end() ? "its own;" : values_of(*cq));
    }
    if (!qp->srq.empty()) {
        const auto srq = std::ranges::find(host.srqs, qp->srq, &SharedReceiveQueue::name);
        text += fmt::format("{} sharing {}", std::ranges::count(host.qps, qp->srq, &QueuePair::srq),
                            srq == host.srqs.end() ? "" : values_of(*srq));
    }
    return text;
}

std::string values_of_fault(const Fault& fault) {
    std::string text(kFaultKindNames.at(static_cast<std::size_t>(fault.kind)));
    if (!fault.is_of_packets()) {
        return text + " " + values_of(fault.outage);
    }
    const std::optional<Opcode> only = fault.rule.opcode;
    return text + " " + values_of(fault.rule) + (only ? fmt::format("opcode={};", static_cast<int>(*only)) : "");
}

// The faults of a host or switch, of its links, and of packets that others send on these.
std::string values_of_faults(const Scenario& scenario, const std::string& node) {
    std::string text;
    for (const Fault& fault : scenario.faults) {
        const std::string& name = fault.kind == FaultKind::down ? fault.target : fault.link;
        const auto link = std::ranges::find(scenario.links, name, &Link::name);
        const bool is_on_its_link = link != scenario.links.end() && link->joins(node);
        if (is_on_its_link || fault.target == node) {
            text += (is_on_its_link ? "link" : "") + std::string(fault.target == node ? " from it " : " ") +
                    values_of_fault(fault);
        }
    }
    return text;
}

// The DMA loads of a host, without their names.
std::string values_of_dma(const Scenario& scenario, const Host& host) {
    std::string text;
    for (const DmaLoad& load : scenario.dma) {
        text += load.host == host.name ? "dma " + values_of(load.params) : "";
    }
    return text;
}

std::string values_of_host(const Scenario& scenario, const Host& host) {
    return "host " + values_of(host.node) + std::string(kApiNames.at(static_cast<std::size_t>(host.api))) +
           values_of_faults(scenario, host.name) + values_of_dma(scenario, host) +
           (host.program ? "with the program of " + host.name : "");  // like no other
}

std::string values_of_traffic(const Traffic& traffic) {
    std::string text = values_of(traffic);
    for (const Bytes size : traffic.sizes) {
        text += fmt::format("{} ", size.count);
    }
    text += ";";
    for (const Bytes size : traffic.sgl) {
        text += fmt::format("{} ", size.count);
    }
    text += ";";
    for (const std::uint32_t weight : traffic.weights) {
        text += fmt::format("{} ", weight);
    }
    return text + ";" + traffic.trace;
}

// Numbers for texts: the same for equal ones.
class Numbers {
public:
    std::size_t of(const std::string& text) { return numbers_.try_emplace(text, numbers_.size()).first->second; }
    [[nodiscard]] std::size_t count() const { return numbers_.size(); }

private:
    std::map<std::string, std::size_t> numbers_;
};

// The links and generators of a scenario as a graph, whose nodes are coloured: nodes that differ in anything have
// different colours.
class Graph {
public:
    explicit Graph(const Scenario& scenario) {
        for (const Host& host : scenario.hosts) {
            add(host.name, values_of_host(scenario, host));
        }
        for (const NetworkSwitch& each : scenario.switches) {
            add(each.name, "switch " + values_of(each.params) + values_of_faults(scenario, each.name));
        }
        std::map<const Link*, std::size_t> links;
        for (const Link& link : scenario.links) {
            const std::size_t kind = kinds_.of(values_of(link.params));
            links[&link] = kind;
            join(link.between[0], link.between[1], kind);
            join(link.between[1], link.between[0], kind);
        }
        const Routes routes(scenario);
        for (const Traffic& traffic : scenario.traffic) {
            std::string values = generator_values(scenario, traffic);
            for (const RouteStep& step : routes.way(traffic.from.host, traffic.to.host)) {
                values += fmt::format(" over {}", links.at(step.link));
            }
            join(traffic.from.host, traffic.to.host, kinds_.of("to " + values));
            join(traffic.to.host, traffic.from.host, kinds_.of("from " + values));
            nodes_[places_.at(traffic.to.host)].receives = true;
        }
        do {
            colour();
        } while (part_few_receivers());
    }

    // The first node of each node's colour.
    [[nodiscard]] std::map<std::string, std::string, std::less<>> first_ones() const {
        std::map<std::size_t, std::string> firsts;
        std::map<std::string, std::string, std::less<>> all;
        for (const Node& node : nodes_) {
            all[node.name] = firsts.try_emplace(node.colour, node.name).first->second;
        }
        return all;
    }

private:
    // A host or a switch.
    struct Node {
        std::string name;
        std::string values;
        bool receives = false;
        std::vector<std::pair<std::size_t, std::size_t>> edges{};  // kind, place of the other node
        std::size_t colour = 0;
    };

    void add(const std::string& name, std::string values) {
        places_[name] = nodes_.size();
        nodes_.push_back({name, std::move(values)});
    }
    void join(const std::string& one, const std::string& other, std::size_t kind) {
        nodes_[places_.at(one)].edges.emplace_back(kind, places_.at(other));
    }

    // Nodes of one colour get different ones if their edges, or the colours at the other ends, differ; until none do.
    void colour() {
        std::size_t before = 0;
        Numbers first;
        for (Node& node : nodes_) {
            node.colour = first.of(node.values);
        }
        for (std::size_t count = first.count(); count > before;) {
            Numbers next;
            std::vector<std::size_t> colours;
            for (const Node& node : nodes_) {
                colours.push_back(next.of(surroundings(node)));
            }
            for (std::size_t i = 0; i < nodes_.size(); ++i) {
                nodes_[i].colour = colours[i];
            }
            before = std::exchange(count, next.count());
        }
    }

    [[nodiscard]] std::string surroundings(const Node& node) const {
        std::vector<std::pair<std::size_t, std::size_t>> ends;
        for (const auto& [kind, other] : node.edges) {
            ends.emplace_back(kind, nodes_[other].colour);
        }
        std::ranges::sort(ends);
        std::string text = fmt::format("{}:", node.colour);
        for (const auto& [kind, other] : ends) {
            text += fmt::format(" {}-{}", kind, other);
        }
        return text;
    }

    // Makes the receivers of small classes differ. True if there were any.
    bool part_few_receivers() {
        std::map<std::size_t, std::vector<Node*>> classes;
        for (Node& node : nodes_) {
            classes[node.colour].push_back(&node);
        }
        bool any = false;
        for (const auto& [colour, nodes] : classes) {
            if (nodes.size() > 1 && nodes.size() < kLeastReceivers && nodes.front()->receives) {
                any = true;
                for (Node* const node : nodes) {
                    node->values += node->name;
                }
            }
        }
        return any;
    }

    std::vector<Node> nodes_;
    std::map<std::string, std::size_t> places_;
    Numbers kinds_;
};

}  // namespace

HostClasses::HostClasses(const Scenario& scenario) : first_(Graph(scenario).first_ones()) {}

std::string generator_values(const Scenario& scenario, const Traffic& traffic) {
    return values_of_traffic(traffic) + values_of_end(scenario, traffic.from) + values_of_end(scenario, traffic.to);
}

}  // namespace ndsim::cli
