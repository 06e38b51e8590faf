// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "sim/base/exact_rate.hpp"

namespace ndsim {

// LinkDirection: one direction of a PCIe link as a server of bytes. Bulk trains follow each other; at most one is in
// service, or next. Express TLPs, which are small, enter a train in service at its next grain boundary. Each boundary
// lets in at most one grain of them, so that neither side starves. A train keeps its promised end when express TLPs
// enter it; all that follows starts later by their time. So bytes are conserved, and a train may look early by the few
// express TLPs inside it.
class LinkDirection {
public:
    LinkDirection(ExactRate rate, Bytes grain) : server_(rate), grain_(grain) {}

    // Serves a train of `total` bytes whose data is there from ready.start to ready.end and whose last TLP has `last`
    // bytes. It starts behind everything that came before, and not before train_until().
    Interval bulk(Interval ready, Bytes total, Bytes last);
    // When such a train can start, as far as its data is concerned.
    [[nodiscard]] Picoseconds data_start(Interval ready, Bytes total, Bytes last) const {
        return cut_through_start(ready, rate().time(total), rate().time(last));
    }
    // Serves an express TLP that is there at `at`: inside the train in service, or behind everything.
    Interval express(Picoseconds at, Bytes total);
    // As express(), if the train in service lets it in.
    std::optional<Interval> enter(Picoseconds at, Bytes total);
    // The direction's time taken by the last thing served. Shares follow each other without overlap; the share of an
    // express TLP that entered a train lies behind the train.
    [[nodiscard]] Interval share() const { return share_; }
    void hold_until(Picoseconds until) { server_.hold_until(until); }
    // When everything served is through.
    [[nodiscard]] Picoseconds bulk_free_at() const { return server_.free_at(); }
    // When the bulk train last put into service is through.
    [[nodiscard]] Picoseconds train_until() const { return train_.end; }
    [[nodiscard]] const ExactRate& rate() const { return server_.rate(); }
    // Express TLPs that found a train in service.
    [[nodiscard]] std::uint64_t met_trains() const { return met_trains_; }

private:
    ExactServer server_;
    Bytes grain_;
    Interval share_;
    Interval train_;              // the bulk train last put into service
    Picoseconds boundary_{};      // where express TLPs last entered a train
    Bytes entered_{};             // bytes that entered at that boundary
    Picoseconds express_free_{};  // when the last express TLP is through
    std::uint64_t met_trains_ = 0;
};

}  // namespace ndsim
