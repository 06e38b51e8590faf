// SPDX-License-Identifier: Apache-2.0
#include "models/transport/read_responses.hpp"

#include <algorithm>

#include "models/proto/segment.hpp"
#include "models/transport/scatter.hpp"
#include "sim/base/invariant_error.hpp"
#include "sim/base/slots.hpp"

namespace ndsim {

ReadResponses::ReadResponses(const sc_core::sc_module_name& name, Timeline& timeline, Bytes buffer, HostId host,
                             Ledgers& ledgers, PayloadPool& payloads)
    : Unit(name, timeline),
      host_(host),
      ledgers_(ledgers),
      payloads_(payloads),
      buffer_(*this, kBufferPool, buffer.count) {}

// A long Read needs room only for its data on the way. Half of the buffer leaves room for a second Read, whose
// responses follow without a gap.
std::uint64_t ReadResponses::share(std::uint32_t length) const {
    return std::min<std::uint64_t>(length, buffer_.capacity() / 2);
}

std::optional<Picoseconds> ReadResponses::room_at(std::uint32_t length) {
    return buffer_.when_available(share(length), now());
}

std::optional<std::uint32_t> ReadResponses::open(QpNum qp, PdNum pd, std::uint32_t mtu, const Wqe& wqe) {
    const std::uint32_t slot = take_slot(reads_, free_reads_);
    Read& read = reads_[slot];
    std::vector<HostRange>& ranges = read.sink.restart();
    for (const Sge& sge : wqe.sges) {
        if (!protection->allows({sge.key, pd, qp, sge.address, sge.length, kLocalWrite}, &ranges)) {
            free_reads_.push_back(slot);
            return std::nullopt;
        }
    }
    read.qp = qp;
    read.pd = pd;
    read.mtu = mtu;
    read.sges = wqe.sges;
    read.length = wqe.length();
    read.received = 0;
    read.packets = 0;
    read.reserved = share(read.length);
    read.request = {host_, wqe.header.request};
    buffer_.take(read.reserved, now());
    return slot;
}

// All packets except the last are full; the last one is marked as last. The memory may have been taken away meanwhile.
ReadResponses::Fit ReadResponses::fit(std::uint32_t slot, const Packet& packet) const {
    const Read& read = reads_[slot];
    const bool last = read.received + packet.payload_bytes == read.length;
    if (packet.payload_bytes != packet_bytes(read.length, read.received, read.mtu) ||
        info(packet.opcode).last != last) {
        return Fit::malformed;
    }
    const bool writable = std::all_of(read.sges.begin(), read.sges.end(), [&](const Sge& sge) {
        return protection->allows({sge.key, read.pd, read.qp, sge.address, sge.length, kLocalWrite});
    });
    return writable ? Fit::fits : Fit::not_writable;
}

void ReadResponses::place(std::uint32_t slot, const Packet& packet, Interval at) {
    ++packets_;
    psn_.set(packet.psn.value(), now());
    request_.set(packet.request, now());
    Read& read = reads_[slot];
    ++read.packets;
    read.received += packet.payload_bytes;
    const bool last = read.received == read.length;
    if (last) {
        ledgers_.settle(read.request, at.end);
        ledgers_.mark(read.request, Account::rx_buffer, at.end);
    }
    if (packet.payload_bytes == 0) {
        rx_buffer->drained(wire_bytes(packet), at.end);
        owner_->read_visible(read.qp, at.end);
        return;
    }
    const std::uint64_t still = std::min<std::uint64_t>(read.reserved, read.length - read.received);
    const std::uint32_t write = take_slot(writes_, free_writes_);
    writes_[write] = {packet, read.qp, read.request, read.reserved - still, last};
    read.reserved = still;
    scatter(*dma.operator->(), read.sink, packet, at, write, *this);
}

void ReadResponses::write_waited(std::uint32_t slot, Interval wait) {
    if (writes_[slot].last) {
        ledgers_.mark(writes_[slot].request, {{Account::dma_write, wait.start}, {Account::credits, wait.end}});
    }
}

void ReadResponses::write_scheduled(std::uint32_t slot, Picoseconds issued, Picoseconds visible) {
    const Write write = writes_[slot];
    free_writes_.push_back(slot);
    rx_buffer->drained(wire_bytes(write.packet), issued);
    release(write.room, issued);
    placed_.add(write.qp, write.packet.payload_bytes, visible);
    if (write.last) {
        ledgers_.mark(write.request, Account::dma_write, visible);
        owner_->read_visible(write.qp, visible);
    }
}

void ReadResponses::drop(const Packet& packet, Interval at) {
    ++dropped_;
    payloads_.give(packet.payload);
    rx_buffer->drained(wire_bytes(packet), at.end);
}

void ReadResponses::close(std::uint32_t slot) {
    release(std::exchange(reads_[slot].reserved, 0), now());
    free_reads_.push_back(slot);
}

void ReadResponses::release(std::uint64_t room, Picoseconds when) {
    if (room > 0) {
        buffer_.give_at(room, when);
        owner_->read_room(when);
    }
}

void ReadResponses::report(StatSink& sink) const {
    sink.add("packets", packets_, StatUnit::count, "response packets placed in host memory");
    sink.add("dropped", dropped_, StatUnit::count, "response packets that were not expected, or out of order");
}

void ReadResponses::check_idle() const {
    if (free_writes_.size() != writes_.size() || free_reads_.size() != reads_.size()) {
        throw InvariantError(name(), now(), "Reads are still in work at the end");
    }
}

}  // namespace ndsim
