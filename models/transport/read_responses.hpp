// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <vector>

#include "models/ports/dma.hpp"
#include "models/ports/protection.hpp"
#include "models/ports/qp.hpp"
#include "models/ports/wire.hpp"
#include "models/proto/ledger.hpp"
#include "models/transport/placed.hpp"
#include "models/transport/range_cursor.hpp"
#include "sim/kernel/pool.hpp"
#include "sim/kernel/unit.hpp"

namespace ndsim {

// Who has asked for the data.
class ReadOwner {
public:
    // The data of a Read will all be visible in host memory at `when`.
    virtual void read_visible(QpNum qp, Picoseconds when) = 0;
    // Room in the read buffer comes back at `when`.
    virtual void read_room(Picoseconds when) = 0;

protected:
    ~ReadOwner() = default;
};

// ReadResponses: puts what Reads bring into host memory. Room for it is reserved before the request leaves, so that
// responses never have to wait for it; no Read takes more than half of the buffer.
class ReadResponses final : public Unit, public WriteClient {
public:
    static constexpr PoolFacts kBufferPool{"read_buffer",        "bytes reserved for responses of outstanding Reads",
                                           PoolUnit::bytes,      "nic.read_buffer",
                                           WhenFull::waited_for, {"nic.wqe.read_buffer"}};

    sc_core::sc_port<DmaPort> dma{"dma"};
    sc_core::sc_port<RxBufferPort> rx_buffer{"rx_buffer"};
    sc_core::sc_port<ProtectionPort> protection{"protection"};

    // What the next response packet is.
    enum class Fit : std::uint8_t { fits, malformed, not_writable };

    ReadResponses(const sc_core::sc_module_name& name, Timeline& timeline, Bytes buffer, HostId host, Ledgers& ledgers,
                  PayloadPool& payloads);

    void set_owner(ReadOwner& owner) { owner_ = &owner; }
    [[nodiscard]] bool has_room(std::uint32_t length);
    // When there is room, as far as that is known.
    [[nodiscard]] std::optional<Picoseconds> room_at(std::uint32_t length);
    // Opens a Read into the WQE's memory; its slot, or nullopt if that may not be written.
    [[nodiscard]] std::optional<std::uint32_t> open(QpNum qp, PdNum pd, std::uint32_t mtu, const Wqe& wqe);
    // Packets of it that have come.
    [[nodiscard]] std::uint32_t packets(std::uint32_t slot) const { return reads_[slot].packets; }
    [[nodiscard]] std::uint32_t received(std::uint32_t slot) const { return reads_[slot].received; }
    [[nodiscard]] Fit fit(std::uint32_t slot, const Packet& packet) const;
    // Places the next packet, which fits.
    void place(std::uint32_t slot, const Packet& packet, Interval at);
    void drop(const Packet& packet);
    // What Reads of the queue pair have brought.
    [[nodiscard]] Placed placed(QpNum qp) const;
    // Nothing more comes.
    void close(std::uint32_t slot);

    void write_waited(std::uint32_t write, Interval wait) override;
    void write_scheduled(std::uint32_t write, Picoseconds issued, Picoseconds visible) override;
    void report(StatSink& sink) const override;
    void check_idle() const override;

private:
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
    struct Write {
        Packet packet;
        QpNum qp{};
        RequestId request;
        std::uint64_t room = 0;
        bool last = false;
    };

    // Of the buffer, for a Read of this length.
    [[nodiscard]] std::uint64_t share(std::uint32_t length) const;
    void release(std::uint64_t room, Picoseconds when);

    const HostId host_;
    Ledgers& ledgers_;
    PayloadPool& payloads_;
    ReadOwner* owner_ = nullptr;
    std::deque<Read> reads_;  // a response of one may let the next Read begin
    std::vector<std::uint32_t> free_reads_;
    std::vector<Write> writes_;
    std::vector<std::uint32_t> free_writes_;
    std::vector<Placed> placed_;  // by QP index
    Pool buffer_;
    Probe<std::uint32_t> psn_{*this, "psn", "PSN of the response placed last"};
    Probe<std::uint32_t> request_{*this, "request", "request whose response was placed last"};
    std::uint64_t packets_ = 0;
    std::uint64_t dropped_ = 0;
};

}  // namespace ndsim
