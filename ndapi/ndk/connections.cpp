// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>

#include "ndapi/core/socket_address.hpp"
#include "ndapi/ndk/faces.hpp"

namespace ndsim::ndk {

namespace {

NTSTATUS put_address(core::Endpoint endpoint, SOCKADDR* address, ULONG* length) {
    const ULONG there = address == nullptr ? 0 : *length;
    *length = sizeof(sockaddr_in);
    if (there < sizeof(sockaddr_in)) {
        return STATUS_BUFFER_TOO_SMALL;
    }
    const sockaddr_in in = core::address_of(endpoint);
    std::memcpy(address, &in, sizeof in);
    return STATUS_SUCCESS;
}

std::span<const std::byte> bytes_of(const void* data, ULONG length) {
    return {static_cast<const std::byte*>(data), data == nullptr ? 0 : length};
}

core::Connector& core_of(NDK_CONNECTOR* connector) {
    return *face_by_now<ConnectorFace>(connector).core;
}

NTSTATUS connect(NDK_CONNECTOR* connector, NDK_QP* qp, const PSOCKADDR source, ULONG source_length,
                 const PSOCKADDR destination, ULONG destination_length, ULONG inbound, ULONG outbound, const PVOID data,
                 ULONG data_length, NDK_FN_REQUEST_COMPLETION completion, PVOID context) {
    const auto local = core::endpoint_of(source, source_length);
    const auto peer = core::endpoint_of(destination, destination_length);
    if (!local || !peer) {
        return STATUS_INVALID_ADDRESS;
    }
    return core_of(connector).connect(face<QpFace>(qp).core, *local, *peer, {inbound, outbound},
                                      bytes_of(data, data_length), report_to(completion, context));
}

NTSTATUS connect_with_shared_endpoint(NDK_CONNECTOR* connector, NDK_QP* qp, NDK_SHARED_ENDPOINT* endpoint,
                                      const PSOCKADDR destination, ULONG destination_length, ULONG inbound,
                                      ULONG outbound, const PVOID data, ULONG data_length,
                                      NDK_FN_REQUEST_COMPLETION completion, PVOID context) {
    const auto peer = core::endpoint_of(destination, destination_length);
    if (!peer) {
        return STATUS_INVALID_ADDRESS;
    }
    return core_of(connector).connect(face<QpFace>(qp).core, face<SharedEndpointFace>(endpoint).core, *peer,
                                      {inbound, outbound}, bytes_of(data, data_length), report_to(completion, context));
}

std::function<void()> event_of(NDK_FN_DISCONNECT_EVENT_CALLBACK event, PVOID context) {
    return event == nullptr ? std::function<void()>() : [event, context] { event(context); };
}
std::function<void()> event_of(NDK_FN_DISCONNECT_EVENT_CALLBACK_EX event, PVOID context) {
    return event == nullptr ? std::function<void()>() : [event, context] { event(context, 0); };  // no reason given
}

template <class Event>
NTSTATUS complete_connect(NDK_CONNECTOR* connector, Event event, PVOID event_context,
                          NDK_FN_REQUEST_COMPLETION completion, PVOID context) {
    return core_of(connector).complete_connect(event_of(event, event_context), report_to(completion, context));
}

template <class Event>
NTSTATUS accept(NDK_CONNECTOR* connector, NDK_QP* qp, ULONG inbound, ULONG outbound, const PVOID data,
                ULONG data_length, Event event, PVOID event_context, NDK_FN_REQUEST_COMPLETION completion,
                PVOID context) {
    return core_of(connector).accept(face<QpFace>(qp).core, {inbound, outbound}, bytes_of(data, data_length),
                                     event_of(event, event_context), report_to(completion, context));
}

NTSTATUS reject(NDK_CONNECTOR* connector, const PVOID data, ULONG length) {
    return core_of(connector).reject(bytes_of(data, length));
}

// The five cases of ndkpi.md 5.15 [K184].
NTSTATUS get_connection_data(NDK_CONNECTOR* connector, ULONG* inbound, ULONG* outbound, PVOID data, ULONG* length) {
    const core::Connector& core = core_of(connector);
    if (inbound != nullptr) {
        *inbound = core.limits().inbound;
    }
    if (outbound != nullptr) {
        *outbound = core.limits().outbound;
    }
    if (length == nullptr) {
        return STATUS_SUCCESS;
    }
    const ULONG there = *length;
    *length = core.peer_data_size();
    if (data == nullptr) {
        return there == 0 ? STATUS_SUCCESS : STATUS_INVALID_PARAMETER;
    }
    const std::span<const std::byte> sent = core.peer_data();
    std::memcpy(data, sent.data(), std::min<std::size_t>(there, sent.size()));
    return there >= *length ? STATUS_SUCCESS : STATUS_BUFFER_TOO_SMALL;
}

NTSTATUS local_address(NDK_CONNECTOR* connector, PSOCKADDR address, ULONG* length) {
    return put_address(core_of(connector).local(), address, length);
}

NTSTATUS peer_address(NDK_CONNECTOR* connector, PSOCKADDR address, ULONG* length) {
    return put_address(core_of(connector).peer(), address, length);
}

NTSTATUS disconnect(NDK_CONNECTOR* connector, NDK_FN_REQUEST_COMPLETION completion, PVOID context) {
    return core_of(connector).disconnect(report_to(completion, context));
}

NTSTATUS shared_endpoint_address(NDK_SHARED_ENDPOINT* endpoint, PSOCKADDR address, ULONG* length) {
    return put_address(face<SharedEndpointFace>(endpoint).core.local(), address, length);
}

NTSTATUS listen(NDK_LISTENER* listener, const PSOCKADDR address, ULONG length, NDK_FN_REQUEST_COMPLETION, PVOID) {
    const auto local = core::endpoint_of(address, length);
    return local ? face_by_now<ListenerFace>(listener).core.listen(*local) : STATUS_INVALID_ADDRESS;
}

NTSTATUS listener_address(NDK_LISTENER* listener, PSOCKADDR address, ULONG* length) {
    return put_address(face<ListenerFace>(listener).core.local(), address, length);
}

VOID control_connect_events(NDK_LISTENER* listener, BOOLEAN pause) {
    face_by_now<ListenerFace>(listener).core.pause(pause != 0);
}

}  // namespace

const NDK_CONNECTOR_DISPATCH kConnectorDispatch{
    close_object<ConnectorFace>,
    query_extension,
    connect,
    connect_with_shared_endpoint,
    complete_connect<NDK_FN_DISCONNECT_EVENT_CALLBACK>,
    accept<NDK_FN_DISCONNECT_EVENT_CALLBACK>,
    reject,
    get_connection_data,
    local_address,
    peer_address,
    disconnect,
    complete_connect<NDK_FN_DISCONNECT_EVENT_CALLBACK_EX>,
    accept<NDK_FN_DISCONNECT_EVENT_CALLBACK_EX>,
};
const NDK_LISTENER_DISPATCH kListenerDispatch{
    close_object<ListenerFace>, query_extension, listen, listener_address, control_connect_events,
};
const NDK_SHARED_ENDPOINT_DISPATCH kSharedEndpointDispatch{
    close_object<SharedEndpointFace>,
    query_extension,
    shared_endpoint_address,
};

SharedEndpointFace::SharedEndpointFace(AdapterFace& parent)
    : Child(NdkObjectTypeSharedEndpoint, parent, kSharedEndpointDispatch), core(parent.driver) {}

ConnectorFace::ConnectorFace(AdapterFace& parent)
    : ConnectorFace(parent, std::make_unique<core::Connector>(parent.driver)) {}

ConnectorFace::ConnectorFace(AdapterFace& parent, std::unique_ptr<core::Connector> incoming)
    : Child(NdkObjectTypeConnector, parent, kConnectorDispatch), core(std::move(incoming)) {}

ListenerFace::ListenerFace(AdapterFace& parent, core::Listener::Incoming incoming)
    : Child(NdkObjectTypeListener, parent, kListenerDispatch), core(parent.driver, std::move(incoming)) {}

}  // namespace ndsim::ndk
