// SPDX-License-Identifier: Apache-2.0
#include "scenarios/hosts/nd2_face.hpp"

#include "ndapi/ndspi/v2_completion_queue.hpp"
#include "ndapi/ndspi/v2_memory.hpp"
#include "ndapi/ndspi/v2_queue_pair.hpp"
#include "ndapi/windows/abi/byteorder.h"

// A host that uses NDSPI's version 2: its adapter, memory and queues. Its requests are in nd2_posts.cpp, its
// connections in nd2_connections.cpp.
namespace ndsim {

namespace {

template <class Interface>
void** out(Interface*& object) {
    return reinterpret_cast<void**>(&object);
}

}  // namespace

NTSTATUS Nd2Face::end(IND2Overlapped& object, HRESULT returned) {
    return returned == ND_PENDING ? end_of(object, call_) : returned;
}

NTSTATUS Nd2Face::open() {
    IND2Provider* provider = nullptr;
    if (const HRESULT status = process_.provider(IID_IND2Provider, out(provider)); status != ND_SUCCESS) {
        return status;
    }
    const sockaddr_in own = side_.address("");
    UINT64 id = 0;
    HRESULT status = provider->ResolveAddress(reinterpret_cast<const sockaddr*>(&own), sizeof own, &id);
    if (status == ND_SUCCESS) {
        status = provider->OpenAdapter(IID_IND2Adapter, id, out(adapter_));
    }
    provider->Release();
    return status == ND_SUCCESS ? adapter_->CreateOverlappedFile(&file_) : status;
}

NTSTATUS Nd2Face::add_buffer(const std::string& name, HostBuffer& buffer) {
    Region& region = buffers_[name];
    region.data = buffer.memory.data();
    HRESULT status = adapter_->CreateMemoryRegion(IID_IND2MemoryRegion, file_, out(region.region));
    if (status == ND_SUCCESS) {
        status = end(*region.region,
                     region.region->Register(region.data, buffer.memory.size(),
                                             ND_MR_FLAG_ALLOW_REMOTE_READ | ND_MR_FLAG_ALLOW_REMOTE_WRITE, &call_));
        buffer.region = &static_cast<nd::MemoryRegion2*>(region.region)->core();
    }
    return status;
}

NTSTATUS Nd2Face::add_memory(const MemoryObject& object, RemoteRange& open) {
    IND2MemoryWindow*& window = windows_[object.name];
    const HRESULT status = adapter_->CreateMemoryWindow(IID_IND2MemoryWindow, out(window));
    if (status == ND_SUCCESS) {
        open.key = MrKey{ntohl(window->GetRemoteToken())};
    }
    return status;
}

NTSTATUS Nd2Face::add_cq(const std::string& name, std::uint32_t depth) {
    return adapter_->CreateCompletionQueue(IID_IND2CompletionQueue, file_, depth, 0, 0, out(cqs_[name].cq));
}

// A threshold notifies once.
NTSTATUS Nd2Face::add_srq(const SharedReceiveQueue& srq) {
    SrqHandle& handle = srqs_[srq.name];
    const HRESULT status = adapter_->CreateSharedReceiveQueue(IID_IND2SharedReceiveQueue, file_, srq.depth, srq.max_sge,
                                                              srq.threshold, 0, 0, out(handle.srq));
    if (status == ND_SUCCESS && srq.threshold != 0) {
        (void)handle.srq->Notify(&handle.notifies.add());
    }
    return status;
}

NTSTATUS Nd2Face::modify_srq(const std::string& name, std::uint32_t depth, std::uint32_t threshold) {
    SrqHandle& handle = srqs_.at(name);
    const HRESULT status = handle.srq->Modify(depth, threshold);
    if (status == ND_SUCCESS && threshold != 0) {
        (void)handle.srq->Notify(&handle.notifies.add());
    }
    return status;
}

NTSTATUS Nd2Face::add_qp(const QueuePair& qp) {
    QpHandle& handle = qps_[qp.name];
    IUnknown* const receive_cq = cqs_.at(qp.receive_cq).cq;
    IUnknown* const send_cq = cqs_.at(qp.send_cq).cq;
    return qp.srq.empty()
               ? adapter_->CreateQueuePair(IID_IND2QueuePair, receive_cq, send_cq, &handle, qp.rq.depth, qp.sq.depth,
                                           qp.max_sge, qp.max_sge, qp.inline_max, out(handle.qp))
               : adapter_->CreateQueuePairWithSrq(IID_IND2QueuePair, receive_cq, send_cq, srqs_.at(qp.srq).srq, &handle,
                                                  qp.sq.depth, qp.max_sge, qp.inline_max, out(handle.qp));
}

std::optional<QpNum> Nd2Face::number_of(const std::string& qp) const {
    const auto found = qps_.find(qp);
    if (found == qps_.end() || found->second.qp == nullptr) {
        return std::nullopt;
    }
    return static_cast<nd::QueuePair2*>(found->second.qp)->core().number();
}

std::uint64_t Nd2Face::cq_failures() const {
    std::uint64_t sum = 0;
    for (const auto& [name, cq] : cqs_) {
        sum += cq.notifies.failures();
    }
    return sum;
}

}  // namespace ndsim
