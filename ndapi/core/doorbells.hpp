// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ndapi/core/callbacks.hpp"
#include "ndapi/core/device.hpp"
#include "ndapi/core/registry.hpp"
#include "sim/kernel/agenda.hpp"

namespace ndsim::core {

// Doorbells: the driver's stores to the NIC's BAR, and the doorbell records in host memory that tell a NIC which has
// dropped a doorbell. The calling core pays for both.
class Doorbells {
public:
    Doorbells(Device& device, Callbacks& callbacks, Registry& registry);

    // Writes the store to the queue's record, if there is one, and then stores it to the NIC.
    void store(const Mmio& mmio, const HostMemory::Region& record);
    // Writes the record only. The NIC reads it when it needs to know.
    void record(const Mmio& mmio, const HostMemory::Region& record);
    // Writes how far the calling core has polled to the CQ's record, at the time of that core.
    void store_index(CqNum cq, std::uint32_t consumer);

    // Whether stores are recorded as well, for a NIC that drops doorbells.
    [[nodiscard]] bool are_recorded() const {
        return params_.nic.doorbell.doorbell_policy == DoorbellPolicy::drop_recover;
    }
    // Whether receives of queue pairs are recorded only.
    [[nodiscard]] bool are_only_recorded_for_receives() const {
        return params_.nic.wqe.rq_doorbell == RqDoorbell::record;
    }

private:
    struct RecordWrite {
        Address record{};
        Mmio mmio;
    };
    void write_record(const RecordWrite& write);  // Agenda: a core's write of a doorbell record
    struct IndexWrite {
        CqNum cq{};
        std::uint32_t consumer = 0;
    };
    void write_index(const IndexWrite& write);  // Agenda: a core's write of a CQ's consumer index

    Device& device_;
    const NodeParams& params_;
    HostMemory& memory_;
    Callbacks& callbacks_;
    Registry& registry_;
    Agenda<RecordWrite, &Doorbells::write_record> record_writes_;
    Agenda<IndexWrite, &Doorbells::write_index> index_writes_;
};

}  // namespace ndsim::core
