// SPDX-License-Identifier: Apache-2.0
#include "ndapi/ndk/adapter.hpp"

#include <algorithm>

#include "ndapi/core/adapter_limits.hpp"
#include "ndapi/core/blocking.hpp"
#include "ndapi/core/socket_address.hpp"
#include "ndapi/ndk/faces.hpp"

namespace ndsim::ndk {

namespace {

// Keys have 24-bit numbers, shared by regions and windows; the first ones are not for programs.
constexpr ULONG kMaxKeys = (1U << 24U) - key_index(kPrivilegedKey) - 1;

ULONG adapter_flags(const QueueParams& queues) {
    ULONG flags = NDK_ADAPTER_FLAG_IN_ORDER_DMA_SUPPORTED | NDK_ADAPTER_FLAG_RDMA_READ_SINK_NOT_REQUIRED;
    flags |= queues.cq.can_moderate ? NDK_ADAPTER_FLAG_CQ_INTERRUPT_MODERATION_SUPPORTED : 0;
    flags |= queues.cq.can_resize ? NDK_ADAPTER_FLAG_CQ_RESIZE_SUPPORTED : 0;
    flags |= queues.read_local_invalidate ? NDK_ADAPTER_FLAG_RDMA_READ_LOCAL_INVALIDATE_SUPPORTED : 0;
    return flags;
}

NTSTATUS query_adapter_info(NDK_ADAPTER* adapter, NDK_ADAPTER_INFO* info, ULONG* size) {
    const ULONG there = info == nullptr ? 0 : *size;
    *size = sizeof(NDK_ADAPTER_INFO);
    if (there < sizeof(NDK_ADAPTER_INFO)) {
        return STATUS_BUFFER_TOO_SMALL;
    }
    *info = info_of(face<AdapterFace>(adapter));
    return STATUS_SUCCESS;
}

NTSTATUS create_pd(NDK_ADAPTER* adapter, NDK_FN_CREATE_COMPLETION completion, PVOID context, NDK_PD** pd) {
    AdapterFace& parent = face<AdapterFace>(adapter);
    auto* const object = make_face<PdFace>(parent.driver, parent);
    return hand_out(parent.driver, pd, object, STATUS_SUCCESS, completion, context);
}

NTSTATUS create_cq(NDK_ADAPTER* adapter, ULONG depth, NDK_FN_CQ_NOTIFICATION_CALLBACK notify, PVOID notify_context,
                   GROUP_AFFINITY*, NDK_FN_CREATE_COMPLETION completion, PVOID context, NDK_CQ** out) {
    if (depth == 0 || depth > core::kMaxCqDepth) {
        return STATUS_INVALID_PARAMETER;
    }
    AdapterFace& parent = face<AdapterFace>(adapter);
    auto* const cq = make_face<CqFace>(parent.driver, parent, depth, [notify, notify_context](NTSTATUS status) {
        if (notify != nullptr) {
            notify(notify_context, status);
        }
    });
    return create_in_nic(parent.driver, out, cq, completion, context);
}

NTSTATUS create_connector(NDK_ADAPTER* adapter, NDK_FN_CREATE_COMPLETION completion, PVOID context,
                          NDK_CONNECTOR** connector) {
    AdapterFace& parent = face<AdapterFace>(adapter);
    auto* const object = make_face<ConnectorFace>(parent.driver, parent);
    return hand_out(parent.driver, connector, object, STATUS_SUCCESS, completion, context);
}

NTSTATUS create_listener(NDK_ADAPTER* adapter, NDK_FN_CONNECT_EVENT_CALLBACK event, PVOID event_context,
                         NDK_FN_CREATE_COMPLETION completion, PVOID context, NDK_LISTENER** listener) {
    AdapterFace& parent = face<AdapterFace>(adapter);
    const auto incoming = [&parent, event, event_context](std::unique_ptr<core::Connector> connector) {
        event(event_context, make_face<ConnectorFace>(parent.driver, parent, std::move(connector)));
    };
    auto* const object = make_face<ListenerFace>(parent.driver, parent, incoming);
    return hand_out(parent.driver, listener, object, STATUS_SUCCESS, completion, context);
}

NTSTATUS create_shared_endpoint(NDK_ADAPTER* adapter, const PSOCKADDR address, ULONG length,
                                NDK_FN_CREATE_COMPLETION completion, PVOID context, NDK_SHARED_ENDPOINT** endpoint) {
    AdapterFace& parent = face<AdapterFace>(adapter);
    const auto local = core::endpoint_of(address, length);
    auto* object = make_face<SharedEndpointFace>(parent.driver, parent);
    const NTSTATUS status = local ? object->core.open(*local) : STATUS_INVALID_ADDRESS;
    if (status != STATUS_SUCCESS) {
        parent.driver.drop(object);
        parent.release();
        object = nullptr;
    }
    return hand_out(parent.driver, endpoint, object, status, completion, context);
}

NDK_ADAPTER_INFO info_of(const core::Driver& driver, NDK_VERSION version) {
    const core::AdapterLimits limits = core::limits_of(driver);
    NDK_ADAPTER_INFO info{};
    info.Version = version;
    info.MaxRegistrationSize = limits.registration_size;
    info.MaxWindowSize = limits.window_size;
    info.FRMRPageCount = kFastRegisterPages;
    info.MaxInitiatorRequestSge = limits.initiator_sges;
    info.MaxReceiveRequestSge = limits.receive_sges;
    info.MaxReadRequestSge = limits.read_sges;
    info.MaxTransferLength = limits.transfer_length;
    info.MaxInlineDataSize = limits.inline_bytes;
    info.MaxInboundReadLimit = limits.inbound_reads;
    info.MaxOutboundReadLimit = limits.outbound_reads;
    info.MaxReceiveQueueDepth = limits.receive_depth;
    info.MaxInitiatorQueueDepth = limits.initiator_depth;
    info.MaxSrqDepth = limits.srq_depth;
    info.MaxCqDepth = limits.cq_depth;
    info.LargeRequestThreshold = limits.large_request;
    info.MaxCallerData = limits.caller_data;
    info.MaxCalleeData = limits.callee_data;
    info.AdapterFlags = adapter_flags(driver.params().nic.queues);
    info.RdmaTechnology = NdkRoCEv2;
    return info;
}

}  // namespace

NDK_ADAPTER_INFO info_of(const AdapterFace& adapter) {
    return info_of(adapter.driver, adapter.Header.Version);
}

const NDK_ADAPTER_DISPATCH kAdapterDispatch{
    query_extension,  query_adapter_info, create_cq, create_pd,   create_shared_endpoint,
    create_connector, create_listener,    build_lam, release_lam,
};

NTSTATUS query_extension(NDK_OBJECT_HEADER*, const GUID*, NDK_VERSION, NDK_EXTENSION_INTERFACE*) {
    return STATUS_NOT_SUPPORTED;
}

AdapterFace::AdapterFace(core::Driver& adapter_driver, NDK_VERSION agreed)
    : NDK_ADAPTER{{agreed, NdkObjectTypeAdapter, {}}, &kAdapterDispatch}, driver(adapter_driver) {}

NDIS_STATUS open_adapter(core::Driver& driver, NDK_VERSION wanted, NDK_ADAPTER** adapter) {
    if (!driver.enabled()) {
        return NDIS_STATUS_ADAPTER_NOT_READY;
    }
    // NDKPI has had majors 1 and 2; the highest minor of each is the one in use.
    constexpr std::array<NDK_VERSION, 2> kSpoken{{{1, 2}, kVersion}};
    const auto* const spoken = std::find_if(kSpoken.begin(), kSpoken.end(), [&](const NDK_VERSION& version) {
        return version.Major == wanted.Major && version.Minor >= wanted.Minor;
    });
    if (spoken == kSpoken.end()) {
        return NDIS_STATUS_BAD_VERSION;
    }
    *adapter = make_face<AdapterFace>(driver, driver, *spoken);
    return STATUS_SUCCESS;
}

NDIS_NDK_CAPABILITIES capabilities(const core::Driver& driver, NDK_ADAPTER_INFO& info) {
    info = info_of(driver, kVersion);
    NDIS_NDK_CAPABILITIES all{};
    all.Header = {NDIS_OBJECT_TYPE_DEFAULT, NDIS_NDK_CAPABILITIES_REVISION_1, sizeof all};
    all.MaxQpCount = kQpPlaces;
    all.MaxCqCount = MAXULONG;
    all.MaxMrCount = kMaxKeys;
    all.MaxPdCount = MAXULONG;
    all.MaxMwCount = kMaxKeys;
    all.MaxSrqCount = info.MaxSrqDepth == 0 ? 0 : MAXULONG;
    all.MissingCounterMask = 0;  // every counter is kept
    all.NdkInfo = &info;
    return all;
}

NDIS_NDK_PERFORMANCE_COUNTERS performance_counters(core::Driver& driver) {
    const core::DriverCounters& of = driver.counters();
    NDIS_NDK_PERFORMANCE_COUNTERS counters{};
    counters.Connect = of.connects;
    counters.Accept = of.accepts;
    counters.ConnectFailure = of.connect_failures;
    counters.ConnectionError = of.connection_errors;
    counters.ActiveConnection = of.active_connections;
    counters.CQError = of.cq_errors;
    counters.RDMAInOctets = driver.device().received().octets;
    counters.RDMAOutOctets = driver.device().sent().octets;
    counters.RDMAInFrames = driver.device().received().frames;
    counters.RDMAOutFrames = driver.device().sent().frames;
    return counters;
}

void close_adapter(NDK_ADAPTER* adapter) {
    AdapterFace& object = face<AdapterFace>(adapter);
    core::Driver& driver = object.driver;
    core::wait_for(driver, "the objects of its adapter to be closed", [&object](const auto& done) {
        object.close([done](const std::function<void()>&) { done(STATUS_SUCCESS); });
        return STATUS_PENDING;
    });
    driver.drop(&object);
}

}  // namespace ndsim::ndk
