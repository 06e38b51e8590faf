// SPDX-License-Identifier: Apache-2.0
#include "models/nic/send_steps.hpp"

#include <array>

#include "models/nic/nic.hpp"
#include "models/pcie/pcie_link.hpp"
#include "models/root/iommu.hpp"

namespace ndsim {

namespace {

using enum ShownAs;

constexpr std::array kSendSteps{
    SendStep{SendStep::kCores, "activity", wave},
    SendStep{"pcie", DownLink::kBarHeadersPool},
    SendStep{"pcie", "down_express", wave_and_track},
    SendStep{"nic.doorbell", DoorbellUnit::kFifoPool, wave_and_counter},
    SendStep{"nic.doorbell", "decoder", track},
    SendStep{"nic.wqe", "state", wave_and_track},
    SendStep{"nic.wqe", "request", wave},
    SendStep{"nic.wqe", MessageStarts::kInFlightPool},
    SendStep{"nic.context", ContextCache::kFetchesPool},
    SendStep{"nic.translation", TranslationCache::kFetchesPool},
    SendStep{"nic.read_responses", ReadResponses::kBufferPool},
    SendStep{"nic.requester", "packets", track},
    SendStep{"nic.dma", "reads", track},
    SendStep{"pcie", "up_express", wave_and_track},
    SendStep{"pcie", "down_bulk", wave_and_track},
    SendStep{"nic.dma", DmaPools::kReadsPool, wave},
    SendStep{"nic.dma", DmaPools::kTagsPool, counter},
    SendStep{"pcie", PcieLink::kNonpostedHeadersPool},
    SendStep{"nic.tx", Egress::kTxFifoPool, wave_and_counter},
    SendStep{"nic.tx", "paused", wave},
    SendStep{"nic.tx", "", track},
    SendStep{SendStep::kNetwork},
    SendStep{"nic.rx", "packet", wave},
    SendStep{"nic.rx", "", track},
    SendStep{"nic.rx", Ingress::kRxBufferPool, wave_and_counter},
    SendStep{"nic.rq", ReceiveQueues::kAheadPool},
    SendStep{"nic.responder", "request", wave},
    SendStep{"nic.responder", "waits", wave},
    SendStep{"nic.protection", "key", wave},
    SendStep{"nic.protection", "change", wave},
    SendStep{"nic.protection", "refused", wave},
    SendStep{"nic.responder", "packets", track},
    SendStep{"nic.read_responder", "packets", track},
    SendStep{"nic.dma", DmaPools::kWritesPool, wave},
    SendStep{"nic.dma", "writes", track},
    SendStep{"pcie", PostedCredits::kHeadersPool},
    SendStep{"pcie", PostedCredits::kDataPool},
    SendStep{"root", Iommu::kWalksPool},
    SendStep{"pcie", "up_bulk", wave_and_track},
    SendStep{"nic.cq", "request", wave},
    SendStep{"nic.cq", "entries", track},
    // Resources that the sender holds over several of these steps.
    SendStep{"nic.wqe", "sq_in_flight", wave},
    SendStep{"nic.wqe", "cache", wave},
};

}  // namespace

std::span<const SendStep> send_steps() {
    return kSendSteps;
}

}  // namespace ndsim
