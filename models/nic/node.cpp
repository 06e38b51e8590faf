// SPDX-License-Identifier: Apache-2.0
#include "models/nic/node.hpp"

#include <algorithm>

#include "models/dma/dma_generator.hpp"
#include "models/nic/nic.hpp"
#include "models/pcie/pcie_link.hpp"
#include "models/root/root_complex.hpp"

namespace ndsim {

namespace {

// Relaxed writes do not wait for each other's commits, so the cap of strict ones does not apply.
RootParams root_of(const NodeParams& params) {
    RootParams root = params.root;
    if (params.pcie.relaxed_ordering) {
        root.strict_write_cap = {};
    }
    return root;
}

}  // namespace

Node::Node(const sc_core::sc_module_name& name, Timeline& its_timeline, HostId host_id, const NodeParams& node_params,
           Ledgers& ledgers, PayloadPool& payload_pool, const SoftwareNames& names,
           std::span<const DmaDevice> dma_devices)
    : sc_module(name),
      timeline(its_timeline),
      host(host_id),
      params(node_params),
      payloads(payload_pool),
      memory("memory", timeline),
      interrupts("interrupts", timeline, params.cpu),
      root(std::make_unique<RootComplex>("root", timeline, root_of(params), params.iommu, payloads)),
      pcie(std::make_unique<PcieLink>("pcie", timeline, params.pcie)),
      nic(std::make_unique<Nic>("nic", timeline, host, params.nic, params.pcie, ledgers, payloads)),
      qps("qps", timeline, names.qps),
      cqs("cqs", timeline, names.cqs),
      srqs("srqs", timeline, names.srqs) {
    pcie->client.bind(nic->dma.link_events);
    pcie->bar.bind(nic->doorbell.bar);
    pcie->root.bind(root->port);
    root->link.bind(pcie->root_events);
    root->memory.bind(memory.port);
    root->interrupts.bind(interrupts.port);
    memory.cached_by(*root);
    nic->context.table_at(memory.reserve(ContextCache::kTableBytes).base);
    nic->translation.table_at(memory.reserve(TranslationCache::kTableBytes).base);
    nic->dma.link.bind(pcie->device);
    nic->protection.memory.bind(memory.port);
    for (const std::string& core_name : names.cores) {
        cores.push_back(std::make_unique<Core>(core_name.c_str(), timeline, running, params.cpu.store_buffer));
    }
    for (const DmaDevice& device : dma_devices) {
        const Address window = memory.allocate(device.params.window.count).base;
        nic->translation.add_physical(window, device.params.window.count);
        dma_generators.push_back(std::make_unique<DmaGenerator>(device.name.c_str(), timeline, device.params, window,
                                                                device.seed, payloads));
        dma_generators.back()->dma.bind(nic->dma.port);
    }
}

Node::~Node() = default;

void Node::store(const Mmio& mmio, Core& core) {
    pcie->store(core.clock(), mmio, core);
}

Core& Node::core(std::string_view core_name) {
    const auto found = std::find_if(cores.begin(), cores.end(),
                                    [core_name](const auto& core) { return core->basename() == core_name; });
    return **found;
}

}  // namespace ndsim
