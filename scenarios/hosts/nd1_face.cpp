// SPDX-License-Identifier: Apache-2.0
#include "scenarios/hosts/nd1_face.hpp"

#include "ndapi/ndspi/v1_adapter.hpp"
#include "ndapi/ndspi/v1_endpoint.hpp"

// A host that uses NDSPI's version 1: its adapter, memory and queues. Its requests are in nd1_posts.cpp, its
// connections in nd1_connections.cpp.
namespace ndsim {

NTSTATUS Nd1Face::end(INDOverlapped& object, HRESULT returned) {
    return returned == ND_PENDING ? end_of(object, call_) : returned;
}

NTSTATUS Nd1Face::open() {
    INDProvider* provider = nullptr;
    HRESULT status = process_.provider(IID_INDProvider, reinterpret_cast<void**>(&provider));
    if (status == ND_SUCCESS) {
        const sockaddr_in own = side_.address("");
        status = provider->OpenAdapter(reinterpret_cast<const sockaddr*>(&own), sizeof own, &adapter_);
        provider->Release();
    }
    return status;
}

// For this host alone: peers reach it through windows.
NTSTATUS Nd1Face::add_buffer(const std::string& name, HostBuffer& buffer) {
    Region& region = buffers_[name];
    region.data = buffer.memory.data();
    const HRESULT status =
        end(*adapter_, adapter_->RegisterMemory(region.data, buffer.memory.size(), &call_, &region.handle));
    if (status == ND_SUCCESS) {
        buffer.region = static_cast<nd::Adapter1*>(adapter_)->registrations().find(region.handle);
    }
    return status;
}

NTSTATUS Nd1Face::add_memory(const MemoryObject& object, RemoteRange&) {
    Window& window = windows_[object.name];
    return adapter_->CreateMemoryWindow(&window.invalidated, &window.window);
}

NTSTATUS Nd1Face::add_cq(const std::string& name, std::uint32_t depth) {
    return adapter_->CreateCompletionQueue(depth, &cqs_[name].cq);
}

NTSTATUS Nd1Face::add_qp(const QueuePair& qp) {
    QpHandle& handle = qps_[qp.name];
    if (const HRESULT status = adapter_->CreateConnector(&handle.connector); status != ND_SUCCESS) {
        return status;
    }
    SIZE_T inline_max = qp.inline_max;
    return handle.connector->CreateEndpoint(cqs_.at(qp.receive_cq).cq, cqs_.at(qp.send_cq).cq, qp.rq.depth, qp.sq.depth,
                                            qp.max_sge, qp.max_sge, qp.inbound_reads, qp.outbound_reads, &inline_max,
                                            &handle.endpoint);
}

std::optional<QpNum> Nd1Face::number_of(const std::string& qp) const {
    const auto found = qps_.find(qp);
    if (found == qps_.end() || found->second.endpoint == nullptr) {
        return std::nullopt;
    }
    return static_cast<nd::Endpoint1*>(found->second.endpoint)->core().number();
}

std::uint64_t Nd1Face::cq_failures() const {
    std::uint64_t sum = 0;
    for (const auto& [name, cq] : cqs_) {
        sum += cq.notifies.failures();
    }
    return sum;
}

}  // namespace ndsim
