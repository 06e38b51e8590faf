// SPDX-License-Identifier: Apache-2.0
#include "scenarios/hosts/nd1_face.hpp"

#include <algorithm>
#include <array>

#include "ndapi/ndspi/v1_adapter.hpp"
#include "ndapi/ndspi/v1_completion_queue.hpp"
#include "ndapi/ndspi/v1_descriptor.hpp"
#include "ndapi/ndspi/v1_endpoint.hpp"

namespace ndsim {

namespace {

constexpr INT kProtocol = 6;  // IANA's number of TCP, valid for any connection

}  // namespace

NTSTATUS Nd1Face::end(INDOverlapped& object, HRESULT returned) {
    const HRESULT status = returned == ND_PENDING ? end_of(object, call_) : returned;
    return status == ND_TIMEOUT ? STATUS_IO_TIMEOUT : status;  // NDSPI 1 has a name of its own for it
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
    window.invalidated.window = object.name;
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

void Nd1Face::drop_qp(const QueuePair& qp) {
    QpHandle& handle = qps_.at(qp.name);
    std::exchange(handle.endpoint, nullptr)->Release();
    std::exchange(handle.connector, nullptr)->Release();
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

// --- connections

// Once there is a connection, asks for its end.
NTSTATUS Nd1Face::note(QpHandle& qp, NTSTATUS status) {
    if (status == ND_SUCCESS) {
        qp.connected = true;
        qp.peer_left = {};
        (void)qp.connector->NotifyDisconnect(&qp.peer_left);
    }
    return status;
}

NTSTATUS Nd1Face::connect(const QueuePair& qp, const sockaddr_in& peer) {
    QpHandle& handle = qps_.at(qp.name);
    INDConnector& connector = *handle.connector;
    HRESULT status = end(connector, connector.Connect(handle.endpoint, reinterpret_cast<const sockaddr*>(&peer),
                                                      sizeof peer, kProtocol, 0, nullptr, 0, &call_));
    if (status == ND_SUCCESS) {
        status = end(connector, connector.CompleteConnect(&call_));
    }
    return note(handle, status);
}

NTSTATUS Nd1Face::listen(const QueuePair& qp, USHORT port) {
    INDListen*& listener = qps_.at(qp.name).listener;
    USHORT assigned = 0;
    return listener != nullptr ? ND_SUCCESS : adapter_->Listen(0, kProtocol, port, &assigned, &listener);
}

void Nd1Face::stop_listening(const QueuePair& qp) {
    std::exchange(qps_.at(qp.name).listener, nullptr)->Release();
}

NTSTATUS Nd1Face::accept(const QueuePair& qp) {
    QpHandle& handle = qps_.at(qp.name);
    HRESULT status = end(*handle.listener, handle.listener->GetConnectionRequest(handle.connector, &call_));
    if (status == ND_SUCCESS) {
        status = end(*handle.connector, handle.connector->Accept(handle.endpoint, nullptr, 0, &call_));
    }
    return note(handle, status);
}

// Uses a connector of its own, so that the queue pair's is free for another request.
NTSTATUS Nd1Face::reject(const QueuePair& qp) {
    INDListen& listener = *qps_.at(qp.name).listener;
    INDConnector* connector = nullptr;
    HRESULT status = adapter_->CreateConnector(&connector);
    if (status == ND_SUCCESS) {
        status = end(listener, listener.GetConnectionRequest(connector, &call_));
    }
    if (status == ND_SUCCESS) {
        status = connector->Reject(nullptr, 0);
    }
    connector->Release();
    return status;
}

NTSTATUS Nd1Face::disconnect(const QueuePair& qp) {
    INDConnector& connector = *qps_.at(qp.name).connector;
    return end(connector, connector.Disconnect(&call_));
}

void Nd1Face::wait_for_disconnect(const QueuePair& qp) {
    QpHandle& handle = qps_.at(qp.name);
    while (!handle.connected) {
        side_.main_core().sleep();
    }
    (void)end_of(*handle.connector, handle.peer_left);
}

// --- requests and their results

Posted Nd1Face::post(const PostOp& op) {
    gather(op);
    QpHandle& qp = qps_.at(op.qp);
    Result& result = new_result(op);
    const HRESULT status = post(qp, op, result);
    if (status != ND_SUCCESS && result.of_request) {
        free_results_.push_back(&result);
    }
    return {status, static_cast<nd::Endpoint1*>(qp.endpoint)->core().last_request()};
}

Nd1Face::Result& Nd1Face::new_result(const PostOp& op) {
    if ((op.flags & kPostSilentSuccess) != 0) {
        return silent_;
    }
    if (free_results_.empty()) {
        free_results_.push_back(&results_.emplace_back());
        results_.back().of_request = true;
    }
    Result& result = *free_results_.back();
    free_results_.pop_back();
    return result;
}

// Inline data has no handle (R144).
void Nd1Face::gather(const PostOp& op) {
    const bool inlined = (op.flags & kPostInline) != 0;
    sgl_.clear();
    for (const Piece& piece : op.pieces) {
        const Region& region = buffers_.at(piece.buffer);
        sgl_.push_back({region.data + piece.offset.count, piece.size.count, inlined ? nullptr : region.handle});
    }
}

HRESULT Nd1Face::post(QpHandle& qp, const PostOp& op, Result& result) {
    const RemoteRange peer = op.peer.empty() ? RemoteRange{} : side_.published(op.peer);
    const ND_MW_DESCRIPTOR window = nd::descriptor_of(peer.key, peer.address, 0);
    const DWORD flags = nd_flags(op.flags);
    switch (op.kind) {
        case PostKind::send:
            return qp.endpoint->Send(&result, sgl_.data(), sgl_.size(), flags);
        case PostKind::receive:
            return qp.endpoint->Receive(&result, sgl_.data(), sgl_.size());
        case PostKind::send_and_invalidate:
            return qp.endpoint->SendAndInvalidate(&result, sgl_.data(), sgl_.size(), &window, flags);
        case PostKind::write:
            return qp.endpoint->Write(&result, sgl_.data(), sgl_.size(), &window, op.peer_offset.count, flags);
        case PostKind::read:
            return qp.endpoint->Read(&result, sgl_.data(), sgl_.size(), &window, op.peer_offset.count, flags);
        case PostKind::bind:
            return bind(qp, op, result);
        case PostKind::invalidate:
            return qp.endpoint->Invalidate(&result, windows_.at(op.memory).window, flags);
        default:
            return ND_NOT_SUPPORTED;
    }
}

HRESULT Nd1Face::bind(QpHandle& qp, const PostOp& op, Result& result) {
    const Piece& piece = op.pieces.front();
    const Region& region = buffers_.at(piece.buffer);
    ND_MW_DESCRIPTOR window{};
    const HRESULT status =
        qp.endpoint->Bind(&result, region.handle, windows_.at(op.memory).window, region.data + piece.offset.count,
                          piece.size.count, nd_flags(op.flags), &window);
    if (status == ND_SUCCESS) {
        side_.opened(op.memory, piece, nd::key_of(window));
    }
    return status;
}

std::uint32_t Nd1Face::poll(const std::string& cq, std::uint32_t most) {
    std::array<ND_RESULT*, 16> results{};
    INDCompletionQueue* const object = cqs_.at(cq).cq;
    static_cast<nd::CompletionQueue1*>(object)->core().wait();
    const SIZE_T count = object->GetResults(results.data(), std::min<SIZE_T>(most, results.size()));
    for (SIZE_T i = 0; i < count; ++i) {
        auto* const result = static_cast<Result*>(results[i]);
        if (result->of_request) {
            free_results_.push_back(result);
        } else if (!result->window.empty()) {
            invalidations_.push_back(result->window);
        }
    }
    return static_cast<std::uint32_t>(count);
}

std::vector<std::string> Nd1Face::take_invalidations() {
    return std::exchange(invalidations_, {});
}

void Nd1Face::arm(const std::string& cq, ArmFor wish) {
    CqHandle& handle = cqs_.at(cq);
    (void)handle.cq->Notify(nd_notify_type(wish), &handle.notifies.add(wish));
}

void Nd1Face::wait_for_cq(const std::string& cq) {
    CqHandle& handle = cqs_.at(cq);
    handle.notifies.take(side_, *handle.cq);
}

}  // namespace ndsim
