// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "models/dma/dma_generator_params.hpp"
#include "models/ports/dma.hpp"
#include "sim/base/ring.hpp"
#include "sim/base/rng.hpp"
#include "sim/kernel/agenda.hpp"
#include "sim/kernel/alarm.hpp"
#include "sim/kernel/engine_times.hpp"
#include "sim/kernel/pool.hpp"
#include "sim/kernel/unit.hpp"

namespace ndsim {

// Hears of a generator's transfers.
class TransferObserver {
public:
    // A transfer has ended now, at span.end: a read when its last byte is in the NIC, a write when it is visible.
    virtual void transfer_ended(Interval span) = 0;

protected:
    ~TransferObserver() = default;
};

// DmaGenerator: a test device beside the NIC's engines. It uses the DMA engine as they do, but only to keep a number of
// reads and writes under way in a window of host memory, as pcie-bench does with a programmable NIC. It discards the
// data that it reads, and the data that it writes has no meaning.
class DmaGenerator final : public Unit, public ReadClient, public WriteClient {
public:
    static constexpr PoolFacts kInFlightPool{"in_flight", "transfers under way", PoolUnit::transfers, "dma.in_flight",
                                             WhenFull::limit};

    sc_core::sc_port<DmaPort> dma{"dma"};

    // The window begins at `window`.
    DmaGenerator(const sc_core::sc_module_name& name, Timeline& timeline, const DmaGeneratorParams& params,
                 Address window, std::uint64_t seed, PayloadPool& payloads);

    void observe(TransferObserver& observer) { observer_ = &observer; }
    // Issues the first transfer at `at`, now or later.
    void start(Picoseconds at) { next_issue_.set(at); }
    [[nodiscard]] std::uint64_t issued() const { return issued_; }
    [[nodiscard]] std::uint64_t ended() const { return ended_; }

    void read_arrives(std::uint32_t transfer, Interval data) override { steps_.push(data.end, transfer); }
    void read_space(ReadClass cls) override;
    void write_scheduled(std::uint32_t transfer, Picoseconds issued, Picoseconds visible) override;
    void report(StatSink& sink) const override;
    void check_idle() const override;

private:
    // A transfer under way.
    struct Transfer {
        Address place{};
        Picoseconds issued{};
        bool read_follows = false;
    };

    void issue();                               // Alarm: the next transfer may be issued
    void go_on(const std::uint32_t& transfer);  // Agenda: its read or write is done

    void begin(bool with_write);
    void read(std::uint32_t transfer);
    [[nodiscard]] bool try_read(std::uint32_t transfer);
    void write(std::uint32_t transfer);
    [[nodiscard]] Address next_place();
    void note();

    const DmaGeneratorParams params_;
    const Address window_;
    PayloadPool& payloads_;
    Rng random_;
    TransferObserver* observer_ = nullptr;

    std::vector<std::byte> sink_;  // of all reads
    std::vector<Transfer> transfers_;
    std::vector<std::uint32_t> free_transfers_;
    Ring<std::uint32_t> refused_;  // transfers whose read the DMA engine did not take yet
    Picoseconds not_before_{};     // earliest time of the next issue

    Alarm<&DmaGenerator::issue> next_issue_;
    Agenda<std::uint32_t, &DmaGenerator::go_on> steps_;
    Pool in_flight_;
    EngineTimes times_;
    std::uint64_t issued_ = 0;
    std::uint64_t ended_ = 0;
    std::uint64_t read_bytes_ = 0;
    std::uint64_t written_bytes_ = 0;
};

}  // namespace ndsim
