// SPDX-License-Identifier: Apache-2.0
#include "models/transport/retransmit_buffer.hpp"

#include <algorithm>

#include "sim/base/invariant_error.hpp"
#include "sim/base/slots.hpp"

namespace ndsim {

Packet RetransmitBuffer::Kept::rest_from(Psn next, std::uint32_t mtu) const {
    Packet rest = packet;
    const std::uint32_t had = static_cast<std::uint32_t>(next.ahead_of(packet.psn)) * mtu;
    if (had > 0) {
        rest.psn = next;
        rest.remote = rest.remote + had;
        rest.dma_length -= had;
    }
    return rest;
}

RetransmitBuffer::RetransmitBuffer(const sc_core::sc_module_name& name, Timeline& timeline, Bytes size,
                                   PayloadPool& payloads)
    : Unit(name, timeline), payloads_(payloads), kept_(*this, kKeptPool, size.count) {}

void RetransmitBuffer::keep(std::uint32_t qp, const Kept& sent) {
    const std::uint64_t bytes = wire_bytes(sent.packet).count;
    if (kept_.available(now()) < bytes) {
        ++no_room_;
        return;
    }
    kept_.take(bytes, now());
    ++packets_;
    (void)payloads_.share(sent.packet.payload);
    grown(windows_, qp).packets.push(sent);
}

void RetransmitBuffer::acknowledge(std::uint32_t qp, Psn up_to) {
    if (windows_.size() <= qp) {
        return;
    }
    auto& [packets, to_send] = windows_[qp];
    while (!packets.empty() && packets.front().end().ahead_of(up_to) <= 0) {
        give_back(packets.pop());
    }
    to_send = std::min(to_send, packets.size());
}

Psn RetransmitBuffer::rewind(std::uint32_t qp, Psn oldest) {
    if (windows_.size() <= qp) {
        return oldest;
    }
    auto& [packets, to_send] = windows_[qp];
    // The first one may be a Read that is partly answered.
    Psn end = oldest;
    std::size_t together = 0;
    while (together < packets.size() && packets[together].packet.psn.ahead_of(end) <= 0) {
        end = packets[together++].end();
    }
    while (packets.size() > together) {
        give_back(packets.pop_back());
    }
    to_send = together;
    return end;
}

const RetransmitBuffer::Kept* RetransmitBuffer::next(std::uint32_t qp) const {
    if (windows_.size() <= qp || windows_[qp].to_send == 0) {
        return nullptr;
    }
    const auto& [packets, to_send] = windows_[qp];
    return &packets[packets.size() - to_send];
}

void RetransmitBuffer::drop(std::uint32_t qp) {
    if (windows_.size() <= qp) {
        return;
    }
    while (!windows_[qp].packets.empty()) {
        give_back(windows_[qp].packets.pop());
    }
    windows_[qp].to_send = 0;
}

void RetransmitBuffer::give_back(const Kept& kept) {
    kept_.give(wire_bytes(kept.packet).count, now());
    payloads_.give(kept.packet.payload);
}

void RetransmitBuffer::report(StatSink& sink) const {
    sink.add("packets", packets_, StatUnit::count, "packets kept");
    sink.add("no_room", no_room_, StatUnit::count, "packets not kept for lack of room");
}

void RetransmitBuffer::check_idle() const {
    for (const Window& window : windows_) {
        if (!window.packets.empty()) {
            throw InvariantError(name(), now(), "packets are still kept at the end");
        }
    }
}

}  // namespace ndsim
