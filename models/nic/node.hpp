// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "models/dma/dma_generator_params.hpp"
#include "models/host/core.hpp"
#include "models/host/host_memory.hpp"
#include "models/host/interrupt_controller.hpp"
#include "models/nic/nic_params.hpp"
#include "models/nic/watches.hpp"

namespace ndsim {

class DmaGenerator;
class Ledgers;
class Nic;
class PayloadPool;
class PcieLink;
class RootComplex;

// A host's software as seen from outside: its cores, and its queues with their depths.
struct SoftwareNames {
    std::vector<std::string> cores;
    std::vector<Watches<QpWatch>::Named> qps;
    std::vector<Watches<CqWatch>::Named> cqs;
    std::vector<Watches<SrqWatch>::Named> srqs;
};

// A test device that drives the NIC's DMA engine by itself.
struct DmaDevice {
    std::string name;
    DmaGeneratorParams params;
    std::uint64_t seed = 0;
};

// Node: a host with its cores, its memory, its PCIe link and its NIC. Parts far from software are only
// forward-declared, so that software's side need not know the units inside.
class Node final : public sc_core::sc_module {
public:
    Node(const sc_core::sc_module_name& name, Timeline& timeline, HostId host, const NodeParams& params,
         Ledgers& ledgers, PayloadPool& payloads, const SoftwareNames& names,
         std::span<const DmaDevice> dma_devices = {});
    ~Node() override;

    [[nodiscard]] Core& core(std::string_view core_name);
    // A store of a core to the NIC's BAR.
    void store(const Mmio& mmio, Core& core);

    Timeline& timeline;
    const HostId host;
    const NodeParams params;
    PayloadPool& payloads;
    HostMemory memory;
    InterruptController interrupts;
    const std::unique_ptr<RootComplex> root;
    const std::unique_ptr<PcieLink> pcie;
    const std::unique_ptr<Nic> nic;
    Watches<QpWatch> qps;
    Watches<CqWatch> cqs;
    Watches<SrqWatch> srqs;
    RunningCore running;
    std::vector<std::unique_ptr<Core>> cores;
    std::vector<std::unique_ptr<DmaGenerator>> dma_generators;  // in the order of the devices
};

}  // namespace ndsim
