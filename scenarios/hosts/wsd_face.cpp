// SPDX-License-Identifier: Apache-2.0
#include "scenarios/hosts/wsd_face.hpp"

#include <algorithm>
#include <array>

#include "ndapi/windows/abi/byteorder.h"
#include "ndapi/windows/abi/ntstatus.h"

namespace ndsim {

namespace {

// Winsock's codes and the scenarios' names of outcomes.
struct Outcome {
    int code = 0;
    NTSTATUS status = STATUS_SUCCESS;
};
constexpr std::array kOutcomes{
    Outcome{0, STATUS_SUCCESS},
    Outcome{WSAECONNREFUSED, STATUS_CONNECTION_REFUSED},
    Outcome{WSAECONNABORTED, STATUS_CONNECTION_ABORTED},
    Outcome{WSAECONNRESET, STATUS_CONNECTION_RESET},
    Outcome{WSAENOTCONN, STATUS_CONNECTION_INVALID},
    Outcome{WSAETIMEDOUT, STATUS_IO_TIMEOUT},
    Outcome{WSAENOBUFS, STATUS_INSUFFICIENT_RESOURCES},
    Outcome{WSAEHOSTUNREACH, STATUS_HOST_UNREACHABLE},
    Outcome{WSAENETUNREACH, STATUS_HOST_UNREACHABLE},
};

NTSTATUS status_of(int code) {
    const auto* const found = std::ranges::find(kOutcomes, code, &Outcome::code);
    return found == kOutcomes.end() ? STATUS_INTERNAL_ERROR : found->status;
}

Posted ended(int code, std::size_t bytes) {
    return {status_of(code), 0, true, static_cast<std::uint32_t>(bytes)};
}

}  // namespace

NTSTATUS WsdFace::open() {
    provider_ = &wsd::open_provider(process_);
    switch_ = std::make_unique<WsdSwitch>(process_, *provider_);
    return STATUS_SUCCESS;
}

// Ordinary memory: the switch registers the parts that the NIC uses.
NTSTATUS WsdFace::add_buffer(const std::string& name, HostBuffer& buffer) {
    buffers_[name] = buffer.memory.data();
    return STATUS_SUCCESS;
}

NTSTATUS WsdFace::keep(const QueuePair& qp, WsdSwitch::Connected connected) {
    if (const std::optional<QpNum> number = provider_->qp_of(connected.socket)) {
        numbers_[qp.name] = *number;
    }
    if (connected.error == 0) {
        streams_[qp.name] = std::move(connected.stream);
    }
    return status_of(connected.error);
}

// A missing listener is a reset here (W25); scenarios use the same name for it as everywhere.
NTSTATUS WsdFace::connect(const QueuePair& qp, const sockaddr_in& peer) {
    WsdSwitch::Connected connected = switch_->connect(peer);
    if (connected.error == WSAECONNRESET) {
        connected.error = WSAECONNREFUSED;
    }
    return keep(qp, std::move(connected));
}

NTSTATUS WsdFace::listen(const QueuePair& qp, USHORT port) {
    if (ports_.contains(qp.name)) {
        return STATUS_SUCCESS;
    }
    ports_[qp.name] = ntohs(port);
    return status_of(switch_->listen(ntohs(port)));
}

void WsdFace::stop_listening(const QueuePair& qp) {
    switch_->stop_listening(ports_.at(qp.name));
    ports_.erase(qp.name);
}

std::optional<QpNum> WsdFace::number_of(const std::string& qp) const {
    const auto found = numbers_.find(qp);
    return found == numbers_.end() ? std::nullopt : std::optional(found->second);
}

NTSTATUS WsdFace::disconnect(const QueuePair& qp) {
    const auto found = streams_.find(qp.name);
    if (found == streams_.end()) {
        return STATUS_CONNECTION_INVALID;
    }
    const int code = found->second->close();
    streams_.erase(found);
    return status_of(code);
}

Posted WsdFace::post(const PostOp& op) {
    const auto found = streams_.find(op.qp);
    if (found == streams_.end()) {
        return {STATUS_CONNECTION_INVALID, 0, true, 0};
    }
    return op.kind == PostKind::send ? send(*found->second, op.pieces) : receive(*found->second, op.pieces);
}

Posted WsdFace::send(WsdStream& stream, const std::vector<Piece>& pieces) const {
    std::size_t sent = 0;
    for (const Piece& piece : pieces) {
        const int code = stream.send(buffers_.at(piece.buffer) + piece.offset.count, piece.size.count);
        if (code != 0) {
            return ended(code, sent);
        }
        sent += piece.size.count;
    }
    return ended(0, sent);
}

// Receives until the pieces are full, or the stream ends.
Posted WsdFace::receive(WsdStream& stream, const std::vector<Piece>& pieces) const {
    std::size_t received = 0;
    for (const Piece& piece : pieces) {
        for (std::uint64_t there = 0; there < piece.size.count;) {
            const WsdStream::Received part =
                stream.receive(buffers_.at(piece.buffer) + piece.offset.count + there, piece.size.count - there);
            if (part.error != 0 || part.bytes == 0) {
                return ended(part.error, received);
            }
            there += part.bytes;
            received += part.bytes;
        }
    }
    return ended(0, received);
}

}  // namespace ndsim
