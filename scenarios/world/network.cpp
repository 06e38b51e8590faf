// SPDX-License-Identifier: Apache-2.0
#include "scenarios/world/network.hpp"

#include <algorithm>

namespace ndsim {

Network::Network(const Scenario& scenario, Timeline& timeline, const std::vector<std::unique_ptr<Node>>& nodes,
                 Ledgers& ledgers, PayloadPool& payloads)
    : scenario_(scenario), timeline_(timeline), nodes_(nodes), ledgers_(ledgers), payloads_(payloads) {
    const Routes routes(scenario);
    for (std::size_t i = 0; i < scenario.switches.size(); ++i) {
        add_switch(i, routes);
    }
    for (std::size_t i = 0; i < scenario.links.size(); ++i) {
        const End a = end_of(i, 0);
        const End b = end_of(i, 1);
        const LinkLane there = add_lane(scenario.links[i], a, b);
        join(a.what, b.what, there, add_lane(scenario.links[i], b, a));
    }
}

// A port has the name of what is at the other end of its link.
void Network::add_switch(std::size_t index, const Routes& routes) {
    const NetworkSwitch& wanted = scenario_.switches[index];
    SwitchWithLinks added;
    std::vector<std::string> ports;
    for (std::size_t i = 0; i < scenario_.links.size(); ++i) {
        const auto& [a, b] = scenario_.links[i].between;
        if (a == wanted.name || b == wanted.name) {
            added.links.push_back(i);
            ports.push_back(a == wanted.name ? b : a);
        }
    }
    added.first_port = switches_.empty() ? nodes_.size() : switches_.back().first_port + switches_.back().links.size();
    added.unit = std::make_unique<Switch>(wanted.name.c_str(), timeline_, wanted.params, ports, ledgers_, payloads_);
    for (std::size_t host = 0; host < scenario_.hosts.size(); ++host) {
        if (const auto link = routes.link_to(index, host)) {
            const auto port = std::ranges::find(added.links, *link) - added.links.begin();
            added.unit->add_way(nodes_[host]->host, static_cast<std::size_t>(port));
        }
    }
    switches_.push_back(std::move(added));
}

Network::End Network::end_of(std::size_t link, std::size_t end) {
    const std::string& name = scenario_.links[link].between.at(end);
    const auto host = std::ranges::find(scenario_.hosts, name, &Host::name);
    if (host != scenario_.hosts.end()) {
        const auto index = static_cast<std::size_t>(host - scenario_.hosts.begin());
        return {name, nodes_[index].get(), index};
    }
    const auto found = std::ranges::find(scenario_.switches, name, &NetworkSwitch::name);
    const SwitchWithLinks& at = switches_[static_cast<std::size_t>(found - scenario_.switches.begin())];
    const auto port = static_cast<std::size_t>(std::ranges::find(at.links, link) - at.links.begin());
    return {name, &at.unit->port(port), at.first_port + port};
}

// One direction of a link, and its faults.
LinkLane Network::add_lane(const Link& link, const End& from, const End& to) {
    const std::string name = lane_name(link, from.name, to.name);
    lanes_.push_back({from.port, to.port,
                      std::make_unique<Cable>(name.c_str(), timeline_, link.params, forward_grain(to.what)), nullptr,
                      arrival_taps(to.what)});
    std::vector<FaultRule> rules;
    for (const Fault& fault : scenario_.faults) {
        if (fault.is_of_packets() && fault.target == from.name && fault.link == link.name) {
            rules.push_back(fault.rule);
        } else if (fault.kind == FaultKind::down && fault.target == link.name) {
            rules.push_back({LinkFault::drop, {}, 1, UINT64_MAX, {}, {}, fault.outage.from, fault.outage.until});
        }
    }
    if (!rules.empty()) {
        lanes_.back().faults = std::make_unique<LaneFaults>((name + "_faults").c_str(), timeline_, link.params.rate,
                                                            std::move(rules), scenario_.seed, payloads_);
    }
    return {*lanes_.back().cable, lanes_.back().faults.get()};
}

std::vector<std::string> Network::switch_ports() const {
    std::vector<std::string> names;
    for (const SwitchWithLinks& each : switches_) {
        for (std::size_t i = 0; i < each.links.size(); ++i) {
            names.emplace_back(each.unit->port(i).name());
        }
    }
    return names;
}

}  // namespace ndsim
