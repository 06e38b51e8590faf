// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <deque>
#include <vector>

#include "models/cq/cq_rings.hpp"
#include "models/cq/cq_times.hpp"
#include "models/ports/dma.hpp"
#include "models/proto/cqe.hpp"
#include "sim/base/ring.hpp"
#include "sim/kernel/agenda.hpp"

namespace ndsim {

// A completion on its way into its queue: ready at `at`, and perhaps behind the payload written before.
struct NewEntry {
    Cqe cqe;
    Picoseconds at{};
    bool behind_payload = false;
};

// The unit that puts entries into the rings.
class OverrunOwner {
public:
    // There is room for an entry that was held back.
    virtual void let_in(CqNum cq, const NewEntry& entry) = 0;
    // The queue was full when one more entry came.
    virtual void overran(CqNum cq) = 0;
    // An entry will never be written.
    virtual void lost(const Cqe& cqe) = 0;

protected:
    ~OverrunOwner() = default;
};

// OverrunGuard: judges how full each queue is. It learns late which entries were polled: if a queue seems full, it
// holds entries back and reads the consumer index in host memory. A queue full even then has overrun and takes nothing
// more.
class OverrunGuard final : private ReadClient {
public:
    OverrunGuard(Timeline& timeline, OverrunOwner& owner, CqRings& rings, CqTimes& times,
                 sc_core::sc_port<DmaPort>& dma);

    // Software keeps the consumer index of the queue at `record`.
    void create(CqNum cq, Address record);
    void destroy(CqNum cq);
    // Whether an entry may go in now. If not, it is held back with all entries behind it.
    [[nodiscard]] bool has_room(CqNum cq) const { return !queues_[raw(cq)].asking && !rings_.is_full(cq); }
    void hold_back(CqNum cq, const NewEntry& entry);
    // The queue has more room.
    void let_in(CqNum cq);

    [[nodiscard]] bool has_overrun(CqNum cq) const { return queues_[raw(cq)].overrun; }
    [[nodiscard]] bool is_asking(CqNum cq) const { return queues_[raw(cq)].asking; }
    [[nodiscard]] std::size_t held_back(CqNum cq) const { return queues_[raw(cq)].held_back.size(); }
    [[nodiscard]] std::uint64_t overruns() const { return overruns_; }
    [[nodiscard]] std::uint64_t questions() const { return questions_; }

private:
    // How full a completion queue is, and its entries held back.
    struct Queue {
        bool open = false;
        bool overrun = false;
        bool asking = false;
        Address record{};
        std::array<std::byte, sizeof(std::uint32_t)> asked{};  // the consumer index that was read
        Ring<NewEntry> held_back;
    };

    void answered(const CqNum& cq);  // Agenda: the consumer index in host memory is here
    void begin_asking(CqNum cq);
    void stop_asking(Queue& queue);
    void ask(CqNum cq);
    void read_arrives(std::uint32_t cq, Interval data) override;
    void read_space(ReadClass cls) override;

    Timeline& timeline_;
    OverrunOwner& owner_;
    CqRings& rings_;
    CqTimes& times_;
    sc_core::sc_port<DmaPort>& dma_;
    std::deque<Queue> queues_;    // by number; addresses must stay valid, as reads write into them
    std::vector<CqNum> refused_;  // these ask again when there is room for reads
    Agenda<CqNum, &OverrunGuard::answered> answers_;
    std::uint64_t overruns_ = 0;
    std::uint64_t questions_ = 0;
};

}  // namespace ndsim
