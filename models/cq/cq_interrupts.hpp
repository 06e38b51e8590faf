// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "models/cq/cq_rings.hpp"
#include "models/cq/entry_writer.hpp"
#include "models/cq/queue_deadlines.hpp"
#include "models/parts/queue_params.hpp"
#include "models/ports/completions.hpp"
#include "models/ports/dma.hpp"
#include "models/ports/doorbells.hpp"
#include "sim/base/ring.hpp"

namespace ndsim {

// CqInterrupts: raises an interrupt (MSI-X) when a queue has an entry that it is armed for, at once or when moderation
// allows: after a time or a number of entries, whichever comes first. An interrupt disarms its queue.
class CqInterrupts {
public:
    CqInterrupts(Timeline& timeline, const CqParams& params, const CqRings& rings, EntryWriter& writer,
                 sc_core::sc_port<DmaPort>& dma);

    void create(const CqAttributes& attributes);
    // The queue raises no more interrupts; one that waits is dropped.
    void close(CqNum cq);
    // Software wants to be notified.
    void arm(const CqArm& arm);
    void moderate(CqNum cq, const Moderation& moderation);
    // The ring has another entry, ready at `at`.
    void entered(CqNum cq, const Cqe& cqe, Picoseconds at, bool bulk);

    [[nodiscard]] std::uint64_t arms() const { return arms_; }
    [[nodiscard]] std::uint64_t interrupts() const { return interrupts_; }
    [[nodiscard]] std::uint64_t moderations() const { return moderations_; }
    [[nodiscard]] std::uint64_t moderated() const { return moderated_; }

private:
    // An arm that has been met, while its interrupt waits.
    struct MetArm {
        std::uint64_t from = 0;  // number of the first entry that met it
        Picoseconds since{};     // when that entry was made
    };
    // The interrupt state of a completion queue.
    struct Queue {
        CqNum cq{};
        bool open = false;
        bool failures_are_errors = false;
        bool arms_are_typed = false;
        std::uint32_t vector = 0;
        Moderation moderation;
        Arm armed = Arm::none;
        std::optional<MetArm> met;
        std::uint32_t interrupts = 0;
        // Each is the number of the entry behind the last one of its kind.
        std::uint64_t solicited = 0;
        std::uint64_t failed = 0;
        std::uint64_t bulk = 0;
        // With moderation: when entries were made that are new and not known to be polled, since `made_from`.
        Ring<Picoseconds> made;
        Picoseconds made_from{};
    };

    void moderated_long_enough(CqNum cq);  // QueueDeadlines: its interrupt has waited long enough
    [[nodiscard]] static bool meets(const Queue& queue, const Cqe& cqe);
    [[nodiscard]] static bool met_since(const Queue& queue, std::uint64_t from);
    [[nodiscard]] bool has_enough_entries(const Queue& queue) const;
    [[nodiscard]] static Picoseconds since(const Queue& queue, std::size_t news);
    void notify_or_wait(Queue& queue, Picoseconds at);
    void interrupt(Queue& queue, Picoseconds at);
    void wait_no_longer(Queue& queue);

    Timeline& timeline_;
    const CqParams params_;
    const CqRings& rings_;
    EntryWriter& writer_;
    sc_core::sc_port<DmaPort>& dma_;
    std::vector<Queue> queues_;  // by number
    QueueDeadlines<&CqInterrupts::moderated_long_enough> deadlines_;
    std::uint64_t arms_ = 0;
    std::uint64_t interrupts_ = 0;
    std::uint64_t moderations_ = 0;
    std::uint64_t moderated_ = 0;
};

}  // namespace ndsim
