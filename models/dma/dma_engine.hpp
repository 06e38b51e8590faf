// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/dma/dma_params.hpp"
#include "models/dma/dma_pools.hpp"
#include "models/dma/dma_reader.hpp"
#include "models/dma/dma_writer.hpp"
#include "models/ledger/ledger.hpp"
#include "models/ports/dma.hpp"
#include "models/ports/translation.hpp"
#include "sim/kernel/unit.hpp"

namespace ndsim {

// DmaEngine: moves bytes between the NIC and host memory. Its reader and writer share only the link and the
// translations; but a read that answers a peer's Read follows the payload written before for its queue pair.
class DmaEngine final : public Unit, public DmaPort, public PcieClient {
public:
    sc_core::sc_export<DmaPort> port{"port"};
    sc_core::sc_export<PcieClient> link_events{"link_events"};
    sc_core::sc_port<PciePort> link{"link"};
    sc_core::sc_port<TranslationPort> translation{"translation"};

    DmaEngine(const sc_core::sc_module_name& name, Timeline& timeline, const DmaParams& params, const PcieParams& pcie,
              Bytes forward_grain, Ledgers& ledgers);

    // Payload that is read is sent on at this rate.
    void forward_at(const ExactRate& rate) { reader_.forward_at(rate); }
    bool try_read(ReadClass cls, std::span<const ReadPiece> pieces, std::uint32_t token, RequestId request,
                  ReadClient& client) override;
    bool try_read_behind_writes(QpNum qp, std::span<const ReadPiece> pieces, std::uint32_t token, RequestId request,
                                ReadClient& client) override;
    void write(const WriteTrain& train, WriteClient* client) override { writer_.write(train, client); }
    [[nodiscard]] DmaMark given() const override { return {reader_.given(), writer_.given()}; }
    [[nodiscard]] std::optional<Picoseconds> settled(const DmaMark& mark) const override;
    void read_waited(std::uint32_t train, Interval wait) override { reader_.waited(train, wait); }
    void write_waited(std::uint32_t token, Interval wait) override;
    void read_scheduled(std::uint32_t train, Interval arrival) override { reader_.scheduled(train, arrival); }
    void write_scheduled(std::uint32_t token, Picoseconds issued, Picoseconds visible) override;
    void report(StatSink& sink) const override;
    void check_idle() const override;

private:
    DmaPools pools_;
    DmaReader reader_;
    DmaWriter writer_;
};

}  // namespace ndsim
