// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/ports/dma.hpp"
#include "models/proto/packet.hpp"
#include "models/transport/range_cursor.hpp"

namespace ndsim {

// Writes a packet's payload, which is in the NIC during `at`, to the message's next place. `client` hears of the last
// write, by `token`.
inline void scatter(DmaPort& dma, RangeCursor& target, const Packet& packet, Interval at, std::uint32_t token,
                    WriteClient& client) {
    std::uint32_t done = 0;
    target.advance(packet.payload_bytes, [&](Address to, std::uint32_t length) {
        WriteTrain train;
        train.to = to;
        train.length = length;
        train.payload = packet.payload;
        train.offset = done;
        done += length;
        train.last_use = done == packet.payload_bytes;
        // The last bytes of a message signal that all others are there. A packet in pieces returns its buffer with the
        // last one, which therefore waits for the others.
        train.relaxed = !info(packet.opcode).last && (!train.last_use || train.offset == 0);
        train.ready = {at.start + packet.grain_rest, at.end + packet.grain_rest};
        train.token = token;
        train.use = TlpUse::payload;
        train.qp = packet.destination;
        dma.write(train, train.last_use ? &client : nullptr);
    });
}

}  // namespace ndsim
