// SPDX-License-Identifier: Apache-2.0
#include "scenarios/format/routes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>

namespace ndsim {

std::string lane_name(const Link& link, std::string_view from, std::string_view to) {
    return fmt::format("{}_{}_to_{}", link.name, from, to);
}

Routes::Routes(const Scenario& scenario) : scenario_(scenario) {
    for (const Host& host : scenario.hosts) {
        nodes_.try_emplace(host.name, joints_.size());
        joints_.emplace_back();
    }
    for (const NetworkSwitch& each : scenario.switches) {
        nodes_.try_emplace(each.name, joints_.size());
        joints_.emplace_back();
    }
    for (std::size_t i = 0; i < scenario.links.size(); ++i) {
        const auto a = node_of(scenario.links[i].between[0]);
        const auto b = node_of(scenario.links[i].between[1]);
        if (a && b && *a != *b) {
            joints_[*a].push_back({i, *b});
            joints_[*b].push_back({i, *a});
        }
    }
    for (std::size_t host = 0; host < scenario.hosts.size(); ++host) {
        measure(host);
    }
}

std::optional<std::size_t> Routes::node_of(std::string_view name) const {
    const auto node = nodes_.find(name);
    return node == nodes_.end() ? std::nullopt : std::optional(node->second);
}

// Visits the nearest nodes first.
void Routes::measure(std::size_t host) {
    std::vector<std::optional<std::size_t>>& hops = hops_.emplace_back(joints_.size());
    hops[host] = 0;
    std::deque<std::size_t> next{host};
    while (!next.empty()) {
        const std::size_t node = next.front();
        next.pop_front();
        if (node != host && node < scenario_.hosts.size()) {
            continue;  // a host forwards nothing
        }
        for (const Joint& joint : joints_[node]) {
            if (!hops[joint.other]) {
                hops[joint.other] = *hops[node] + 1;
                next.push_back(joint.other);
            }
        }
    }
}

bool Routes::joined(std::string_view host, std::string_view other) const {
    const auto a = node_of(host);
    const auto b = node_of(other);
    return a && b && *a != *b && *b < hops_.size() && hops_[*b][*a].has_value();
}

bool Routes::reaches_a_host(std::string_view host_or_switch) const {
    const auto node = node_of(host_or_switch);
    for (std::size_t host = 0; node && host < hops_.size(); ++host) {
        if (host != *node && hops_[host][*node]) {
            return true;
        }
    }
    return false;
}

const Routes::Joint* Routes::next(std::size_t node, std::size_t host) const {
    const std::vector<std::optional<std::size_t>>& hops = hops_[host];
    const auto nearer = std::ranges::find_if(joints_[node], [&](const Joint& joint) {
        return hops[node] && hops[joint.other] && *hops[joint.other] + 1 == *hops[node];
    });
    return nearer == joints_[node].end() ? nullptr : &*nearer;
}

std::optional<std::size_t> Routes::link_to(std::size_t of_switch, std::size_t host) const {
    const Joint* const joint = next(scenario_.hosts.size() + of_switch, host);
    return joint == nullptr ? std::nullopt : std::optional(joint->link);
}

std::vector<RouteStep> Routes::way(std::string_view host, std::string_view other) const {
    std::vector<RouteStep> steps;
    std::size_t at = node_of(host).value();
    const std::size_t end = node_of(other).value();
    std::string from(host);
    while (const Joint* const joint = next(at, end)) {
        const Link& link = scenario_.links[joint->link];
        const std::string& to = link.between.at(link.between[0] == from ? 1 : 0);
        steps.push_back({&link, from, to});
        from = to;
        at = joint->other;
    }
    return steps;
}

std::vector<RouteStep> Routes::way_of_payload(const Traffic& traffic) const {
    return traffic.operation == TrafficOperation::read ? way(traffic.to.host, traffic.from.host)
                                                       : way(traffic.from.host, traffic.to.host);
}

}  // namespace ndsim
