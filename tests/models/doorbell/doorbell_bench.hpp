// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/doorbell/doorbell_unit.hpp"
#include "models/parts/doorbell_record.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/nic_doubles.hpp"

namespace ndsim::test {

// The queues that doorbells are for, and where their records are.
struct Queues final : SqDoorbellPort, RqDoorbellPort, CqDoorbellPort {
    explicit Queues(const Timeline& its_timeline) : timeline(its_timeline) {}
    void sq_doorbell(const SqDoorbell& doorbell) override {
        note("sq", raw(doorbell.qp), doorbell.producer + 1000 * doorbell.pushed_units);
        entries = doorbell.entries;
    }
    void rq_doorbell(QpNum qp, std::uint32_t producer) override { note("rq", raw(qp), producer); }
    void srq_doorbell(SrqNum srq, std::uint32_t producer) override { note("srq", raw(srq), producer); }
    void consumer_index(CqNum cq, std::uint32_t consumer) override { note("consumer", raw(cq), consumer); }
    void arm(const CqArm& arm) override {
        note("arm", raw(arm.cq),
             arm.consumer + 100 * arm.seen + 10'000 * static_cast<std::uint32_t>(arm.wish) + 100'000 * arm.serial);
    }
    [[nodiscard]] std::optional<Address> record_of(QpNum qp) const override { return record(raw(qp)); }
    [[nodiscard]] std::optional<Address> record_of(SrqNum srq) const override { return record(raw(srq)); }
    [[nodiscard]] std::optional<Address> record_of(CqNum cq) const override { return record(raw(cq)); }
    [[nodiscard]] std::optional<Address> record(std::uint32_t queue) const {
        return queue == gone ? std::nullopt : std::optional(Memory::kBase + std::uint64_t{queue} * 64);
    }
    void note(const char* what, std::uint32_t queue, std::uint32_t index) {
        seen.push_back({what, queue, index, timeline.now()});
    }
    struct Seen {
        std::string what;
        std::uint32_t queue = 0;
        std::uint32_t index = 0;
        Picoseconds at{};
        friend bool operator==(const Seen&, const Seen&) = default;
    };
    const Timeline& timeline;
    std::vector<Seen> seen;
    std::uint32_t entries = 0;  // of the last doorbell of a send queue
    std::optional<std::uint32_t> gone;
};

// A doorbell unit between the CPU's stores, its queues and a DMA double (400 ns).
struct DoorbellBench : Bench {
    explicit DoorbellBench(const DoorbellParams& params) : doorbell("doorbell", timeline, params, payloads) {
        doorbell.send_queues.bind(queues);
        doorbell.receive_queues.bind(queues);
        doorbell.completion_queues.bind(queues);
        doorbell.dma.bind(dma);
    }
    // Now, for a send queue; as software does, into the record first. Returns when the FIFO takes it.
    Picoseconds ring(std::uint32_t index, std::uint32_t queue = 0x11, MmioKind kind = MmioKind::sq_doorbell,
                     std::uint16_t pushed_units = 0) {
        Mmio mmio;
        mmio.kind = kind;
        mmio.queue = queue;
        mmio.index = index;
        mmio.entries = 10 * index;
        mmio.pushed_units = pushed_units;
        mmio.pushed = pushed_units > 0 ? payloads.take() : PayloadRef::none;
        return store(mmio);
    }
    Picoseconds store(const Mmio& mmio) {
        write_doorbell_record(record(mmio.queue), mmio);
        return doorbell.bar->arrive(now(), mmio);
    }
    [[nodiscard]] std::byte* record(std::uint32_t queue) {
        return memory.bytes(Memory::kBase + std::uint64_t{queue} * 64, kDoorbellRecordBytes);
    }
    Memory memory{1U << 16U};
    Dma dma{*this, memory};
    Queues queues{timeline};
    DoorbellUnit doorbell;
};

}  // namespace ndsim::test
