// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scenarios/format/routes.hpp"
#include "scenarios/result/traffic_ends.hpp"

namespace ndsim {

// LimitUsers: the names of the generators that a part of a scenario's hardware works for.
class LimitUsers {
public:
    using Names = std::vector<std::string>;

    explicit LimitUsers(const Scenario& scenario);

    // The ends of each generator of messages.
    [[nodiscard]] const std::vector<TrafficEnds>& ends() const { return ends_; }
    // Generators that send from or to a host, or do transfers there.
    [[nodiscard]] Names of(const Host& host) const;
    // Generators whose data takes this direction of the host's PCIe. Transfers may go both ways.
    [[nodiscard]] Names of(const Host& host, bool up) const;
    // Generators of Reads that this host posts.
    [[nodiscard]] Names that_read(const Host& host) const;
    // Generators whose data takes this direction of a cable, or passes this switch.
    [[nodiscard]] Names of_lane(std::string_view lane) const;
    [[nodiscard]] Names of(const NetworkSwitch& each) const;
    // Generators of messages whose data ends in this host's memory.
    [[nodiscard]] Names that_end_at(const Host& host) const;

private:
    template <class Uses>
    [[nodiscard]] Names those_that(const Uses& uses) const;
    template <class Uses>
    [[nodiscard]] Names whose_way(const Uses& uses) const;
    void add_transfers(Names& names, const Host& host) const;

    const Scenario& scenario_;
    std::vector<TrafficEnds> ends_;
    std::vector<std::vector<RouteStep>> ways_;  // of the data of each generator
};

}  // namespace ndsim
