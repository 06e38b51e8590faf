// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "models/doorbell/doorbell_params.hpp"
#include "models/ports/dma.hpp"
#include "sim/base/ring.hpp"
#include "sim/kernel/agenda.hpp"
#include "sim/kernel/alarm.hpp"

namespace ndsim {

// The owner of the queues whose doorbell records are read.
class RecordOwner {
public:
    // The address of a queue's record; nothing if the queue no longer exists.
    [[nodiscard]] virtual std::optional<Address> record_of(MmioKind kind, std::uint32_t queue) const = 0;
    // The content of the record, now or a moment ago.
    virtual void recovered(const Mmio& mmio) = 0;

protected:
    ~RecordOwner() = default;
};

// DoorbellRecords: reads by DMA the doorbell records that software keeps for its queues. Some time after a dropped
// doorbell it reads the records of all queues with doorbells dropped until then, each once. The NIC keeps one bit for
// each kind of doorbell of each queue, so queues that were not rung for cost nothing. A single record is read at once
// on request.
class DoorbellRecords final : private ReadClient {
public:
    DoorbellRecords(Timeline& timeline, RecordOwner& owner, sc_core::sc_port<DmaPort>& dma, PayloadPool& payloads,
                    const DoorbellParams& params);

    // A doorbell was dropped at `at`: now or later, and no earlier than the previous one.
    void dropped(const Mmio& mmio, Picoseconds at);
    void read_now(MmioKind kind, std::uint32_t queue);
    // Whether a record of this kind is still to be read.
    [[nodiscard]] bool is_pending(MmioKind kind, std::uint32_t queue) const;
    [[nodiscard]] std::uint64_t rescans() const { return rescans_; }

private:
    // A dropped doorbell, or a record to be read.
    struct Doorbell {
        MmioKind kind{};
        std::uint32_t queue = 0;
        Picoseconds dropped{};
        PayloadRef buffer = PayloadRef::none;  // while it is read
    };
    // Which records of a queue are still to be read.
    struct Lost {
        bool listed = false;        // the bit: it is in dropped_
        std::uint32_t pending = 0;  // times that it is in dropped_, waiting to be read, or being read
    };

    void rescan();                         // Alarm: the records are to be read
    void arrived(const std::uint32_t& n);  // Agenda: a record has reached its queue
    void read_arrives(std::uint32_t n, Interval data) override;
    void read_space(ReadClass) override { read(); }
    void read();
    [[nodiscard]] Lost& lost(const Doorbell& doorbell);

    Timeline& timeline_;
    RecordOwner& owner_;
    sc_core::sc_port<DmaPort>& dma_;
    PayloadPool& payloads_;
    const Picoseconds delay_;
    const Picoseconds to_queue_;
    Ring<Doorbell> dropped_;  // by time of the first drop
    Ring<Doorbell> to_read_;
    std::vector<Doorbell> reading_;
    std::vector<std::uint32_t> free_reading_;
    std::array<std::vector<Lost>, 5> lost_;  // by kind, and number of the queue
    Alarm<&DoorbellRecords::rescan> alarm_;
    Agenda<std::uint32_t, &DoorbellRecords::arrived> arrivals_;
    std::uint64_t rescans_ = 0;
};

}  // namespace ndsim
