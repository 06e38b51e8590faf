// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <systemc>

#include "models/proto/cqe.hpp"
#include "sim/base/ids.hpp"
#include "sim/base/units.hpp"

namespace ndsim {

// The completion engine.
class CompletionPort : public virtual sc_core::sc_interface {
public:
    // Writes a CQE. It is ready at `at`; behind_payload keeps it behind all bulk writes given to DMA so far.
    virtual void complete(CqNum cq, const Cqe& cqe, Picoseconds at, bool behind_payload) = 0;
    // Writes to `to`, ready at `at`, that the requests of a send queue before number `head` have succeeded.
    virtual void write_head(Address to, std::uint32_t head, Picoseconds at) = 0;
};

class CqWatch;

// A completion queue is created with these.
struct CqAttributes {
    CqNum cq{};
    Address ring{};
    std::uint32_t entries = 0;  // of the ring: a power of two, so that absolute indices may wrap; more than `limit`
    std::uint32_t limit = 0;    // entries that may be there unconsumed; one more is an overrun
    std::uint32_t vector = 0;
    CqWatch* watch = nullptr;            // counts its entries, if there is one
    Address record{};                    // the doorbell record: software's consumer index, and its last arm
    bool failures_are_errors = false;    // a failed request, too, meets an arm for errors
    bool arms_are_typed = false;         // an arm asks only for entries that meet it, also among those already there
    bool reports_invalidations = false;  // a key that a message invalidates has its own entry before the receive's
};

// Another ring for a queue, for all later entries.
struct CqResize {
    CqNum cq{};
    Address ring{};
    std::uint32_t entries = 0;
    std::uint32_t limit = 0;
    std::uint32_t consumer = 0;  // software's index when it asked
};

// How long the interrupt of an armed queue may wait for more entries: `interval` after the entry that met the arm, or
// until there are `count` entries, that one included, whichever comes first. Without limits it does not wait.
struct Moderation {
    std::optional<Picoseconds> interval;
    std::optional<std::uint32_t> count;

    [[nodiscard]] bool is_on() const { return interval || count; }
};

// The life of completion queues: creation, changes, destruction.
class CqLifecycle : public virtual sc_core::sc_interface {
public:
    virtual void create_cq(const CqAttributes& attributes) = 0;
    // False if more entries than the new limit are unpolled, as far as the NIC knows; nothing changes then.
    [[nodiscard]] virtual bool resize_cq(const CqResize& resize) = 0;
    virtual void moderate_cq(CqNum cq, const Moderation& moderation) = 0;
    virtual void destroy_cq(CqNum cq) = 0;
    // Whether entries of a queue that seems full are held back.
    [[nodiscard]] virtual bool holds_back() const = 0;
    // Writes all entries that wait for more completions.
    virtual void write_gathered() = 0;
};

}  // namespace ndsim
