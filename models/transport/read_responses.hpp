// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <vector>

#include "models/ledger/ledger.hpp"
#include "models/ports/dma.hpp"
#include "models/ports/ingress.hpp"
#include "models/ports/protection.hpp"
#include "models/ports/qp.hpp"
#include "models/transport/placed_payload.hpp"
#include "models/transport/range_cursor.hpp"
#include "sim/kernel/pool.hpp"
#include "sim/kernel/request_probe.hpp"
#include "sim/kernel/unit.hpp"

namespace ndsim {

// Hears of the data of Reads and of room for it.
class ReadOwner {
public:
    // All data of a Read will be visible in host memory at `when`.
    virtual void read_visible(QpNum qp, Picoseconds when) = 0;
    // Room in the read buffer comes back at `when`.
    virtual void read_room(Picoseconds when) = 0;

protected:
    ~ReadOwner() = default;
};

// ReadResponses: puts the data of Reads into host memory. Room is reserved before the request leaves, so that responses
// never have to wait for it; no Read takes more than half of the buffer.
class ReadResponses final : public Unit, public WriteClient {
public:
    static constexpr PoolFacts kBufferPool{"read_buffer",        "bytes reserved for responses of outstanding Reads",
                                           PoolUnit::bytes,      "nic.read_buffer",
                                           WhenFull::waited_for, {"nic.wqe.read_buffer"}};

    sc_core::sc_port<DmaPort> dma{"dma"};
    sc_core::sc_port<RxBufferPort> rx_buffer{"rx_buffer"};
    sc_core::sc_port<ProtectionPort> protection{"protection"};

    // The check of the next response packet.
    enum class Fit : std::uint8_t { fits, malformed, not_writable };

    ReadResponses(const sc_core::sc_module_name& name, Timeline& timeline, Bytes buffer, HostId host, Ledgers& ledgers,
                  PayloadPool& payloads);

    void set_owner(ReadOwner& owner) { owner_ = &owner; }
    [[nodiscard]] bool has_room(std::uint32_t length) { return buffer_.available(now()) >= share(length); }
    // When there is room, as far as is known.
    [[nodiscard]] std::optional<Picoseconds> room_at(std::uint32_t length);
    // Opens a Read into the WQE's memory. Returns its slot, or nullopt if that memory may not be written.
    [[nodiscard]] std::optional<std::uint32_t> open(QpNum qp, PdNum pd, std::uint32_t mtu, const Wqe& wqe);
    // Packets of the Read received so far.
    [[nodiscard]] std::uint32_t packets(std::uint32_t slot) const { return reads_[slot].packets; }
    [[nodiscard]] std::uint32_t received(std::uint32_t slot) const { return reads_[slot].received; }
    [[nodiscard]] Fit fit(std::uint32_t slot, const Packet& packet) const;
    // Places the next packet, which fits.
    void place(std::uint32_t slot, const Packet& packet, Interval at);
    void drop(const Packet& packet, Interval at);
    // The data of the queue pair's Reads so far.
    [[nodiscard]] PlacedPayload placed(QpNum qp) const { return placed_.of(qp); }
    // The Read gets no more packets.
    void close(std::uint32_t slot);

    void write_waited(std::uint32_t write, Interval wait) override;
    void write_scheduled(std::uint32_t write, Picoseconds issued, Picoseconds visible) override;
    void report(StatSink& sink) const override;
    void check_idle() const override;

private:
    // An outstanding Read.
    struct Read {
        QpNum qp{};
        PdNum pd{};
        std::uint32_t mtu = 0;
        std::vector<Sge> sges;
        RangeCursor sink;
        std::uint32_t length = 0;
        std::uint32_t received = 0;
        std::uint32_t packets = 0;
        std::uint64_t reserved = 0;
        RequestId request;
    };
    // The last write of a response's payload.
    struct Write {
        Packet packet;
        QpNum qp{};
        RequestId request;
        std::uint64_t room = 0;
        bool last = false;
    };

    // The part of the buffer for a Read of this length.
    [[nodiscard]] std::uint64_t share(std::uint32_t length) const;
    void release(std::uint64_t room, Picoseconds when);

    const HostId host_;
    Ledgers& ledgers_;
    PayloadPool& payloads_;
    ReadOwner* owner_ = nullptr;
    std::deque<Read> reads_;  // references stay valid: a response may let the next Read begin
    std::vector<std::uint32_t> free_reads_;
    std::vector<Write> writes_;
    std::vector<std::uint32_t> free_writes_;
    PlacedByQp placed_;
    Pool buffer_;
    Probe<std::uint32_t> psn_{*this, "psn", "PSN of the response placed last"};
    RequestProbe request_{*this, "request", "request whose response was placed last"};
    std::uint64_t packets_ = 0;
    std::uint64_t dropped_ = 0;
};

}  // namespace ndsim
