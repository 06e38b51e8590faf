// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/context/context_cache.hpp"
#include "models/control/control_unit.hpp"
#include "models/cq/completion_engine.hpp"
#include "models/dma/dma_engine.hpp"
#include "models/doorbell/doorbell_unit.hpp"
#include "models/nic/nic_params.hpp"
#include "models/protection/protection_table.hpp"
#include "models/translation/translation_cache.hpp"
#include "models/transport/completer.hpp"
#include "models/transport/receiver.hpp"
#include "models/transport/requester.hpp"
#include "models/transport/responder.hpp"
#include "models/wire/egress.hpp"
#include "models/wire/ingress.hpp"
#include "models/wqe/receive_queues.hpp"
#include "models/wqe/wqe_engine.hpp"

namespace ndsim {

// Nic: the units of an RDMA NIC and their connections. It has no behaviour of its own.
class Nic final : public sc_core::sc_module {
public:
    Nic(const sc_core::sc_module_name& name, Timeline& timeline, HostId host, const NicParams& params,
        const PcieParams& pcie, Ledgers& ledgers, PayloadPool& payloads);

    DoorbellUnit doorbell;
    WqeEngine wqe;
    ReceiveQueues rq;
    DmaEngine dma;
    ContextCache context;
    TranslationCache translation;
    ProtectionTable protection;
    ReadResponses read_responses;
    LocalOperations local_operations;
    RetransmitBuffer retransmit_buffer;
    PsnWindows psn_windows;
    SendGate send_gate;
    Completer completer;
    Requester requester;
    ReadResponder read_responder;
    Responder responder;
    Receiver receiver;
    CompletionEngine cq;
    Egress tx;
    Ingress rx;
    ControlUnit control;
};

}  // namespace ndsim
