// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "scenarios/forecast/reasons.hpp"
#include "scenarios/forecast/sighting.hpp"
#include "scenarios/format/connections.hpp"

namespace ndsim::forecast {

// Sightings: collects what one run has shown. A new sighting has the place, the request and the time that its operation
// or call tells; the caller adds what only the caller knows.
class Sightings {
public:
    explicit Sightings(const Remains& remains) : remains_(remains), joined_(joined_hosts(remains.scenario())) {}

    // The time is the end of the run.
    Sighting& add(ForeseenKind kind, std::size_t host, const Op& op, std::string verb, const Reason& reason);
    Sighting& add(ForeseenKind kind, std::size_t host, const Call& call, std::string verb, const Reason& reason);

    [[nodiscard]] bool has(ForeseenKind kind) const;
    [[nodiscard]] std::vector<Sighting> take() { return std::move(all_); }

private:
    const Remains& remains_;
    const std::vector<std::size_t> joined_;  // the island of each host
    std::vector<Sighting> all_;
};

}  // namespace ndsim::forecast
