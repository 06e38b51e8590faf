// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <systemc>

#include "models/ports/arm.hpp"
#include "sim/base/exact_rate.hpp"
#include "sim/base/ids.hpp"
#include "sim/base/payload_pool.hpp"
#include "sim/base/units.hpp"

namespace ndsim {

// The purpose of a transfer over the link, as traces show it.
enum class TlpUse : std::uint8_t {
    idle,
    doorbell,
    wqe,
    receive_wqe,
    payload,
    cqe,
    interrupt,
    head,
    context,
    translation
};
inline constexpr std::array<std::string_view, 10> kTlpUseNames{
    "idle", "doorbell", "wqe", "receive_wqe", "payload", "cqe", "interrupt", "head", "context", "translation"};

// The kind of a store of the CPU into the NIC's BAR.
enum class MmioKind : std::uint8_t { sq_doorbell, rq_doorbell, srq_doorbell, cq_consumer, cq_arm };
inline constexpr std::array<std::string_view, 5> kMmioKindNames{"sq_doorbell", "rq_doorbell", "srq_doorbell",
                                                                "cq_consumer", "cq_arm"};

// A posted MMIO write: one doorbell, perhaps with pushed WQEs.
struct Mmio {
    MmioKind kind{};
    Arm arm = Arm::none;             // cq_arm: armed for this
    std::uint16_t pushed_units = 0;  // sq_doorbell: units of WQE in `pushed`
    std::uint32_t queue = 0;         // QP, SRQ or CQ number
    std::uint32_t index = 0;         // producer (units; receives: entries) or consumer index, absolute
    std::uint32_t seen = 0;          // cq_arm: entries up to here are no news
    std::uint32_t serial = 0;        // cq_arm: notifications of the queue that software has had
    std::uint32_t entries = 0;       // sq_doorbell: requests up to `index`, for the watch; not in the write
    PayloadRef pushed = PayloadRef::none;

    // Bytes of data in the write: 8 for a doorbell, whole lines with pushed WQEs.
    [[nodiscard]] std::uint32_t data_bytes() const { return pushed_units == 0 ? 8U : pushed_units * 64U; }
};

// A core that stores to the NIC.
class StoreClient {
public:
    // A store has left the core now.
    virtual void store_left() = 0;
    // The link has taken the core's oldest store at `at`, now or later.
    virtual void store_taken(Picoseconds at) = 0;

protected:
    ~StoreClient() = default;
};

// The NIC's BAR, where stores leave the link. Called as soon as the time of arrival is known.
class BarPort : public virtual sc_core::sc_interface {
public:
    // Returns when the doorbell FIFO takes the write: at its arrival, or later if the FIFO is full. The write holds
    // PCIe's credits for posted writes until then.
    virtual Picoseconds arrive(Picoseconds at, const Mmio& mmio) = 0;
};

// Reads of one contiguous piece of host memory that are sent together. Each request of at most MRRS needs one tag.
struct ReadTrain {
    Address from{};
    std::uint32_t length = 0;
    std::byte* into = nullptr;
    std::uint32_t requests = 0;  // their number
    Bytes completions{};         // all of them, headers included
    std::uint32_t token = 0;     // comes back with the data
    TlpUse use{};
    QpNum behind{};  // the read also finds a write of this queue pair that it enters on the link
};

// A write of one contiguous piece, cut at MPS, or an interrupt message. Bulk writes stay in order; express writes,
// which depend on nothing before them, enter at the next boundary of the arbiter's grain.
struct WriteTrain {
    Address to{};
    std::uint32_t length = 0;
    PayloadRef payload = PayloadRef::none;
    std::uint32_t offset = 0;  // of the first byte in the payload buffer
    bool last_use = false;     // the buffer returns to the pool once the bytes are visible
    bool express = false;
    bool relaxed = false;    // may become visible before earlier writes: not the last bytes of a message
    bool interrupt = false;  // MSI-X: `to` is the vector
    Interval ready;          // when its first grain and its last byte are in the NIC
    std::uint32_t token = 0;
    TlpUse use{};
    QpNum qp{};  // payload: queue pair of its message, if there is one
};

// The link reports to its device here, as soon as the times are known.
class PcieClient : public virtual sc_core::sc_interface {
public:
    // A train waited for credits during `wait`, before its own times. A write's wait may still last.
    virtual void read_waited(std::uint32_t token, Interval wait) = 0;
    virtual void write_waited(std::uint32_t token, Interval wait) = 0;
    // Completions of a train: the first byte is in the NIC at `arrival.start`, the last one at `arrival.end`.
    virtual void read_scheduled(std::uint32_t token, Interval arrival) = 0;
    // A write has left the NIC at `issued` and is visible in host memory at `visible`.
    virtual void write_scheduled(std::uint32_t token, Picoseconds issued, Picoseconds visible) = 0;
};

// The NIC's end of the link.
class PciePort : public virtual sc_core::sc_interface {
public:
    virtual void read(const ReadTrain& train) = 0;
    virtual void write(const WriteTrain& train) = 0;
};

}  // namespace ndsim
