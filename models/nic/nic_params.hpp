// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/context/context_params.hpp"
#include "models/control/control_params.hpp"
#include "models/dma/dma_params.hpp"
#include "models/doorbell/doorbell_params.hpp"
#include "models/host/adapter_params.hpp"
#include "models/host/cpu_params.hpp"
#include "models/parts/pcie_params.hpp"
#include "models/parts/queue_params.hpp"
#include "models/root/iommu_params.hpp"
#include "models/root/root_params.hpp"
#include "models/translation/translation_params.hpp"
#include "models/transport/transport_params.hpp"
#include "models/wire/wire_params.hpp"
#include "models/wqe/wqe_params.hpp"

namespace ndsim {

// The NIC's parameters: those of its units, side by side under "nic".
struct NicParams {
    QueueParams queues;
    DoorbellParams doorbell;
    WqeParams wqe;
    DmaParams dma;
    ContextParams context;
    TranslationParams translation;
    TransportParams transport;
    PortParams port;
    ControlParams control;

    template <class Field>
    void fields(Field&& field) {
        queues.fields(field);
        doorbell.fields(field);
        wqe.fields(field);
        dma.fields(field);
        context.fields(field);
        translation.fields(field);
        transport.fields(field);
        port.fields(field);
        control.fields(field);
    }
};

// A host's hardware.
struct NodeParams {
    CpuParams cpu;
    RootParams root;
    IommuParams iommu;
    PcieParams pcie;
    NicParams nic;
    AdapterParams adapter;

    template <class Field>
    void fields(Field&& field) {
        field("cpu", cpu, "what host software costs");
        field("root", root, "the root complex and the memory behind it");
        field("iommu", iommu, "translation of the device's addresses");
        field("pcie", pcie, "the link between host and NIC");
        field("nic", nic, "the NIC");
        field("adapter", adapter, "what the driver does where the interfaces leave it a choice");
    }
};

}  // namespace ndsim
