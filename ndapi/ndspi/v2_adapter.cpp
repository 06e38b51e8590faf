// SPDX-License-Identifier: Apache-2.0
#include "ndapi/ndspi/v2_adapter.hpp"

#include <algorithm>
#include <array>

#include "ndapi/core/adapter_limits.hpp"
#include "ndapi/core/rounding.hpp"
#include "ndapi/ndspi/adapter_ids.hpp"
#include "ndapi/ndspi/returned_data.hpp"
#include "ndapi/ndspi/v2_completion_queue.hpp"
#include "ndapi/ndspi/v2_connections.hpp"
#include "ndapi/ndspi/v2_memory.hpp"
#include "ndapi/ndspi/v2_queue_pair.hpp"
#include "ndapi/ndspi/v2_shared_receive_queue.hpp"

namespace ndsim::nd {

namespace {

template <class Object>
HRESULT create(core::Driver& driver, Object& object, REFIID iid, VOID** out) {
    create_in_nic(driver, object);
    return hand_out(object, iid, out);
}

// Version 2 rounds up (B3, B4), unless told not to.
std::uint32_t rounded_receive_sges(const core::Driver& driver, std::uint32_t sges) {
    return core::rounds(driver, Rounding::field) ? core::field_sges(driver, WqeOpcode::receive, sges) : sges;
}

ULONG adapter_flags(const QueueParams& queues) {
    ULONG flags = ND_ADAPTER_FLAG_IN_ORDER_DMA_SUPPORTED | ND_ADAPTER_FLAG_MULTI_ENGINE_SUPPORTED;  // B8
    flags |= queues.cq.can_moderate ? ND_ADAPTER_FLAG_CQ_INTERRUPT_MODERATION_SUPPORTED : 0;
    flags |= queues.cq.can_resize ? ND_ADAPTER_FLAG_CQ_RESIZE_SUPPORTED : 0;
    return flags;
}

}  // namespace

std::shared_ptr<os::File> Adapter2::file_of(HANDLE file) const {
    return process().handles().find<os::File>(file);
}

HRESULT Adapter2::CreateOverlappedFile(HANDLE* file) {
    *file = process().handles().add(std::make_shared<os::File>());
    return ND_SUCCESS;
}

HRESULT Adapter2::Query(ND2_ADAPTER_INFO* info, ULONG* length) {
    const ULONG room = info == nullptr ? 0 : *length;
    *length = sizeof(ND2_ADAPTER_INFO);
    if (room < sizeof(ND2_ADAPTER_INFO)) {
        return ND_BUFFER_OVERFLOW;
    }
    if (info->InfoVersion != 1 && info->InfoVersion != ND_VERSION_2) {
        return ND_INVALID_PARAMETER;
    }
    const core::AdapterLimits limits = core::limits_of(driver());
    *info = {info->InfoVersion,
             kVendorId,
             kDeviceId,
             adapter_id(driver()),
             limits.registration_size,
             limits.window_size,
             limits.initiator_sges,
             limits.receive_sges,
             limits.read_sges,
             limits.transfer_length,
             limits.inline_bytes,
             limits.inbound_reads,
             limits.outbound_reads,
             limits.receive_depth,
             limits.initiator_depth,
             limits.srq_depth,
             limits.cq_depth,
             limits.inline_bytes,  // inline is best wherever possible (B7)
             limits.large_request,
             limits.caller_data,
             limits.callee_data,
             adapter_flags(driver().params().nic.queues)};
    return ND_SUCCESS;
}

HRESULT Adapter2::QueryAddressList(SOCKET_ADDRESS_LIST* list, ULONG* length) {
    return put_address_list({driver().ip_address(), 0}, list, length);
}

// The processor of an interrupt is not modelled, so any affinity is as good.
HRESULT Adapter2::CreateCompletionQueue(REFIID iid, HANDLE file, ULONG depth, USHORT, KAFFINITY, VOID** out) {
    if (depth == 0 || depth > core::kMaxCqDepth) {
        return ND_INVALID_PARAMETER_3;  // R17
    }
    auto& cq =
        make<CompletionQueue2>(driver(), adapter(), file_of(file), rounded_cq_depth(driver(), depth, Rounding::field));
    return create(driver(), cq, iid, out);
}

HRESULT Adapter2::CreateMemoryRegion(REFIID iid, HANDLE file, VOID** out) {
    return hand_out(make<MemoryRegion2>(driver(), adapter(), file_of(file)), iid, out);
}

HRESULT Adapter2::CreateMemoryWindow(REFIID iid, VOID** out) {
    return create(driver(), make<MemoryWindow2>(driver(), adapter()), iid, out);
}

HRESULT Adapter2::CreateSharedReceiveQueue(REFIID iid, HANDLE file, ULONG depth, ULONG sges, ULONG threshold, USHORT,
                                           KAFFINITY, VOID** out) {
    const core::AdapterLimits limits = core::limits_of(driver());
    if (limits.srq_depth == 0) {
        return ND_NOT_SUPPORTED;
    }
    if (depth == 0 || depth > limits.srq_depth || threshold > depth) {
        return ND_INVALID_PARAMETER_3;
    }
    if (sges > limits.receive_sges) {
        return ND_INVALID_PARAMETER_4;
    }
    const core::SrqLimits wanted{depth, rounded_receive_sges(driver(), sges), threshold};
    return create(driver(), make<SharedReceiveQueue2>(driver(), adapter(), file_of(file), wanted), iid, out);
}

HRESULT Adapter2::CreateQueuePair(REFIID iid, IUnknown* receive_cq, IUnknown* initiator_cq, VOID* context,
                                  ULONG receive_depth, ULONG initiator_depth, ULONG receive_sges, ULONG initiator_sges,
                                  ULONG inline_bytes, VOID** out) {
    auto* const receives = ours<CompletionQueue2>(receive_cq, adapter());
    auto* const sends = ours<CompletionQueue2>(initiator_cq, adapter());
    const core::AdapterLimits limits = core::limits_of(driver());
    // In the order of parameters; the first error counts (R16).
    const std::array checks{
        std::pair(receives != nullptr, ND_INVALID_PARAMETER_2),
        std::pair(sends != nullptr, ND_INVALID_PARAMETER_3),
        std::pair(receive_depth <= limits.receive_depth, ND_INVALID_PARAMETER_5),
        std::pair(initiator_depth > 0 && initiator_depth <= limits.initiator_depth, ND_INVALID_PARAMETER_6),
        std::pair(receive_sges <= limits.receive_sges, ND_INVALID_PARAMETER_7),
        std::pair(initiator_sges <= limits.initiator_sges, ND_INVALID_PARAMETER_8),
        std::pair(inline_bytes <= limits.inline_bytes, ND_INVALID_PARAMETER_9)};
    const auto wrong = std::ranges::find(checks, false, &std::pair<bool, HRESULT>::first);
    if (wrong != checks.end()) {
        return wrong->second;
    }
    const core::QpLimits wanted{receive_depth,
                                initiator_depth,
                                receive_sges,
                                initiator_sges,
                                inline_bytes,
                                Documents::networkdirect,
                                core::rounds(driver(), Rounding::field)};
    auto& qp = make<QueuePair2>(driver(), adapter(), receives->core(), sends->core(), nullptr, context, wanted);
    return create(driver(), qp, iid, out);
}

HRESULT Adapter2::CreateQueuePairWithSrq(REFIID iid, IUnknown* receive_cq, IUnknown* initiator_cq, IUnknown* shared,
                                         VOID* context, ULONG initiator_depth, ULONG initiator_sges, ULONG inline_bytes,
                                         VOID** out) {
    auto* const receives = ours<CompletionQueue2>(receive_cq, adapter());
    auto* const sends = ours<CompletionQueue2>(initiator_cq, adapter());
    auto* const srq = ours<SharedReceiveQueue2>(shared, adapter());
    const core::AdapterLimits limits = core::limits_of(driver());
    if (limits.srq_depth == 0) {
        return ND_NOT_SUPPORTED;
    }
    const std::array checks{
        std::pair(receives != nullptr, ND_INVALID_PARAMETER_2),
        std::pair(sends != nullptr, ND_INVALID_PARAMETER_3),
        std::pair(srq != nullptr, ND_INVALID_PARAMETER_4),
        std::pair(initiator_depth > 0 && initiator_depth <= limits.initiator_depth, ND_INVALID_PARAMETER_6),
        std::pair(initiator_sges <= limits.initiator_sges, ND_INVALID_PARAMETER_7),
        std::pair(inline_bytes <= limits.inline_bytes, ND_INVALID_PARAMETER_8)};
    const auto wrong = std::ranges::find(checks, false, &std::pair<bool, HRESULT>::first);
    if (wrong != checks.end()) {
        return wrong->second;
    }
    const core::QpLimits wanted{0,
                                initiator_depth,
                                0,
                                initiator_sges,
                                inline_bytes,
                                Documents::networkdirect,
                                core::rounds(driver(), Rounding::field)};
    auto& qp = make<QueuePair2>(driver(), adapter(), receives->core(), sends->core(), &srq->core(), context, wanted);
    return create(driver(), qp, iid, out);
}

HRESULT Adapter2::CreateConnector(REFIID iid, HANDLE file, VOID** out) {
    return hand_out(make<Connector2>(driver(), adapter(), file_of(file)), iid, out);
}

HRESULT Adapter2::CreateListener(REFIID iid, HANDLE file, VOID** out) {
    return hand_out(make<Listener2>(driver(), adapter(), file_of(file)), iid, out);
}

}  // namespace ndsim::nd
