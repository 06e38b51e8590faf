// SPDX-License-Identifier: Apache-2.0
#include "scenarios/generators/arrivals.hpp"

namespace ndsim {

Arrivals::Arrivals(const Traffic& traffic, std::uint64_t seed)
    : traffic_(traffic), random_(seed, "traffic." + traffic.name) {}

void Arrivals::begin(Picoseconds at) {
    begun_ = at;
    next_ = at;
    if (traffic_.arrivals == ArrivalKind::trace) {
        next_ = at + traffic_.times.front();
    } else if (traffic_.arrivals == ArrivalKind::poisson) {
        next_ = at + random_.exponential(traffic_.interval);
    }
}

void Arrivals::taken() {
    ++count_;
    switch (traffic_.arrivals) {
        case ArrivalKind::closed:
            break;
        case ArrivalKind::fixed:
            next_ += traffic_.interval;
            break;
        case ArrivalKind::poisson:
            next_ += random_.exponential(traffic_.interval);
            break;
        case ArrivalKind::on_off:
            next_ += count_ % traffic_.burst == 0 ? traffic_.pause : traffic_.interval;
            break;
        case ArrivalKind::trace:
            next_ = count_ < traffic_.times.size() ? begun_ + traffic_.times[count_] : Picoseconds::max();
            break;
    }
}

}  // namespace ndsim
