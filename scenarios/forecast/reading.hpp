// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>

#include "scenarios/forecast/reasons.hpp"
#include "scenarios/forecast/sighting.hpp"
#include "scenarios/forecast/sightings.hpp"

namespace ndsim::forecast {

// Reading: reads from the remains of a run what it has shown. It names each thing once: of a connection the first
// request that has failed, and nothing that follows from that.
class Reading {
public:
    explicit Reading(const Remains& remains) : remains_(remains), scenario_(remains.scenario()), sightings_(remains) {}
    [[nodiscard]] Story story();

private:
    void read_overruns(const Host& host);
    void read_overrun(const Endpoint& end, const std::string& name, const core::Cq& cq);
    void read_failures(const Endpoint& active, const Endpoint& passive);
    void read_refusals(std::size_t host);
    void read_deferred(const Endpoint& end);
    void read_ends();
    void read_end(std::size_t host);
    void read_end_of_hardware();
    void read_refused_senders(const Endpoint& end);
    [[nodiscard]] const Call* lost_first(const Host& host, const std::string& cq, std::uint32_t depth) const;
    void add_failed(const FailedRequest& failed);

    const Remains& remains_;
    const Scenario& scenario_;
    std::set<Endpoint> dead_;  // queue pairs that have failed, or one of whose completion queues has overrun
    Sightings sightings_;
    Story story_;
};

}  // namespace ndsim::forecast
