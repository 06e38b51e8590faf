// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "models/ports/completions.hpp"
#include "sim/base/ids.hpp"
#include "sim/base/units.hpp"

namespace ndsim {

// CqRings: for each completion queue the ring in host memory, the place of its next entry, and the number of entries
// that are unpolled as far as the NIC knows. A watch, if there is one, counts those entries.
class CqRings {
public:
    // A place for an entry, with the ownership bit of this turn of the ring.
    struct Place {
        Address to{};
        bool owner = false;
    };

    void create(const CqAttributes& attributes);
    // The next entry goes to the beginning of another ring.
    void move(const CqResize& resize);
    // A completion has taken its place.
    void add(CqNum cq, Picoseconds at);
    // Software says that it has polled everything before entry `consumer`.
    void polled(CqNum cq, std::uint32_t consumer, Picoseconds at);

    // Completions so far.
    [[nodiscard]] std::uint64_t produced(CqNum cq) const { return rings_[raw(cq)].produced; }
    [[nodiscard]] std::uint32_t unpolled(CqNum cq) const { return rings_[raw(cq)].unpolled(); }
    [[nodiscard]] bool is_full(CqNum cq) const { return unpolled(cq) >= rings_[raw(cq)].limit; }
    // Whether the next completion takes the first place of the ring.
    [[nodiscard]] bool is_at_beginning(CqNum cq) const;
    [[nodiscard]] Place next_place(CqNum cq) const;

private:
    // The ring of a completion queue.
    struct CqRing {
        Address base{};
        std::uint32_t entries = 0;
        std::uint32_t limit = 0;
        std::uint32_t first = 0;  // number of the completion at the start of the ring
        std::uint64_t produced = 0;
        std::uint32_t consumed = 0;  // as far as the NIC knows
        CqWatch* watch = nullptr;

        [[nodiscard]] std::uint32_t unpolled() const { return static_cast<std::uint32_t>(produced) - consumed; }
        [[nodiscard]] std::uint32_t place() const { return static_cast<std::uint32_t>(produced) - first; }
    };

    std::vector<CqRing> rings_;
};

}  // namespace ndsim
