// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "sim/base/exact_rate.hpp"

namespace ndsim {

// LinkDirection: one direction of a PCIe link as a server of bytes. Bulk trains follow each other; one of them is in
// service, or next, at a time. Express TLPs, which are small, enter a train in service at its next grain boundary: each
// boundary lets at most one grain of them in, so that neither side starves.
// A train keeps the end it was promised when express TLPs enter it, and whatever follows starts later by their time:
// bytes are conserved, and a train may look early by the few express TLPs inside it.
class LinkDirection {
public:
    LinkDirection(ExactRate rate, Bytes grain) : server_(rate), grain_(grain) {}

    // Serves a train of `total` bytes whose data is there from ready.start to ready.end, the last TLP being `last`
    // bytes; behind everything that has come before, and not before train_until().
    Interval bulk(Interval ready, Bytes total, Bytes last);
    // Serves an express TLP that is there at `at`: in the train in service, or behind everything.
    Interval express(Picoseconds at, Bytes total);
    // The same, if the train in service lets it in.
    std::optional<Interval> enter(Picoseconds at, Bytes total);
    // The share of the direction's time that went to what was served last. Shares follow each other without overlap;
    // that of an express TLP which entered a train lies behind the train.
    [[nodiscard]] Interval share() const { return share_; }
    void hold_until(Picoseconds until) { server_.hold_until(until); }
    // Everything served is through.
    [[nodiscard]] Picoseconds bulk_free_at() const { return server_.free_at(); }
    // The bulk train last put into service is.
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
    Bytes entered_{};             // how many bytes of them
    Picoseconds express_free_{};  // when the last of them is through
    std::uint64_t met_trains_ = 0;
};

}  // namespace ndsim
