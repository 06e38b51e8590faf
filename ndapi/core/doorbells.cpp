// SPDX-License-Identifier: Apache-2.0
#include "ndapi/core/doorbells.hpp"

#include "models/parts/doorbell_record.hpp"
#include "models/parts/ranks.hpp"
#include "ndapi/core/cq.hpp"

namespace ndsim::core {

Doorbells::Doorbells(Device& device, Callbacks& callbacks, Registry& registry)
    : device_(device),
      params_(device.params()),
      memory_(device.memory()),
      callbacks_(callbacks),
      registry_(registry),
      record_writes_(*this, device.timeline(), kRankCommit),
      index_writes_(*this, device.timeline(), kRankCommit) {}

void Doorbells::store(const Mmio& mmio, const HostMemory::Region& record) {
    if (are_recorded() && mmio.kind != MmioKind::cq_consumer) {
        this->record(mmio, record);
    }
    Core& core = callbacks_.calling();
    if (core.is_thread()) {
        core.stall();  // a stepper has made sure that there is room
    }
    if (mmio.pushed_units > 0) {
        core.spend(CoreActivity::push, mmio.pushed_units * params_.cpu.mmio_wc64);
    } else {
        core.spend(CoreActivity::store, params_.cpu.mmio_uc);
    }
    core.stored();
    device_.store(mmio, core);
}

// The core may be ahead of the simulation, and the NIC must not read what is not yet written.
void Doorbells::record(const Mmio& mmio, const HostMemory::Region& record) {
    record_writes_.push(callbacks_.time(), {record.base, mmio});
}

void Doorbells::write_record(const RecordWrite& write) {
    write_doorbell_record(memory_.bytes(write.record, kDoorbellRecordBytes), write.mmio);
    memory_.software_wrote(write.record, kDoorbellRecordBytes);
}

void Doorbells::store_index(CqNum cq, std::uint32_t consumer) {
    index_writes_.push(callbacks_.time(), {cq, consumer});
}

void Doorbells::write_index(const IndexWrite& write) {
    if (Cq* const cq = registry_.find(write.cq)) {
        cq->store_consumer_index(write.consumer);
    }
}

}  // namespace ndsim::core
