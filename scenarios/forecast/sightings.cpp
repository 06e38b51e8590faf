// SPDX-License-Identifier: Apache-2.0
#include "scenarios/forecast/sightings.hpp"

#include <algorithm>

namespace ndsim::forecast {

Sighting& Sightings::add(ForeseenKind kind, std::size_t host, const Op& op, std::string verb, const Reason& reason) {
    Sighting& one = all_.emplace_back();
    one.said.kind = kind;
    one.said.at = op.at;
    one.said.path = op.path;
    one.said.advice = reason.advice;
    one.island = joined_[host];
    one.verb = std::move(verb);
    one.why = reason.why;
    one.at = remains_.result().ended;
    return one;
}

Sighting& Sightings::add(ForeseenKind kind, std::size_t host, const Call& call, std::string verb,
                         const Reason& reason) {
    const Host& of = remains_.scenario().hosts[host];
    Sighting& one = add(kind, host, *call.op, std::move(verb), reason);
    one.subject = one.thing = remains_.name_of(host, call);
    one.said.queue = queue_of(of, *call.op);
    if (const std::string label = label_of(*call.op); !label.empty()) {
        one.said.request = of.name + "." + label;
    }
    return one;
}

bool Sightings::has(ForeseenKind kind) const {
    return std::ranges::any_of(all_, [kind](const Sighting& one) { return one.said.kind == kind; });
}

}  // namespace ndsim::forecast
