// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "models/ports/qp.hpp"
#include "sim/base/slots.hpp"
#include "sim/base/units.hpp"

namespace ndsim {

// Payload put into host memory, that of unfinished messages included, and the time of the last of it.
struct PlacedPayload {
    std::uint64_t bytes = 0;
    Picoseconds last{};

    void add(std::uint64_t more, Picoseconds at) {
        bytes += more;
        last = std::max(last, at);
    }
    void add(const PlacedPayload& other) { add(other.bytes, other.last); }
};

// PlacedByQp: what has been placed for each queue pair of a NIC. Only those with traffic take memory.
class PlacedByQp {
public:
    void add(QpNum qp, std::uint64_t bytes, Picoseconds at) { grown(placed_, qp_index(qp)).add(bytes, at); }
    [[nodiscard]] PlacedPayload of(QpNum qp) const {
        return qp_index(qp) < placed_.size() ? placed_[qp_index(qp)] : PlacedPayload{};
    }

private:
    std::vector<PlacedPayload> placed_;  // by QP index
};

}  // namespace ndsim
