// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/format/scenario.hpp"

namespace ndsim {

// The name of one direction of a link, as in metrics.
[[nodiscard]] std::string lane_name(const Link& link, std::string_view from, std::string_view to);

// One direction of a link, on the way from a host to another.
struct RouteStep {
    const Link* link;
    std::string from;
    std::string to;
    [[nodiscard]] std::string lane() const { return lane_name(*link, from, to); }
};

// Routes: how packets get from host to host. A route has as few links as possible; if a switch has a choice, it takes
// the link that the file lists first. Only switches forward.
class Routes {
public:
    // Links to unknown ends are left out.
    explicit Routes(const Scenario& scenario);

    // Whether packets of one host reach the other.
    [[nodiscard]] bool joined(std::string_view host, std::string_view other) const;
    // Whether packets of this host reach another, or those of the switch any host.
    [[nodiscard]] bool reaches_a_host(std::string_view host_or_switch) const;
    // The link on which a switch sends packets to a host, both by index.
    [[nodiscard]] std::optional<std::size_t> link_to(std::size_t of_switch, std::size_t host) const;

    // The steps from one host to another, in the order of a packet's way; none if they are not joined.
    [[nodiscard]] std::vector<RouteStep> way(std::string_view host, std::string_view other) const;
    // The steps of a generator's payload: from the peer, if it reads.
    [[nodiscard]] std::vector<RouteStep> way_of_payload(const Traffic& traffic) const;

private:
    // A link of a node, and its other end. Hosts come first, then switches.
    struct Joint {
        std::size_t link = 0;
        std::size_t other = 0;
    };
    [[nodiscard]] std::optional<std::size_t> node_of(std::string_view name) const;
    void measure(std::size_t host);
    // The link of a node that leads to the host, or nullptr.
    [[nodiscard]] const Joint* next(std::size_t node, std::size_t host) const;

    const Scenario& scenario_;
    std::map<std::string_view, std::size_t> nodes_;              // by name; the first one of two
    std::vector<std::vector<Joint>> joints_;                     // of each node, in the order of the file
    std::vector<std::vector<std::optional<std::size_t>>> hops_;  // by host and node: links from the node to the host
};

}  // namespace ndsim
