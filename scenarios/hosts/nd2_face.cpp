// SPDX-License-Identifier: Apache-2.0
#include "scenarios/hosts/nd2_face.hpp"

#include <algorithm>
#include <array>

#include "ndapi/ndspi/v2_completion_queue.hpp"
#include "ndapi/ndspi/v2_memory.hpp"
#include "ndapi/ndspi/v2_queue_pair.hpp"
#include "ndapi/ndspi/v2_shared_receive_queue.hpp"
#include "ndapi/windows/abi/byteorder.h"

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

// A threshold notifies once. A Notify on a queue that has never been filled to it would end at once.
NTSTATUS Nd2Face::add_srq(const SharedReceiveQueue& srq) {
    SrqHandle& handle = srqs_[srq.name];
    handle.threshold = srq.threshold;
    return adapter_->CreateSharedReceiveQueue(IID_IND2SharedReceiveQueue, file_, srq.depth, srq.max_sge, srq.threshold,
                                              0, 0, out(handle.srq));
}

NTSTATUS Nd2Face::modify_srq(const std::string& name, std::uint32_t depth, std::uint32_t threshold) {
    SrqHandle& handle = srqs_.at(name);
    const HRESULT status = handle.srq->Modify(depth, threshold);
    if (status == ND_SUCCESS && threshold != 0) {
        handle.threshold = 0;
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

void Nd2Face::drop_qp(const QueuePair& qp) {
    std::exchange(qps_.at(qp.name).qp, nullptr)->Release();
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

// --- connections

// The queue pair keeps the connector of a connection, and asks for its end.
NTSTATUS Nd2Face::keep_or_release(QpHandle& qp, IND2Connector* connector, NTSTATUS status) {
    if (status != ND_SUCCESS) {
        connector->Release();
        return status;
    }
    if (qp.connector != nullptr) {
        qp.connector->Release();
    }
    qp.connector = connector;
    qp.peer_left = {};
    (void)connector->NotifyDisconnect(&qp.peer_left);
    return status;
}

NTSTATUS Nd2Face::connect(const QueuePair& qp, const sockaddr_in& peer) {
    IND2Connector* connector = nullptr;
    HRESULT status = adapter_->CreateConnector(IID_IND2Connector, file_, reinterpret_cast<void**>(&connector));
    if (status != ND_SUCCESS) {
        return status;
    }
    QpHandle& handle = qps_.at(qp.name);
    status = end(*connector, connector->Connect(handle.qp, reinterpret_cast<const sockaddr*>(&peer), sizeof peer,
                                                qp.inbound_reads, qp.outbound_reads, nullptr, 0, &call_));
    if (status == ND_SUCCESS) {
        status = end(*connector, connector->CompleteConnect(&call_));
    }
    return keep_or_release(handle, connector, status);
}

NTSTATUS Nd2Face::listen(const QueuePair& qp, USHORT port) {
    IND2Listener*& listener = qps_.at(qp.name).listener;
    if (listener != nullptr) {
        return ND_SUCCESS;
    }
    HRESULT status = adapter_->CreateListener(IID_IND2Listener, file_, reinterpret_cast<void**>(&listener));
    if (status == ND_SUCCESS) {
        sockaddr_in local = side_.address("");
        local.sin_port = port;
        status = listener->Bind(reinterpret_cast<const sockaddr*>(&local), sizeof local);
    }
    return status == ND_SUCCESS ? listener->Listen(0) : status;
}

void Nd2Face::stop_listening(const QueuePair& qp) {
    std::exchange(qps_.at(qp.name).listener, nullptr)->Release();
}

// Waits for a peer to connect; the new connector holds the request.
NTSTATUS Nd2Face::request_for(IND2Listener& listener, IND2Connector*& connector) {
    HRESULT status = adapter_->CreateConnector(IID_IND2Connector, file_, reinterpret_cast<void**>(&connector));
    if (status == ND_SUCCESS) {
        status = end(listener, listener.GetConnectionRequest(connector, &call_));
    }
    return status;
}

NTSTATUS Nd2Face::accept(const QueuePair& qp) {
    QpHandle& handle = qps_.at(qp.name);
    IND2Connector* connector = nullptr;
    HRESULT status = request_for(*handle.listener, connector);
    if (status == ND_SUCCESS) {
        status = end(*connector, connector->Accept(handle.qp, qp.inbound_reads, qp.outbound_reads, nullptr, 0, &call_));
    }
    return keep_or_release(handle, connector, status);
}

NTSTATUS Nd2Face::reject(const QueuePair& qp) {
    IND2Connector* connector = nullptr;
    HRESULT status = request_for(*qps_.at(qp.name).listener, connector);
    if (status == ND_SUCCESS) {
        status = connector->Reject(nullptr, 0);
    }
    connector->Release();
    return status;
}

NTSTATUS Nd2Face::disconnect(const QueuePair& qp) {
    IND2Connector* const connector = qps_.at(qp.name).connector;
    return connector == nullptr ? ND_CONNECTION_INVALID : end(*connector, connector->Disconnect(&call_));
}

void Nd2Face::wait_for_disconnect(const QueuePair& qp) {
    QpHandle& handle = qps_.at(qp.name);
    while (handle.connector == nullptr) {
        side_.main_core().sleep();
    }
    (void)end_of(*handle.connector, handle.peer_left);
}

// --- requests and their results

Posted Nd2Face::post(const PostOp& op) {
    gather(op.pieces);
    if (op.kind == PostKind::srq_receive) {
        SrqHandle& handle = srqs_.at(op.srq);
        const HRESULT status = handle.srq->Receive(nullptr, sgl_.data(), static_cast<ULONG>(sgl_.size()));
        const core::Srq& queue = static_cast<nd::SharedReceiveQueue2*>(handle.srq)->core();
        const Posted posted{status, queue.last_request()};
        if (handle.threshold != 0 && queue.outstanding() >= handle.threshold) {
            handle.threshold = 0;
            (void)handle.srq->Notify(&handle.notifies.add());
        }
        return posted;
    }
    QpHandle& qp = qps_.at(op.qp);
    const HRESULT status = post(qp, op);
    return {status, static_cast<nd::QueuePair2*>(qp.qp)->core().last_request()};
}

void Nd2Face::gather(const std::vector<Piece>& pieces) {
    sgl_.clear();
    for (const Piece& piece : pieces) {
        const Region& region = buffers_.at(piece.buffer);
        sgl_.push_back(
            {region.data + piece.offset.count, static_cast<ULONG>(piece.size.count), region.region->GetLocalToken()});
    }
}

HRESULT Nd2Face::post(QpHandle& qp, const PostOp& op) {
    const RemoteRange peer = op.peer.empty() ? RemoteRange{} : side_.published(op.peer);
    const UINT64 place = raw(peer.address) + op.peer_offset.count;
    const UINT32 token = htonl(raw(peer.key));
    const ULONG flags = nd_flags(op.flags) | ((op.flags & kPostInline) != 0 ? ND_OP_FLAG_INLINE : 0);
    const auto count = static_cast<ULONG>(sgl_.size());
    switch (op.kind) {
        case PostKind::send:
            return qp.qp->Send(nullptr, sgl_.data(), count, flags);
        case PostKind::receive:
            return qp.qp->Receive(nullptr, sgl_.data(), count);
        case PostKind::write:
            return qp.qp->Write(nullptr, sgl_.data(), count, place, token, flags);
        case PostKind::read:
            return qp.qp->Read(nullptr, sgl_.data(), count, place, token, flags);
        case PostKind::bind:
            return bind(qp, op);
        case PostKind::invalidate:
            return qp.qp->Invalidate(nullptr, windows_.at(op.memory), flags);
        default:
            return ND_NOT_SUPPORTED;
    }
}

HRESULT Nd2Face::bind(QpHandle& qp, const PostOp& op) {
    const Piece& piece = op.pieces.front();
    const Region& region = buffers_.at(piece.buffer);
    IND2MemoryWindow* const window = windows_.at(op.memory);
    const HRESULT status = qp.qp->Bind(nullptr, region.region, window, region.data + piece.offset.count,
                                       piece.size.count, nd_flags(op.flags));
    if (status == ND_SUCCESS) {
        side_.opened(op.memory, piece, MrKey{ntohl(window->GetRemoteToken())});
    }
    return status;
}

std::uint32_t Nd2Face::poll(const std::string& cq, std::uint32_t most) {
    std::array<ND2_RESULT, 16> results{};
    IND2CompletionQueue* const object = cqs_.at(cq).cq;
    static_cast<nd::CompletionQueue2*>(object)->core().wait();
    return object->GetResults(results.data(), std::min<ULONG>(most, results.size()));
}

void Nd2Face::arm(const std::string& cq, ArmFor wish) {
    CqHandle& handle = cqs_.at(cq);
    (void)handle.cq->Notify(nd_notify_type(wish), &handle.notifies.add(wish));
}

void Nd2Face::wait_for_cq(const std::string& cq) {
    CqHandle& handle = cqs_.at(cq);
    handle.notifies.take(side_, *handle.cq);
}

void Nd2Face::wait_for_srq(const std::string& srq) {
    SrqHandle& handle = srqs_.at(srq);
    handle.notifies.take(side_, *handle.srq);
}

}  // namespace ndsim
