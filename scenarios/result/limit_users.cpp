// SPDX-License-Identifier: Apache-2.0
#include "scenarios/result/limit_users.hpp"

#include <algorithm>

namespace ndsim {

LimitUsers::LimitUsers(const Scenario& scenario) : scenario_(scenario) {
    const Routes routes(scenario);
    for (const Traffic& traffic : scenario.traffic) {
        ends_.emplace_back(scenario, traffic);
        ways_.push_back(routes.way_of_payload(traffic));
    }
}

LimitUsers::Names LimitUsers::of(const Host& host) const {
    Names names = those_that([&](const TrafficEnds& ends) { return &ends.from == &host || &ends.to == &host; });
    add_transfers(names, host);
    return names;
}

LimitUsers::Names LimitUsers::of(const Host& host, bool up) const {
    Names names = those_that([&](const TrafficEnds& ends) { return &(up ? ends.sink : ends.source) == &host; });
    add_transfers(names, host);
    return names;
}

LimitUsers::Names LimitUsers::that_read(const Host& host) const {
    Names names;
    for (const Traffic& traffic : scenario_.traffic) {
        if (traffic.operation == TrafficOperation::read && traffic.from.host == host.name) {
            names.push_back(name_of(traffic));
        }
    }
    return names;
}

LimitUsers::Names LimitUsers::of_lane(std::string_view lane) const {
    return whose_way([&](const RouteStep& step) { return step.lane() == lane; });
}

LimitUsers::Names LimitUsers::of(const NetworkSwitch& each) const {
    return whose_way([&](const RouteStep& step) { return step.to == each.name; });
}

LimitUsers::Names LimitUsers::that_end_at(const Host& host) const {
    return those_that([&](const TrafficEnds& ends) { return &ends.sink == &host; });
}

template <class Uses>
LimitUsers::Names LimitUsers::those_that(const Uses& uses) const {
    Names names;
    for (std::size_t i = 0; i < ends_.size(); ++i) {
        if (uses(ends_[i])) {
            names.push_back(name_of(scenario_.traffic[i]));
        }
    }
    return names;
}

template <class Uses>
LimitUsers::Names LimitUsers::whose_way(const Uses& uses) const {
    Names names;
    for (std::size_t i = 0; i < ways_.size(); ++i) {
        if (std::ranges::any_of(ways_[i], uses)) {
            names.push_back(name_of(scenario_.traffic[i]));
        }
    }
    return names;
}

void LimitUsers::add_transfers(Names& names, const Host& host) const {
    for (const DmaLoad& load : scenario_.dma) {
        if (load.host == host.name) {
            names.push_back(name_of(load));
        }
    }
}

}  // namespace ndsim
