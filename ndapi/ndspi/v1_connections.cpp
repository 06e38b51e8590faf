// SPDX-License-Identifier: Apache-2.0
#include "ndapi/ndspi/v1_connections.hpp"

#include <algorithm>
#include <array>

#include "ndapi/core/adapter_limits.hpp"
#include "ndapi/core/rounding.hpp"
#include "ndapi/ndspi/returned_data.hpp"
#include "ndapi/ndspi/v1_completion_queue.hpp"
#include "ndapi/ndspi/v1_endpoint.hpp"
#include "ndapi/windows/abi/byteorder.h"

namespace ndsim::nd {

namespace {

void put(SIZE_T* out, SIZE_T value) {
    if (out != nullptr) {
        *out = value;
    }
}

}  // namespace

Connector1::Connector1(Shared1& owner) : Connecting(owner, IID_INDConnector) {}

HRESULT Connector1::CreateEndpoint(INDCompletionQueue* inbound, INDCompletionQueue* outbound, SIZE_T inbound_depth,
                                   SIZE_T outbound_depth, SIZE_T inbound_sges, SIZE_T outbound_sges,
                                   SIZE_T inbound_reads, SIZE_T outbound_reads, SIZE_T* inline_bytes,
                                   INDEndpoint** out) {
    auto* const receives = ours<CompletionQueue1>(inbound, adapter());
    auto* const sends = ours<CompletionQueue1>(outbound, adapter());
    const core::AdapterLimits limits = core::limits_of(driver());
    // In the order of parameters; the first error counts (R15).
    const std::array checks{
        std::pair(receives != nullptr, ND_INVALID_PARAMETER_1),
        std::pair(sends != nullptr, ND_INVALID_PARAMETER_2),
        std::pair(inbound_depth <= limits.receive_depth, ND_INVALID_PARAMETER_3),
        std::pair(outbound_depth > 0 && outbound_depth <= limits.initiator_depth, ND_INVALID_PARAMETER_4),
        std::pair(inbound_sges <= limits.receive_sges, ND_INVALID_PARAMETER_5),
        std::pair(outbound_sges <= limits.initiator_sges, ND_INVALID_PARAMETER_6),
        std::pair(inbound_reads <= limits.inbound_reads, ND_INVALID_PARAMETER_7),
        std::pair(outbound_reads <= limits.outbound_reads, ND_INVALID_PARAMETER_8)};
    const auto wrong = std::ranges::find(checks, false, &std::pair<bool, HRESULT>::first);
    if (wrong != checks.end()) {
        return wrong->second;
    }
    if (has_endpoint_) {
        return ND_NOT_SUPPORTED;
    }
    has_endpoint_ = true;
    const core::QpLimits wanted{static_cast<std::uint32_t>(inbound_depth),
                                static_cast<std::uint32_t>(outbound_depth),
                                static_cast<std::uint32_t>(inbound_sges),
                                static_cast<std::uint32_t>(outbound_sges),
                                limits.inline_bytes,
                                Documents::networkdirect,
                                core::rounds(driver(), Rounding::exact)};
    const core::ReadLimits reads{static_cast<std::uint32_t>(inbound_reads), static_cast<std::uint32_t>(outbound_reads)};
    auto& endpoint = make<Endpoint1>(driver(), owner(), connection(),
                                     Endpoint1::Queues{receives->core(), sends->core()}, wanted, reads);
    create_in_nic(driver(), endpoint);
    put(inline_bytes, limits.inline_bytes);
    *out = &endpoint;
    return ND_SUCCESS;
}

// An endpoint serves the connector that made it, and no other.
HRESULT Connector1::Connect(INDEndpoint* endpoint, const sockaddr* address, SIZE_T length, INT protocol,
                            USHORT local_port, const VOID* data, SIZE_T data_length, OVERLAPPED* overlapped) {
    auto* const mine = ours<Endpoint1>(endpoint, adapter());
    if (mine == nullptr || !mine->belongs_to(connection())) {
        return ND_INVALID_PARAMETER_1;
    }
    if (!is_protocol(protocol)) {
        return ND_INVALID_PARAMETER_4;
    }
    return connection()->connect(mine->core(), address, length, mine->reads(), {data, data_length}, *overlapped,
                                 ntohs(local_port));
}

HRESULT Connector1::Accept(INDEndpoint* endpoint, const VOID* data, SIZE_T data_length, OVERLAPPED* overlapped) {
    auto* const mine = ours<Endpoint1>(endpoint, adapter());
    return mine == nullptr || !mine->belongs_to(connection())
               ? ND_INVALID_PARAMETER_1
               : connection()->accept(mine->core(), mine->reads(), {data, data_length}, *overlapped);
}

// A peer that refused also has private data, but no limits.
HRESULT Connector1::GetConnectionData(SIZE_T* inbound, SIZE_T* outbound, VOID* data, SIZE_T* length) {
    const auto bytes = connection()->private_data();
    if (!bytes) {
        return ND_CONNECTION_INVALID;
    }
    const core::ReadLimits limits = connection()->read_limits().value_or(core::ReadLimits{});
    put(inbound, limits.inbound);
    put(outbound, limits.outbound);
    return put_data(bytes, data, length);
}

Listen1::Listen1(Shared1& owner) : Overlapped1(owner, IID_INDListen), listening_(*adapter(), requests()) {}

// A second listen at a port (R133), and the code that the tests of InfiniBand's providers expect.
HRESULT Listen1::begin(SIZE_T backlog, std::uint16_t port) {
    const NTSTATUS status = listening_.listen({driver().ip_address(), port}, backlog);
    switch (status) {
        case STATUS_SHARING_VIOLATION:
            return driver().profile() == StatusProfile::infiniband ? STATUS_ADDRESS_ALREADY_ASSOCIATED
                                                                   : ND_ADDRESS_ALREADY_EXISTS;
        case STATUS_TOO_MANY_ADDRESSES:
            return ND_INSUFFICIENT_RESOURCES;
        default:
            return status;
    }
}

void Listen1::take_down() {
    requests().cancel();  // R135
    listening_.leave([this](core::Object& object) { close(object); });
}

HRESULT Listen1::GetConnectionRequest(INDConnector* connector, OVERLAPPED* overlapped) {
    auto* const into = ours<Connector1>(connector, adapter());
    return into == nullptr ? ND_INVALID_PARAMETER_1 : listening_.next_request(into->connection(), *overlapped);
}

}  // namespace ndsim::nd
