// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "models/ports/memory.hpp"
#include "models/ports/root.hpp"
#include "models/root/commit_order.hpp"
#include "models/root/iommu.hpp"
#include "models/root/last_level_cache.hpp"
#include "models/root/root_params.hpp"
#include "sim/base/exact_rate.hpp"
#include "sim/kernel/agenda.hpp"
#include "sim/kernel/unit.hpp"

namespace ndsim {

// RootComplex: takes a device's transfers from the link to memory, through IOMMU and last-level cache. Its
// CommitOrder says which posted writes may pass which.
class RootComplex final : public Unit, public RootPort, public CpuCache {
public:
    sc_core::sc_export<RootPort> port{"port"};
    sc_core::sc_port<RootClient> link{"link"};
    sc_core::sc_port<MemoryPort> memory{"memory"};
    sc_core::sc_port<InterruptPort> interrupts{"interrupts"};

    RootComplex(const sc_core::sc_module_name& name, Timeline& timeline, const RootParams& params,
                const IommuParams& iommu, PayloadPool& payloads);

    void read(const ReadTrain& train, Picoseconds arrives) override;
    Picoseconds write(const WriteTrain& train, Picoseconds arrives) override;
    void software_wrote(Address address, std::uint64_t length) override { cache_.software_wrote(address, length); }
    void report(StatSink& sink) const override;

private:
    void data_ready(const ReadTrain& train);  // Agenda: the data of a read is there
    void commit(const WriteTrain& train);     // Agenda: a write is visible

    [[nodiscard]] Picoseconds stored(const WriteTrain& train, Picoseconds at);
    [[nodiscard]] Picoseconds capped(std::uint64_t bytes, Picoseconds at);

    const RootParams params_;
    PayloadPool& payloads_;
    Iommu iommu_;
    LastLevelCache cache_;
    CommitOrder order_;
    std::optional<ExactServer> strict_writes_;
    WriteTrain entered_;  // the last bulk write, which a read may have entered on the link
    Picoseconds entered_visible_{};

    Agenda<ReadTrain, &RootComplex::data_ready> reads_;
    Agenda<WriteTrain, &RootComplex::commit> commits_;

    std::uint64_t llc_reads_ = 0;
    std::uint64_t dram_reads_ = 0;
    std::uint64_t llc_writes_ = 0;
    std::uint64_t dram_writes_ = 0;
    Picoseconds at_cap_{};
};

}  // namespace ndsim
