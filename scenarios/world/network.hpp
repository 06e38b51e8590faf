// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "models/nic/link_lane.hpp"
#include "models/nic/node.hpp"
#include "models/switch/switch.hpp"
#include "models/wire/cable.hpp"
#include "models/wire/lane_faults.hpp"
#include "scenarios/format/routes.hpp"
#include "scenarios/format/scenario.hpp"

namespace ndsim {

// Network: the switches and cables of a scenario, and how they join its hosts.
class Network {
public:
    // `nodes` are those of the scenario's hosts, in their order.
    Network(const Scenario& scenario, Timeline& timeline, const std::vector<std::unique_ptr<Node>>& nodes,
            Ledgers& ledgers, PayloadPool& payloads);

    // One direction of each link. Ports count from 0: those of the hosts, then those of the switches.
    struct Lane {
        std::size_t from;
        std::size_t to;
        std::unique_ptr<Cable> cable;
        std::unique_ptr<LaneFaults> faults;  // if it has any
        ArrivalTaps& taps;                   // where packets arrive
    };
    [[nodiscard]] std::vector<Lane>& lanes() { return lanes_; }
    // The names of the switches' ports: "s0.A".
    [[nodiscard]] std::vector<std::string> switch_ports() const;

private:
    // An end of a link.
    struct End {
        std::string name;
        CableEnd what;
        std::size_t port = 0;
    };
    void add_switch(std::size_t index, const Routes& routes);
    [[nodiscard]] End end_of(std::size_t link, std::size_t end);
    [[nodiscard]] LinkLane add_lane(const Link& link, const End& from, const End& to);

    const Scenario& scenario_;
    Timeline& timeline_;
    const std::vector<std::unique_ptr<Node>>& nodes_;
    Ledgers& ledgers_;
    PayloadPool& payloads_;
    // A switch, and the links at its ports.
    struct SwitchWithLinks {
        std::unique_ptr<Switch> unit;
        std::vector<std::size_t> links;  // at each of its ports
        std::size_t first_port = 0;
    };
    std::vector<SwitchWithLinks> switches_;
    std::vector<Lane> lanes_;
};

}  // namespace ndsim
