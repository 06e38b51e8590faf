// SPDX-License-Identifier: Apache-2.0
#include "models/transport/request_assembly.hpp"

#include <algorithm>
#include <cstring>

#include "models/proto/packet_work.hpp"
#include "models/proto/segment.hpp"
#include "sim/base/slots.hpp"

namespace ndsim {

RequestAssembly::RequestAssembly(const Unit& owner, const Links& links, Picoseconds tx_pipe, const ForwardGrain& grain,
                                 Ledgers& ledgers, PayloadPool& payloads, const PsnWindows& windows,
                                 RetransmitBuffer& kept, WorkProbe& making)
    : owner_(owner),
      links_(links),
      tx_pipe_(tx_pipe),
      grain_(grain),
      ledgers_(ledgers),
      payloads_(payloads),
      windows_(windows),
      kept_(kept),
      making_(making) {}

void RequestAssembly::connect(QpNum qp, std::uint32_t mtu) {
    grown(mtus_, qp_index(qp)) = mtu;
}

std::optional<std::uint32_t> RequestAssembly::load(Packet& packet, OutgoingMessage& message) {
    packet.payload = packet.payload_bytes > 0 ? payloads_.take_for_message() : PayloadRef::none;
    const std::uint32_t slot = assembly_.take(qp_index(packet.source), packet);
    if (start(packet, message, slot)) {
        return slot;
    }
    payloads_.give(packet.payload);
    assembly_.give(slot);
    return std::nullopt;
}

// False if no DMA read is free.
bool RequestAssembly::start(const Packet& packet, OutgoingMessage& message, std::uint32_t slot) {
    const std::uint32_t bytes = packet.payload_bytes;
    const std::byte* const data = message.inline_data();
    if (bytes == 0 || data != nullptr) {
        if (bytes > 0 && payloads_.has_bytes(packet.payload)) {
            std::memcpy(payloads_.data(packet.payload), data, bytes);
        }
        assembly_.set_ready(slot, {owner_.now() + tx_pipe_, owner_.now() + tx_pipe_});
        return true;
    }
    message.take(bytes, payloads_.data(packet.payload), pieces_);
    const RequestId charged = info(packet.opcode).last ? packet.request : RequestId{};
    if (links_.dma->try_read(ReadClass::payload, pieces_, slot, charged, *this)) {
        return true;
    }
    message.take_back();
    return false;
}

void RequestAssembly::issue(std::uint32_t slot) {
    const Packet& packet = assembly_.at(slot).packet;
    assembly_.add(slot);
    making_.begin(slot, owner_.now(), [&] { return work_of(packet, packet.source); });
    if (assembly_.at(slot).timed) {
        hand_on(packet.source);
    }
}

void RequestAssembly::read_arrives(std::uint32_t slot, Interval data) {
    const Picoseconds at = owner_.now();
    const Packet& packet = assembly_.at(slot).packet;
    const Picoseconds more = grain_.rest(packet) + tx_pipe_;
    assembly_.set_ready(slot, {std::max(at, data.start) + more, std::max(at, data.end) + more});
    if (info(packet.opcode).last && !assembly_.at(slot).dropped) {
        ledgers_.mark(packet.request, Account::payload_read, std::max(at, data.end));
    }
    hand_on(packet.source);
}

void RequestAssembly::read_space(ReadClass) {
    links_.work->resume();
}

void RequestAssembly::hand_on(QpNum qp) {
    assembly_.hand_on(qp_index(qp), [this](const Assembly::Built& built, std::uint32_t slot) {
        const bool last = info(built.packet.opcode).last;
        if (built.dropped) {
            making_.drop(slot);
            links_.egress->release(wire_bytes(built.packet));
            payloads_.give(built.packet.payload);
        } else {
            keep(built);
            making_.end(slot, built.ready.start);
            links_.egress->send(built.packet, built.ready);
        }
        if (last) {
            links_.work->message_built(built.dropped ? owner_.now() : built.ready.end);
        }
    });
}

void RequestAssembly::keep(const Assembly::Built& built) {
    const QpNum qp = built.packet.source;
    // A packet that was acknowledged while its payload was read again is still sent, but not kept.
    if (kept_.is_there() && built.packet.psn.ahead_of(windows_.unacknowledged(qp)) >= 0) {
        kept_.keep(qp_index(qp), {built.packet, psns_of(built.packet, mtus_[qp_index(qp)]), built.ready});
    }
}

}  // namespace ndsim
