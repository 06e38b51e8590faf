// SPDX-License-Identifier: Apache-2.0
#include "models/pcie/link_direction.hpp"

#include <algorithm>

namespace ndsim {

Interval LinkDirection::bulk(Interval ready, Bytes total, Bytes last) {
    train_ = server_.reserve(data_start(ready, total, last), total.count);
    share_ = train_;
    return train_;
}

Interval LinkDirection::express(Picoseconds at, Bytes total) {
    if (const std::optional<Interval> entered = enter(at, total)) {
        return *entered;
    }
    met_trains_ += at < train_.end ? 1 : 0;
    share_ = server_.reserve(at, total.count);
    express_free_ = share_.end;
    return share_;
}

std::optional<Interval> LinkDirection::enter(Picoseconds at, Bytes total) {
    if (at >= train_.end) {
        return std::nullopt;
    }
    const Picoseconds grain = server_.rate().time(grain_);
    Picoseconds boundary = at;
    if (at > train_.start) {
        boundary = train_.start + (at - train_.start + grain - Picoseconds{1}) / grain * grain;
    }
    if (boundary <= boundary_) {
        boundary = entered_ + total <= grain_ ? boundary_ : boundary_ + grain;
    }
    if (boundary >= train_.end) {
        return std::nullopt;
    }
    ++met_trains_;
    if (boundary != boundary_) {
        boundary_ = boundary;
        entered_ = {};
    }
    entered_ += total;
    share_ = server_.reserve(at, total.count);  // everything behind the train starts later
    const Picoseconds start = std::max(boundary, express_free_);
    express_free_ = start + server_.rate().time(total);
    return Interval{start, express_free_};
}

}  // namespace ndsim
