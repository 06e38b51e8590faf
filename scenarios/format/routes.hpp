// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "scenarios/format/scenario.hpp"

namespace ndsim {

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

private:
    // A link of a node, and its other end. Hosts come first, then switches.
    struct Joint {
        std::size_t link = 0;
        std::size_t other = 0;
    };
    [[nodiscard]] std::optional<std::size_t> node_of(std::string_view name) const;
    void measure(std::size_t host);

    const Scenario& scenario_;
    std::map<std::string_view, std::size_t> nodes_;              // by name; the first one of two
    std::vector<std::vector<Joint>> joints_;                     // of each node, in the order of the file
    std::vector<std::vector<std::optional<std::size_t>>> hops_;  // by host and node: links from the node to the host
};

}  // namespace ndsim
