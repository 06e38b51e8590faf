// SPDX-License-Identifier: Apache-2.0
#include "scenarios/result/limit_users.hpp"

#include <algorithm>

namespace ndsim {

LimitUsers::LimitUsers(const Scenario& scenario) : scenario_(scenario) {
    for (const Traffic& traffic : scenario.traffic) {
        ends_.emplace_back(scenario, traffic);
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

LimitUsers::Names LimitUsers::of_lane(std::string_view from, std::string_view to) const {
    const auto is_host = [&](std::string_view name) {
        return std::ranges::find(scenario_.hosts, name, &Host::name) != scenario_.hosts.end();
    };
    const bool leaves_host = is_host(from);
    const bool reaches_host = is_host(to);
    return those_that([&](const TrafficEnds& ends) {
        return (!leaves_host || ends.source.name == from) && (!reaches_host || ends.sink.name == to);
    });
}

LimitUsers::Names LimitUsers::that_end_at(const Host& host) const {
    return those_that([&](const TrafficEnds& ends) { return &ends.sink == &host; });
}

LimitUsers::Names LimitUsers::all() const {
    return those_that([](const TrafficEnds&) { return true; });
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

void LimitUsers::add_transfers(Names& names, const Host& host) const {
    for (const DmaLoad& load : scenario_.dma) {
        if (load.host == host.name) {
            names.push_back(name_of(load));
        }
    }
}

}  // namespace ndsim
