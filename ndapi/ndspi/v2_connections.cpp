// SPDX-License-Identifier: Apache-2.0
#include "ndapi/ndspi/v2_connections.hpp"

#include "ndapi/core/closing.hpp"
#include "ndapi/ndspi/returned_data.hpp"
#include "ndapi/ndspi/v2_queue_pair.hpp"

namespace ndsim::nd {

Connector2::Connector2(const AdapterPtr& adapter, std::shared_ptr<os::File> file)
    : Connecting(adapter, std::move(file), IID_IND2Connector) {}

HRESULT Connector2::Bind(const sockaddr* address, ULONG length) {
    return connection()->bind(address, length);
}

HRESULT Connector2::Connect(IUnknown* object, const sockaddr* address, ULONG length, ULONG inbound, ULONG outbound,
                            const VOID* data, ULONG data_length, OVERLAPPED* overlapped) {
    auto* const qp = ours<QueuePair2>(object, adapter());
    return qp == nullptr ? ND_INVALID_PARAMETER_1
                         : connection()->connect(qp->core(), address, length, {inbound, outbound}, {data, data_length},
                                                 *overlapped);
}

HRESULT Connector2::Accept(IUnknown* object, ULONG inbound, ULONG outbound, const VOID* data, ULONG data_length,
                           OVERLAPPED* overlapped) {
    auto* const qp = ours<QueuePair2>(object, adapter());
    return qp == nullptr ? ND_INVALID_PARAMETER_1
                         : connection()->accept(qp->core(), {inbound, outbound}, {data, data_length}, *overlapped);
}

HRESULT Connector2::GetReadLimits(ULONG* inbound, ULONG* outbound) {
    const auto limits = connection()->read_limits();
    if (!limits) {
        return ND_CONNECTION_INVALID;
    }
    if (inbound != nullptr) {
        *inbound = limits->inbound;
    }
    if (outbound != nullptr) {
        *outbound = limits->outbound;
    }
    return ND_SUCCESS;
}

HRESULT Connector2::GetPrivateData(VOID* data, ULONG* length) {
    return put_data(connection()->private_data(), data, length);
}

Listener2::Listener2(const AdapterPtr& adapter, std::shared_ptr<os::File> file)
    : Overlapped2(adapter, std::move(file), IID_IND2Listener), listening_(*adapter, requests()) {}

void Listener2::leave() {
    requests().cancel();  // R135
    if (bound_ != nullptr) {
        core::close_and_forget(driver(), std::move(bound_));
    }
    listening_.leave([this](core::Object& object) { close(object); });
}

HRESULT Listener2::Bind(const sockaddr* address, ULONG length) {
    if (bound_once_) {
        return STATUS_ADDRESS_ALREADY_ASSOCIATED;  // B26
    }
    const auto local = core::endpoint_of(address, length);
    if (!local) {
        return ND_INVALID_ADDRESS;
    }
    auto endpoint = std::make_unique<core::SharedEndpoint>(driver());
    const NTSTATUS status = endpoint->open(*local);
    if (status == STATUS_SUCCESS) {
        bound_ = std::move(endpoint);
        bound_once_ = true;
    }
    // R133, and the code that the tests of InfiniBand's providers expect.
    if (status == STATUS_SHARING_VIOLATION && driver().profile() == StatusProfile::infiniband) {
        return STATUS_ADDRESS_ALREADY_ASSOCIATED;
    }
    return status == STATUS_INVALID_ADDRESS ? STATUS_BAD_NETWORK_NAME : status;
}

// The port passes from the bound address to the listener without a gap.
HRESULT Listener2::Listen(ULONG backlog) {
    if (bound_ == nullptr) {
        return ND_INVALID_DEVICE_STATE;
    }
    const core::Endpoint local = bound_->local();
    core::close_and_forget(driver(), std::move(bound_));
    return listening_.listen(local, backlog);
}

HRESULT Listener2::GetLocalAddress(sockaddr* address, ULONG* length) {
    const auto local = listening_.local();
    return local ? put_address(local, address, length) : ND_INVALID_DEVICE_STATE;
}

HRESULT Listener2::GetConnectionRequest(IUnknown* object, OVERLAPPED* overlapped) {
    auto* const connector = ours<Connector2>(object, adapter());
    return connector == nullptr ? ND_INVALID_PARAMETER_1
                                : listening_.next_request(connector->connection(), *overlapped);
}

}  // namespace ndsim::nd
